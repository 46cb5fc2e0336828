// What was sampled over the Run: one chart for each series, cursors together.
import {chart} from './charts';
import type {RunFigures, SeriesChart, SeriesFigures} from './document';
import {element, table} from './dom';
import {counted, figure, percent, seconds, seriesUnit, UNKNOWN} from './format';

const TITLES: Record<string, string> = {
  cpu_percent: 'CPU, of one core',
  rss: 'Memory (RSS of all processes)',
  pss: 'Memory (PSS of all processes)',
  cgroup_memory: 'Memory of the cgroup',
  threads: 'Threads',
  processes: 'Processes',
  temperature: 'Temperature',
  power: 'Power',
  cpu_frequency: 'CPU frequency',
  cpu_of_others: 'CPU of other programs',
  steal: 'Stolen by the host',
  pressure_cpu: 'Pressure: waiting for CPU',
  pressure_memory: 'Pressure: waiting for memory',
  pressure_io: 'Pressure: waiting for I/O',
  net_receive: 'Network, received',
  net_transmit: 'Network, sent',
  gpu_busy: 'GPU, some kernel ran',
  'gpu_busy of the program': "GPU, the program's share",
  gpu_memory_busy: 'GPU memory, read or written',
  gpu_memory_used: 'GPU memory in use',
  'gpu_memory of the program': 'GPU memory of the program',
  gpu_bandwidth: 'GPU memory traffic',
  gpu_power: 'GPU power',
  gpu_temperature: 'GPU temperature',
  gpu_clock: 'GPU clock',
  gpu_memory_clock: 'GPU memory clock',
  gpu_pcie_receive: 'PCIe, to the GPU',
  gpu_pcie_transmit: 'PCIe, from the GPU',
  memory_controller_busy: 'Memory controller, busy',
  memory_controller_clock: 'Memory controller clock',
};

const THREAD = /^cpu_percent of thread (\d+) ?(.*)$/;
const COLOURS = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6'];
const MOST_THREAD_LINES = 6;
const MOST_THREAD_BARS = 20;

const largest = (values: (number | null)[]) => values.reduce((most: number, value) => Math.max(most, Math.abs(value ?? 0)), 0);

// "0 all along" takes a line, not a chart.
const isFlatZero = (series: SeriesFigures) => series.source === 'system' && series.min === 0 && series.max === 0;

function seriesChart(series: SeriesFigures, points: SeriesChart): HTMLElement {
  const unit = seriesUnit(series.unit, largest(points.value));
  const title = series.source === 'system' ? TITLES[series.name] ?? series.name : series.name;
  const shown = (value: number | null) => value === null ? UNKNOWN : `${figure(value / unit.size)} ${unit.name}`.trim();
  return element(
      'figure', {class: 'card', 'data-series': series.name},
      element('figcaption', {}, element('span', {}, title, series.source === 'app' ? element('span', {class: 'chip'}, 'app') : null),
              element('span', {class: 'faint'}, `mean ${shown(series.mean)} · max ${shown(series.max)}`)),
      chart({
        label: `${title} over time: mean ${shown(series.mean)}, max ${shown(series.max)}`,
        x: points.t_s,
        lines: [{
          label: title,
          values: points.value.map((value) => value === null ? null : value / unit.size),
          colour: series.source === 'app' ? 'series-5' : 'series-1',
          fill: true,
          points: points.t_s.length < 40,
        }],
        xUnit: 's',
        yUnit: unit.name,
        yFromZero: series.unit !== 'celsius',
        height: 150,
        sync: 'time',
        showX: (value) => `${figure(value)} s`,
      }).node);
}

export function seriesCharts(run: RunFigures, charts: SeriesChart[]): HTMLElement[] {
  const shown: HTMLElement[] = [];
  const zero: string[] = [];
  run.series.forEach((series, i) => {
    const points = charts[i];
    if (!points || points.t_s.length === 0 || THREAD.test(series.name)) {
      return;
    }
    if (isFlatZero(series)) {
      zero.push(TITLES[series.name] ?? series.name);
    } else {
      shown.push(seriesChart(series, points));
    }
  });
  const parts: HTMLElement[] = [];
  if (shown.length > 0) {
    parts.push(element('div', {class: 'grid'}, ...shown));
  }
  if (zero.length > 0) {
    parts.push(element('p', {class: 'faint'}, `0 all along, not drawn: ${zero.join(', ')}.`));
  }
  return parts;
}

