// Spans: one card for each name, with its distribution and its way over time.
import {chart, distributionSettings, histogramChart} from './charts';
import type {Curve} from './charts';
import type {Distribution, Estimate, SpanCharts, SpanFigures, Summary} from './document';
import {element, table} from './dom';
import type {Cell} from './dom';
import {count, counted, durationUnit, figure, interval, milliseconds} from './format';

const PERCENTILES: [string, 'p50_ms' | 'p90_ms' | 'p95_ms' | 'p99_ms' | 'p999_ms'][] =
    [['p50', 'p50_ms'], ['p90', 'p90_ms'], ['p95', 'p95_ms'], ['p99', 'p99_ms'], ['p99.9', 'p999_ms']];

const number = (text: string, title?: string): Cell => ({text, class: 'number', ...(title ? {title} : {})});

function percentileRow(name: string, estimate: Estimate | null): Cell[] {
  const known = estimate !== null && estimate.low !== null && estimate.high !== null;
  return [{text: name}, number(milliseconds(estimate?.value ?? null)),
          {text: interval(estimate), class: known ? 'number' : 'number faint'}];
}

function percentiles(caption: string, summary: Summary): HTMLElement {
  return table(caption, [{text: ''}, number('time'), number('95% interval')], [
    [{text: 'min'}, number(milliseconds(summary.min_ms)), {text: ''}],
    ...PERCENTILES.map(([name, key]) => percentileRow(name, summary[key])),
    [{text: 'max'}, number(milliseconds(summary.max_ms)), {text: ''}],
    [{text: 'mean'}, number(milliseconds(summary.mean_ms)), {text: ''}],
    [{text: 'std. deviation'}, number(milliseconds(summary.stddev_ms)), {text: ''}],
    [{text: 'jitter'}, number(milliseconds(summary.jitter_ms), 'mean difference of successive spans'), {text: ''}],
  ]);
}

// The distribution with a switch to its tail.
export function distributionView(name: string, curves: Curve[]): HTMLElement {
  const shown = chart(distributionSettings(name, curves, false));
  const button = (label: string, tail: boolean) => element('button', {
    type: 'button',
    'aria-pressed': String(!tail),
    click: () => {
      shown.replace(distributionSettings(name, curves, tail));
      for (const other of buttons) {
        other.setAttribute('aria-pressed', String(other === buttons[tail ? 1 : 0]));
      }
    },
  }, label);
  const buttons = [button('Whole', false), button('Tail', true)];
  return element('figure', {},
                 element('figcaption', {}, 'Share that took at most so long',
                         element('span', {class: 'switch', role: 'group', 'aria-label': 'Part of the distribution'}, ...buttons)),
                 shown.node);
}

const hasPoints = (distribution: Distribution) => distribution.value.length > 0;

function overTime(name: string, charts: SpanCharts): HTMLElement | null {
  const rows = charts.over_time;
  if (rows.t_s.length < 2) {
    return null;
  }
  const single = rows.count.every((each) => each === 1);
  const unit = durationUnit([...rows.max].sort((p, q) => p - q)[Math.floor(rows.max.length / 2)]!);
  const inUnit = (values: number[]) => values.map((value) => value / unit.size);
  const few = rows.t_s.length < 80;
  return element(
      'figure', {}, element('figcaption', {}, single ? 'Over time: each of them' : 'Over time: of those that started close to each other'),
      chart({
        label: `${name} over time`,
        x: rows.t_s,
        lines: single ? [{label: 'time', values: inUnit(rows.max), colour: 'series-1', points: few, width: 1}] : [
          {label: 'max', values: inUnit(rows.max), colour: 'series-2', width: 1},
          // Of fewer than 100 spans the p99 is the largest.
          ...(rows.count.some((each) => each >= 100) ? [{label: 'p99', values: inUnit(rows.p99), colour: 'series-4', width: 1}] : []),
          {label: 'median', values: inUnit(rows.median), colour: 'series-1', width: 2},
          {label: 'min', values: inUnit(rows.min), colour: 'series-3', width: 1},
        ],
        xUnit: 's',
        yUnit: unit.name,
        yFromZero: true,
        sync: 'time',
        showX: (value) => `${figure(value)} s`,
      }).node);
}

