// The page of two Runs side by side: B against A.
import type {ComparePage, Maybe, Ratio, Words} from './document';
import {absent, element, section, table} from './dom';
import type {Cell} from './dom';
import {diffModel} from './flame_layout';
import {flameView} from './flame_view';
import {figure, milliseconds, scaled, seconds, seriesUnit, UNKNOWN} from './format';
import {changeTable, verdictTone} from './functions';
import {contents, dateText, outcomeChip, warningBox} from './run_page';
import {distributionView} from './spans';
import {themeButton} from './theme';

function valueText(value: Maybe, unit: string): string {
  if (value === null) {
    return UNKNOWN;
  }
  switch (unit) {
    case 's':
      return seconds(value);
    case 'ms':
      return milliseconds(value);
    case 'bytes': {
      const bytes = seriesUnit('bytes', value);
      return `${figure(value / bytes.size)} ${bytes.name}`;
    }
    case '':
      return scaled(value);
    default:
      return `${figure(value)} ${unit}`;
  }
}

// Where the interval of a ratio lies around 1: a picture in a cell, from half
// to double on a scale of logarithms.
function ratioPicture(ratio: Ratio): HTMLElement {
  const place = (value: number) => 50 + 50 * Math.max(-1, Math.min(1, Math.log2(value)));
  const holder = element('span', {class: 'ratio', 'aria-hidden': 'true'});
  if (ratio.low !== null && ratio.high !== null) {
    const reach = element('span', {class: `ratio-reach ${verdictTone(ratio.verdict)}`});
    reach.style.left = `${place(ratio.low)}%`;
    reach.style.width = `${Math.max(place(ratio.high) - place(ratio.low), 1)}%`;
    holder.append(reach);
  }
  if (ratio.ratio !== null && ratio.ratio > 0) {
    const point = element('span', {class: 'ratio-point'});
    point.style.left = `${place(ratio.ratio)}%`;
    holder.append(point);
  }
  return holder;
}

function ratioCells(ratio: Ratio): Cell[] {
  const known = ratio.low !== null && ratio.high !== null;
  return [
    {text: ratio.ratio === null ? UNKNOWN : `${ratio.ratio.toFixed(3)}×`, class: 'number'},
    {text: known ? `${ratio.low!.toFixed(3)} – ${ratio.high!.toFixed(3)}` : UNKNOWN, class: 'number'},
    {text: '', node: ratioPicture(ratio)},
    {text: '', node: element('span', {class: `verdict ${verdictTone(ratio.verdict)}`, title: ratio.method || ratio.reason}, ratio.verdict)},
  ];
}

const RATIO_HEADS: Cell[] = [
  {text: 'A', class: 'number'}, {text: 'B', class: 'number'}, {text: 'B / A', class: 'number'}, {text: '95% interval', class: 'number'},
  {text: '½ … 2'}, {text: 'verdict'},
];

function side(name: string, words: Words | null, runs: string[], label: string): HTMLElement {
  return element('div', {class: `card side side-${name.toLowerCase()}`}, element('h2', {}, element('span', {class: 'side-name'}, name), words?.command ?? UNKNOWN),
                 element('p', {class: 'chips'}, words ? outcomeChip(words) : null, label ? element('span', {class: 'chip'}, label) : null,
                         words?.conditions ? element('span', {class: 'chip'}, words.conditions) : null),
                 element('p', {class: 'faint'}, words ? `${dateText(words.started)} · ${words.machine}` : ''),
                 element('p', {class: 'faint'}, runs.length === 1 ? `Run ${runs[0]}` : `${runs.length} Runs, ${runs[0]} and on`));
}