// Each thread's CPU over time, those that used most.
function threadLines(run: RunFigures, charts: SeriesChart[]): HTMLElement | null {
  const threads = run.series
      .map((series, i) => ({series, points: charts[i], match: THREAD.exec(series.name)}))
      .filter((each) => each.match !== null && each.points !== undefined && each.points.t_s.length > 1)
      .sort((p, q) => (q.series.mean ?? 0) * q.series.count - (p.series.mean ?? 0) * p.series.count)
      .slice(0, MOST_THREAD_LINES);
  if (threads.length === 0) {
    return null;
  }
  const x = [...new Set(threads.flatMap((each) => each.points!.t_s))].sort((p, q) => p - q);
  return element(
      'figure', {class: 'card'},
      element('figcaption', {}, threads.length < MOST_THREAD_LINES ? 'CPU of each thread, of one core' :
                                                                    `CPU of the ${MOST_THREAD_LINES} busiest threads, of one core`),
      chart({
        label: 'CPU of the busiest threads over time',
        x,
        lines: threads.map(({points, match}, i) => {
          const at = new Map(points!.t_s.map((t, k) => [t, points!.value[k] ?? null]));
          return {
            label: `${match![2] || 'thread'} ${match![1]}`,
            values: x.map((t) => at.get(t) ?? null),
            colour: COLOURS[i % COLOURS.length]!,
            points: x.length < 40,
          };
        }),
        xUnit: 's',
        yUnit: '%',
        yFromZero: true,
        height: 200,
        sync: 'time',
        showX: (value) => `${figure(value)} s`,
      }).node);
}

export function threadParts(run: RunFigures, charts: SeriesChart[]): HTMLElement[] {
  const parts: HTMLElement[] = [];
  const lines = threadLines(run, charts);
  if (lines) {
    parts.push(lines);
  }
  const threads = [...run.threads].sort((p, q) => q.cpu_s - p.cpu_s);
  const most = threads[0]?.cpu_s ?? 0;
  if (threads.length > 0) {
    parts.push(table(
        'CPU time of each thread',
        [{text: 'thread'}, {text: 'CPU time'}, {text: 'of one core', class: 'number'}, {text: 'waited for a core', class: 'number'},
         {text: 'may run on'}, {text: 'tid', class: 'number'}, {text: 'pid', class: 'number'}],
        threads.slice(0, MOST_THREAD_BARS).map((thread) => [
          {text: thread.name || '(no name)', class: 'name'},
          {text: '', class: 'bar-cell', node: bar(most > 0 ? thread.cpu_s / most : 0, seconds(thread.cpu_s))},
          {text: run.wall_s ? percent(100 * thread.cpu_s / run.wall_s) : UNKNOWN, class: 'number'},
          {text: seconds(thread.run_queue_wait_s), class: 'number'},
          {text: thread.affinity ? `CPU ${thread.affinity}` : UNKNOWN},
          {text: String(thread.tid), class: 'number'},
          {text: String(thread.pid), class: 'number'},
        ])));
    if (threads.length > MOST_THREAD_BARS) {
      parts.push(element('p', {class: 'faint'}, `${counted(threads.length - MOST_THREAD_BARS, 'thread')} with less CPU time not shown.`));
    }
  }
  return parts;
}

// A bar of a share of its cell, with its figure.
export function bar(share: number, text: string, kind = 'series-1'): HTMLElement {
  const fill = element('span', {class: 'bar', 'aria-hidden': 'true'});
  fill.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  fill.style.background = `var(--${kind})`;
  return element('span', {class: 'bar-holder'}, element('span', {class: 'bar-track'}, fill), element('span', {class: 'bar-text'}, text));
}