// Of jobs: whether they were in time, before anything else.
function deadlines(span: SpanFigures): HTMLElement | null {
  const {jobs} = span;
  if (!jobs) {
    return null;
  }
  const missed = jobs.deadline_misses;
  return element(
      'div', {class: 'jobs'},
      element('p', {class: missed > 0 ? 'verdict bad' : 'verdict good'},
              missed > 0 ? `${count(missed)} of ${counted(span.count, 'deadline')} missed` :
                           `All ${counted(span.count, 'deadline')} met`),
      element('p', {class: 'faint'},
              jobs.max_lateness_ms === null     ? '' :
                  jobs.max_lateness_ms > 0 ? `The worst job ended ${milliseconds(jobs.max_lateness_ms)} after its deadline.` :
                                             `The worst job had ${milliseconds(-jobs.max_lateness_ms)} to spare.`));
}

function facts(span: SpanFigures): string {
  const pieces = [counted(span.count, span.jobs ? 'job' : 'span')];
  if (span.rate_per_s !== null) {
    pieces.push(`${figure(span.rate_per_s)} per second`);
  }
  if (span.cpu_mean_ms !== null) {
    pieces.push(`${milliseconds(span.cpu_mean_ms)} CPU each`);
  }
  if (span.dropped > 0) {
    pieces.push(`${count(span.dropped)} lost`);
  }
  if (span.warmup_excluded > 0) {
    pieces.push(`${count(span.warmup_excluded)} left out as warm-up`);
  }
  if (span.from_sketch) {
    pieces.push('percentiles within 1% (too many spans to keep each)');
  }
  return pieces.join(' · ');
}

function card(span: SpanFigures, charts: SpanCharts | null, open: boolean): HTMLElement {
  const summary = element(
      'summary', {}, element('span', {class: 'name'}, span.name),
      element('span', {class: 'figures'},
              `p50 ${milliseconds(span.p50_ms?.value ?? null)} · p99 ${milliseconds(span.p99_ms?.value ?? null)} · max ${
                  milliseconds(span.max_ms)}`));
  const details = element('details', {class: 'card span', open, 'data-span': span.name}, summary);
  const fill = () => {
    details.append(element('p', {class: 'faint'}, facts(span)), ...[deadlines(span)].filter((each) => each !== null));
    const grid = element('div', {class: 'grid'});
    if (charts && charts.histogram.count.length > 0) {
      grid.append(element('figure', {}, element('figcaption', {}, 'How often each time occurred'),
                          histogramChart(span.name, charts.histogram).node));
    }
    if (charts && hasPoints(charts.distribution)) {
      grid.append(distributionView(span.name, [{label: 'share', colour: 'series-1', distribution: charts.distribution}]));
    }
    grid.append(percentiles(`Percentiles of ${span.name}`, span));
    const time = charts ? overTime(span.name, charts) : null;
    if (time) {
      grid.append(time);
    }
    if (span.jobs) {
      grid.append(element('div', {}, element('h4', {}, 'Response times (waiting included)'),
                          percentiles(`Response times of ${span.name}`, span.jobs.response)));
    }
    details.append(grid);
    if (!charts) {
      details.append(element('p', {class: 'absent'}, 'This Run has too many span names to draw them all: export --format svg draws this one.'));
    }
  };
  // What is closed costs nothing until it is opened.
  if (open) {
    fill();
  } else {
    details.addEventListener('toggle', fill, {once: true});
  }
  return details;
}

const MOST_OPEN = 3;

export function spanCards(spans: SpanFigures[], charts: (SpanCharts | null)[]): HTMLElement[] {
  return spans.map((span, i) => card(span, charts[i] ?? null, i < MOST_OPEN));
}

