// The page of one Run, from what matters most to the small print.
import type {Fact, RunPage, Words} from './document';
import {absent, element, section, table} from './dom';
import {flameView} from './flame_view';
import {runModel} from './flame_layout';
import {counted, percent, scaled} from './format';
import {functionTable} from './functions';
import {seriesCharts, threadParts} from './series';
import {spanCards} from './spans';
import {themeButton} from './theme';

const DATE = new Intl.DateTimeFormat('en-GB', {dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC'});

export function dateText(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${DATE.format(date)} UTC`;
}

export const outcomeChip = (words: Words) => element('span', {class: `chip ${words.tone}`}, words.outcome);

export function warningBox(warnings: string[]): HTMLElement | null {
  return warnings.length === 0 ? null : element(
      'aside', {class: 'warnings', 'aria-label': 'Warnings'},
      element('h2', {}, warnings.length === 1 ? 'Before you trust the figures' : `${warnings.length} things to know before you trust the figures`),
      element('ul', {}, ...warnings.map((warning) => element('li', {}, warning))));
}

export function contents(sections: HTMLElement[]): HTMLElement {
  return element('nav', {class: 'contents', 'aria-label': 'Sections'}, ...sections.map((each) => element(
      'a', {href: `#${each.id}`}, each.querySelector('h2')?.textContent ?? each.id)));
}

function header(page: RunPage): HTMLElement {
  const {words, run} = page;
  return element(
      'header', {},
      element('div', {class: 'top'}, element('span', {class: 'brand'}, 'edgewise'),
              element('span', {class: 'faint'}, `Run ${run.id}`), themeButton()),
      element('h1', {}, words.command),
      element('p', {class: 'chips'}, outcomeChip(words), run.label ? element('span', {class: 'chip'}, run.label) : null,
              words.conditions ? element('span', {class: 'chip'}, words.conditions) : null),
      element('p', {class: 'faint'}, `${dateText(words.started)} · ${words.machine}`),
      run.note ? element('p', {class: 'note'}, run.note) : null);
}

// The first piece of a fact is its headline.
function tile(name: string, big: string, rest: string[], tone = ''): HTMLElement {
  return element('div', {class: `tile ${tone}`}, element('span', {class: 'tile-name'}, name),
                 element('strong', {}, big), ...rest.map((piece) => element('span', {class: 'faint'}, piece)));
}

function tiles(page: RunPage): HTMLElement {
  const named = (name: string): Fact | undefined => page.facts.find((fact) => fact.name === name);
  const shown: HTMLElement[] = [];
  for (const [name, title] of [['wall', 'Wall time'], ['CPU', 'CPU'], ['memory', 'Memory']] as const) {
    const fact = named(name);
    if (fact) {
      shown.push(tile(title, fact.pieces[0]!.replace(/^max RSS /, '').replace(/ of one core$/, ''),
                      [...(name === 'CPU' ? ['of one core'] : name === 'memory' ? ['max RSS'] : []), ...fact.pieces.slice(1)]));
    }
  }
  const slowest = [...page.run.spans].sort((p, q) => (q.p99_ms?.value ?? 0) - (p.p99_ms?.value ?? 0))[0];
  const misses = page.run.spans.reduce((sum, span) => sum + (span.jobs?.deadline_misses ?? 0), 0);
  const jobs = page.run.spans.reduce((sum, span) => sum + (span.jobs ? span.count : 0), 0);
  if (jobs > 0) {
    shown.push(tile('Deadlines missed', String(misses), [`of ${counted(jobs, 'job')}`], misses > 0 ? 'bad' : 'good'));
  } else if (slowest) {
    const total = page.run.spans.reduce((sum, span) => sum + span.count, 0);
    shown.push(tile('Spans', total.toLocaleString('en-US'), [`of ${counted(page.run.spans.length, 'name')}`]));
  }
  const waiting = named('waiting');
  if (waiting) {
    shown.push(tile('Waited for a core', waiting.pieces[0]!.replace(/ for a core$/, ''), waiting.pieces.slice(1)));
  }
  const profiler = named('profiler');
  if (profiler) {
    shown.push(tile('Cost of measuring', profiler.pieces[0]!.replace(/ \(.*/, ''),
                    [...(/\((.*)\)/.exec(profiler.pieces[0]!)?.slice(1) ?? []), ...profiler.pieces.slice(1)]));
  }
  return element('div', {class: 'tiles'}, ...shown);
}

function stackParts(page: RunPage): HTMLElement[] {
  const {stacks} = page;
  if (!stacks || stacks.total <= 0) {
    return [absent(stacks ? 'No stack was sampled: the program used no CPU time while it was looked at.' :
                            'This Run has no stacks: edgewise run --stacks 99 takes 99 samples a second of each core.')];
  }
  const parts: HTMLElement[] = [];
  const perThread = new Map<number, number>();
  stacks.count_thread.forEach((thread, i) => perThread.set(
      thread, (perThread.get(thread) ?? 0) + stacks.count_self[i]! + stacks.count_left_out[i]!));
  const choice = element('select', {'aria-label': 'Threads'}, element('option', {value: ''}, `All ${counted(perThread.size, 'thread')}`),
                         ...[...perThread].sort((p, q) => q[1] - p[1]).slice(0, 200).map(([id, samples]) => {
                           const thread = stacks.threads[id]!;
                           const name = thread.thread && thread.thread !== thread.process ? `${thread.process} / ${thread.thread}` : thread.process;
                           return element('option', {value: id}, `${name} ${thread.tid} (${percent(100 * samples / stacks.total)})`);
                         }));
  const flame = flameView(runModel(stacks, null), perThread.size > 1 ? [choice] : []);
  choice.addEventListener('change', () => flame.show(runModel(stacks, choice.value === '' ? null : Number(choice.value))));
  const about = [counted(stacks.total, stacks.unit.replace(/s$/, ''))];
  if (stacks.event) {
    about.push(stacks.rate_hz === null ? stacks.event : `${stacks.event} at ${stacks.rate_hz} Hz`);
  }
  if (page.off_cpu_percent !== null) {
    about.push(`${percent(page.off_cpu_percent)} of the wall time off the CPU`);
  }
  if (stacks.left_out > 0) {
    about.push(`${counted(stacks.left_out, 'small frame')} not drawn`);
  }
  parts.push(element('p', {class: 'faint'}, `${about.join(' · ')}. Callers are above what they call; width is CPU time. Click a frame to zoom.`), flame.node);
  if (stacks.notes.length > 0) {
    parts.push(element('ul', {class: 'notes'}, ...stacks.notes.map((note) => element('li', {}, note))));
  }
  if (page.functions.length > 0) {
    parts.push(element('h3', {}, 'Functions'), functionTable(page.functions, flame));
  }
  return parts;
}

function factTable(facts: Fact[]): HTMLElement {
  return table('Figures of the whole Run', [{text: 'what'}, {text: 'figures'}],
               facts.map((fact) => [{text: fact.name}, {text: fact.pieces.join(' · ')}]), 'pairs');
}

function pairs(caption: string, entries: [string, string][]): HTMLElement {
  return table(caption, [{text: 'what'}, {text: 'value'}], entries.map(([name, value]) => [{text: name}, {text: value}]), 'pairs');
}

// A value of a document as text; null for what was not set.
function plainText(value: unknown): string | null {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    return null;
  }
  if (Array.isArray(value)) {
    return value.map(String).join(', ');
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([name, each]) => `${name}=${String(each)}`);
    return entries.length > 0 ? entries.join(' ') : null;
  }
  return String(value);
}

function documentPairs(values: Record<string, unknown>): [string, string][] {
  return Object.entries(values)
      .map(([name, value]): [string, string | null] => [name.replaceAll('_', ' '), plainText(value)])
      .filter((pair): pair is [string, string] => pair[1] !== null);
}

function counterParts(page: RunPage): HTMLElement[] {
  const {counters} = page.run;
  if (counters.length === 0) {
    return [absent('No counters were read: edgewise run --events names those to count; doctor says which this machine has.')];
  }
  return [table('Counters', [{text: 'counter'}, {text: 'value', class: 'number'}, {text: 'counted', class: 'number'}],
                counters.map((counter) => [{text: counter.name}, {text: scaled(counter.value), class: 'number'},
                                           {text: `${(100 * counter.running_share).toFixed(0)}% of the time`, class: 'number'}]))];
}

export function runPage(page: RunPage): HTMLElement[] {
  const {run} = page;
  document.title = `${page.words.command} · edgewise`;
  const series = seriesCharts(run, page.series_charts);
  const threads = threadParts(run, page.series_charts);
  const conditions = documentPairs(run.conditions);
  const sections = [
    section({
      id: 'spans',
      title: 'Latency',
      body: run.spans.length > 0 ? spanCards(run.spans, page.span_charts) :
                                   [absent('This Run has no spans: mark them in the program with EDGEWISE_MEASURE("name") or, in Python, edgewise.measure.')],
    }),
    section({id: 'stacks', title: 'Where CPU time went', body: stackParts(page)}),
    section({id: 'series', title: 'Over time', body: series.length > 0 ? series : [absent('Nothing was sampled over time: the Run was over before the first sample.')]}),
    section({id: 'threads', title: 'Threads', body: threads.length > 0 ? threads : [absent('No thread was seen: the Run was over before the first look, or it was imported.')]}),
    section({id: 'figures', title: 'All figures', body: [factTable(page.facts)]}),
    section({id: 'counters', title: 'Counters', body: counterParts(page)}),
    section({
      id: 'conditions',
      title: 'Conditions',
      body: [element('div', {class: 'grid'},
                     element('div', {}, element('h3', {}, 'Asked for'), conditions.length > 0 ? pairs('Conditions', conditions) : absent('Nothing: as the system had it.')),
                     element('div', {}, element('h3', {}, 'Machine'), pairs('Machine', documentPairs(run.machine))))],
    }),
    section({
      id: 'missing',
      title: 'Not measured',
      body: page.unavailable.length > 0 ? [element('ul', {}, ...page.unavailable.map((sentence) => element('li', {}, sentence)))] :
                                          [element('p', {}, 'Everything that was asked for was measured.')],
    }),
  ];
  if (run.output_tail) {
    sections.push(section({
      id: 'output',
      title: 'Output',
      body: [element('details', {}, element('summary', {}, run.output_bytes > run.output_tail.length ? 'The end of what the program wrote' : 'What the program wrote'),
                     element('pre', {tabindex: 0}, run.output_tail))],
    }));
  }
  return [
    header(page),
    ...[warningBox(run.warnings)].filter((box): box is HTMLElement => box !== null),
    element('main', {}, tiles(page), contents(sections), ...sections),
    element('footer', {}, `Made by edgewise ${run.edgewise_version}. The same in a terminal: edgewise show ${run.id}`),
  ];
}