function spanParts(page: ComparePage): HTMLElement[] {
  const {spans} = page.comparison;
  if (spans.length === 0) {
    return [absent('The two have no span name in common.')];
  }
  return spans.map((span, i) => {
    const charts = page.span_charts[i];
    const row = (name: string, ratio: Ratio, a: Maybe, b: Maybe): Cell[] =>
        [{text: name}, {text: milliseconds(a), class: 'number'}, {text: milliseconds(b), class: 'number'}, ...ratioCells(ratio)];
    const details = element(
        'details', {class: 'card span', open: i < 4, 'data-span': span.name},
        element('summary', {}, element('span', {class: 'name'}, span.name),
                element('span', {class: `verdict ${verdictTone(span.median.verdict)}`},
                        `median ${span.median.ratio === null ? UNKNOWN : `${span.median.ratio.toFixed(2)}×`} · ${span.median.verdict}`)));
    const fill = () => {
      details.append(table(`Ratios of ${span.name}`, [{text: 'figure'}, ...RATIO_HEADS], [
        row('mean', span.mean, span.a.mean_ms, span.b.mean_ms),
        row('median', span.median, span.a.p50_ms?.value ?? null, span.b.p50_ms?.value ?? null),
        row('p99', span.p99, span.a.p99_ms?.value ?? null, span.b.p99_ms?.value ?? null),
      ]));
      if (charts && charts.a.value.length > 0 && charts.b.value.length > 0) {
        details.append(distributionView(span.name, [
          {label: 'A', colour: 'side-a', distribution: charts.a},
          {label: 'B', colour: 'side-b', distribution: charts.b},
        ]));
      }
    };
    if (details.open) {
      fill();
    } else {
      details.addEventListener('toggle', fill, {once: true});
    }
    return details;
  });
}

function stackParts(page: ComparePage): HTMLElement[] {
  const {stacks} = page;
  if (!stacks) {
    return [absent('A differential flame graph needs stacks on both sides: edgewise run --stacks 99.')];
  }
  const flame = flameView(diffModel(stacks), []);
  const parts: HTMLElement[] = [
    element('p', {class: 'faint'}, 'Shares of each side’s samples: red frames take a larger share in B, blue ones a smaller. Width is the mean of both.'),
    flame.node,
  ];
  if (page.functions.length > 0) {
    parts.push(element('h3', {}, 'Functions by change of their share'), changeTable(page.functions, flame),
               element('p', {class: 'faint'}, 'Intervals are of each function alone; a verdict stands among all functions together (Holm, 5%).'));
  }
  return parts;
}

export function comparePage(page: ComparePage): HTMLElement[] {
  const {comparison} = page;
  document.title = `${page.a?.command ?? 'A'} against ${page.b?.command ?? 'B'} · edgewise`;
  const only = [
    ...comparison.only_in_a.map((name) => `${name} (only in A)`),
    ...comparison.only_in_b.map((name) => `${name} (only in B)`),
  ];
  const sections = [
    section({
      id: 'totals',
      title: 'Whole Runs',
      body: [table('Totals of B against A', [{text: 'total'}, ...RATIO_HEADS],
                   comparison.totals.map((total) => [
                     {text: total.name.replaceAll('_', ' ').replace(/ (s|bytes)$/, '')},
                     {text: valueText(total.a, total.unit), class: 'number'},
                     {text: valueText(total.b, total.unit), class: 'number'},
                     ...ratioCells(total),
                   ]))],
    }),
    section({
      id: 'spans',
      title: 'Latency',
      body: [...spanParts(page), ...(only.length > 0 ? [element('p', {class: 'faint'}, `Not compared: ${only.join(', ')}.`)] : [])],
    }),
    section({id: 'stacks', title: 'Where CPU time went', body: stackParts(page)}),
  ];
  return [
    element('header', {},
            element('div', {class: 'top'}, element('span', {class: 'brand'}, 'edgewise'), element('span', {class: 'faint'}, 'B against A'), themeButton()),
            element('h1', {class: 'unseen'}, 'B against A'),
            element('div', {class: 'grid sides'}, side('A', page.a, comparison.a.runs, comparison.a.label),
                    side('B', page.b, comparison.b.runs, comparison.b.label))),
    ...[warningBox(comparison.warnings)].filter((box): box is HTMLElement => box !== null),
    element('main', {}, contents(sections), ...sections),
    element('footer', {}, `The same in a terminal: edgewise compare ${comparison.a.runs[0] ?? 'A'} ${comparison.b.runs[0] ?? 'B'}`),
  ];
}
