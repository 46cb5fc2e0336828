// Charts by uPlot: made when they come into view, redrawn for width and theme.
import uPlot from 'uplot';

import type {Distribution, Maybe, SpanCharts} from './document';
import {element} from './dom';
import {durationUnit, figure} from './format';
import type {Unit} from './format';
import {colour, onTheme} from './theme';

export interface Line {
  label: string;
  values: Maybe[];
  colour: string;  // of the style sheet
  fill?: boolean;
  width?: number;
  points?: boolean;
  stepped?: boolean;
}

export interface ChartSettings {
  label: string;  // what the chart shows, for those who cannot see it
  x: number[];
  lines: Line[];
  xUnit: string;
  yUnit: string;
  xLog?: boolean;
  yLog?: boolean;
  yFromZero?: boolean;
  yMax?: number;
  height?: number;
  showX?: (value: number) => string;
  showY?: (value: number) => string;
  xTick?: (value: number) => string;
  yTick?: (value: number) => string;
  // Charts with the same key share the cursor's place.
  sync?: string;
  draw?: (plot: uPlot) => void;
}

const axisFigure = (value: number) =>
    Math.abs(value) >= 1e6 ? value.toExponential(0).replace('+', '') :
                             String(Number(value.toPrecision(4))).replace(/^(-?\d+)(\d{3})$/, '$1,$2');

// A line of a log scale only where it is 1, 2 or 5 times a power of ten; where
// there is little room only the powers.
function logTick(show: (value: number) => string) {
  return (plot: uPlot, values: number[], axis: number): string[] => {
    const range = plot.scales[axis === 0 ? 'x' : 'y']!;
    const decades = Math.log10((range.max ?? 10) / (range.min ?? 1));
    const room = (axis === 0 ? plot.bbox.width / devicePixelRatio / 55 : plot.bbox.height / devicePixelRatio / 22);
    return values.map((value) => {
      if (value === null || value <= 0) {
        return '';
      }
      const digit = Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
      const wanted = decades * 3 <= room ? [1, 2, 5] : decades <= room ? [1] : [];
      if (wanted.length === 0) {
        const every = Math.ceil(decades / room);
        return digit === 1 && Math.round(Math.log10(value)) % every === 0 ? show(value) : '';
      }
      return wanted.includes(digit) ? show(value) : '';
    });
  };
}

function axis(settings: ChartSettings, index: number): uPlot.Axis {
  const isLog = index === 0 ? settings.xLog : settings.yLog;
  const show = (index === 0 ? settings.xTick : settings.yTick) ?? axisFigure;
  const unit = index === 0 ? settings.xUnit : settings.yUnit;
  return {
    stroke: colour('faint'),
    font: '11px system-ui, sans-serif',
    labelFont: '11px system-ui, sans-serif',
    label: unit,
    labelSize: 16,
    labelGap: 2,
    size: index === 0 ? 26 : 54,
    gap: 4,
    space: index === 0 ? 60 : 28,
    grid: {stroke: colour('grid'), width: 1},
    ticks: {stroke: colour('grid'), width: 1, size: 4},
    values: isLog ? (plot, values) => logTick(show)(plot, values, index) : (_plot, values) => values.map(show),
  };
}

function options(settings: ChartSettings, width: number): uPlot.Options {
  const showX = settings.showX ?? ((value: number) => `${figure(value)} ${settings.xUnit}`);
  const showY = settings.showY ?? ((value: number) => `${figure(value)} ${settings.yUnit}`);
  const range: uPlot.Range.Function = (_plot, low, high) => {
    if (low === null || high === null) {
      return [0, 1];
    }
    if (settings.yMax !== undefined) {
      return [0, settings.yMax];
    }
    const from = settings.yFromZero && low >= 0 ? 0 : low;
    const room = (high - from) * 0.06 || Math.abs(high) * 0.1 || 1;
    return [from === 0 && settings.yFromZero ? 0 : from - room, high + room];
  };
  return {
    width,
    height: settings.height ?? 220,
    padding: [8, 12, 0, 0],
    scales: {
      x: {time: false, distr: settings.xLog ? 3 : 1},
      y: settings.yLog ? {distr: 3} : {range},
    },
    axes: [axis(settings, 0), axis(settings, 1)],
    cursor: {
      ...(settings.sync ? {sync: {key: settings.sync, scales: ['x', null]}} : {}),
      drag: {x: true, y: false, setScale: true},
      points: {size: 6},
    },
    legend: {live: true},
    series: [
      {label: '', value: (_plot, value) => value === null ? '' : showX(value)},
      ...settings.lines.map((line): uPlot.Series => ({
        label: line.label,
        stroke: colour(line.colour),
        width: line.width ?? 1.5,
        ...(line.fill ? {fill: `${colour(line.colour)}33`} : {}),
        points: {show: line.points ?? false, size: 4, fill: colour(line.colour)},
        ...(line.stepped ? {paths: uPlot.paths.stepped!({align: 1})} : {}),
        // Nothing is pointed at: nothing to say.
        value: (_plot, value) => value === null ? '' : showY(value),
      })),
    ],
    hooks: {drawAxes: settings.draw ? [settings.draw] : []},
  };
}

const waiting = new Map<Element, () => void>();
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting) {
      reveal(entry.target);
    }
  }
}, {rootMargin: '400px'});

function reveal(target: Element): void {
  const make = waiting.get(target);
  waiting.delete(target);
  observer.unobserve(target);
  make?.();
}

// Runs `make` once `target` is about to be seen, or printed.
export function whenSeen(target: Element, make: () => void): void {
  waiting.set(target, make);
  observer.observe(target);
}
window.addEventListener('beforeprint', () => [...waiting.keys()].forEach(reveal));

export interface Chart {
  node: HTMLElement;
  replace(settings: ChartSettings): void;
}

export function chart(first: ChartSettings): Chart {
  let settings = first;
  let plot: uPlot | null = null;
  const holder = element('div', {class: 'plot'});
  holder.style.minHeight = `${(settings.height ?? 220) + 26}px`;
  const node = element('div', {class: 'chart', role: 'group', 'aria-label': settings.label}, holder);
  const draw = () => {
    if (waiting.has(node)) {
      return;
    }
    plot?.destroy();
    const data = [settings.x, ...settings.lines.map((line) => line.values)] as uPlot.AlignedData;
    plot = new uPlot(options(settings, Math.max(holder.clientWidth, 120)), data, holder);
    node.dataset['drawn'] = 'true';
  };
  whenSeen(node, () => {
    draw();
    let width = holder.clientWidth;
    new ResizeObserver(() => {
      if (holder.clientWidth > 0 && holder.clientWidth !== width) {
        width = holder.clientWidth;
        plot?.setSize({width, height: settings.height ?? 220});
      }
    }).observe(holder);
  });
  onTheme(draw);
  return {
    node,
    replace(next: ChartSettings) {
      settings = next;
      node.setAttribute('aria-label', settings.label);
      draw();
    },
  };
}

// How often each wall time occurred.
export function histogramChart(name: string, histogram: SpanCharts['histogram']): Chart {
  const bins = histogram.count.length;
  const unit = durationUnit(histogram.high[Math.floor(bins / 2)] ?? 1);
  const edges = [...histogram.low, histogram.high[bins - 1] ?? 0];
  // One value has no width of its own.
  if (bins === 1 && edges[0] === edges[1]) {
    edges[0] = edges[0]! * 0.95;
    edges[1] = edges[1]! * 1.05 + 1e-9;
  }
  return chart({
    label: `Histogram of ${name}`,
    x: edges.map((edge) => edge / unit.size),
    lines: [{label: 'count', values: [...histogram.count, 0], colour: 'series-1', fill: true, stepped: true}],
    xUnit: unit.name,
    yUnit: 'count',
    xLog: histogram.logarithmic,
    yFromZero: true,
    showX: (value) => `from ${figure(value)} ${unit.name}`,
    showY: (value) => Math.round(value).toLocaleString('en-US'),
  });
}

export interface Curve {
  label: string;
  colour: string;
  distribution: Distribution;
}

// The area between the interval's ends of each share.
function band(plot: uPlot, curve: Curve, unit: Unit, toY: (above: number) => number): void {
  const {above, low, high} = curve.distribution;
  const ends: [number, number, number][] = [];
  above.forEach((share, i) => {
    const from = low[i];
    const to = high[i];
    if (from !== null && from !== undefined && to !== null && to !== undefined) {
      ends.push([from / unit.size, to / unit.size, toY(share)]);
    }
  });
  if (ends.length < 2) {
    return;
  }
  const {ctx} = plot;
  const at = (x: number, y: number): [number, number] => [plot.valToPos(x, 'x', true), plot.valToPos(y, 'y', true)];
  ctx.save();
  ctx.beginPath();
  ctx.rect(plot.bbox.left, plot.bbox.top, plot.bbox.width, plot.bbox.height);
  ctx.clip();
  ctx.beginPath();
  ends.forEach(([from, , y]) => ctx.lineTo(...at(from, y)));
  ends.reverse().forEach(([, to, y]) => ctx.lineTo(...at(to, y)));
  ctx.closePath();
  ctx.fillStyle = `${colour(curve.colour)}40`;
  ctx.fill();
  ctx.restore();
}

// The share of spans that took at most so long, with 95% intervals; `tail`
// shows the share that took longer, on a scale of powers of ten.
export function distributionSettings(name: string, curves: Curve[], tail: boolean): ChartSettings {
  const middle = curves[0]!.distribution.value;
  const unit = durationUnit(middle[Math.floor(middle.length / 2)] ?? 1);
  const all = curves.flatMap((curve) => curve.distribution.value);
  const least = Math.min(...all);
  const most = Math.max(...all);
  const toY = (above: number) => tail ? above : 100 * (1 - above);
  // All curves on one list of times.
  const x = [...new Set(all)].sort((p, q) => p - q);
  const lines = curves.map((curve): Line => {
    const at = new Map(curve.distribution.value.map((value, i) => [value, curve.distribution.above[i]!]));
    const {value, above} = curve.distribution;
    let i = 0;
    return {
      label: curve.label,
      colour: curve.colour,
      values: x.map((time): Maybe => {
        const exact = at.get(time);
        if (exact !== undefined) {
          return tail && exact <= 0 ? null : toY(exact);
        }
        // Between two points of its own, on the line through them.
        while (i < value.length && value[i]! < time) {
          ++i;
        }
        if (i === 0 || i >= value.length) {
          return null;
        }
        const part = (time - value[i - 1]!) / (value[i]! - value[i - 1]!);
        const between = above[i - 1]! + part * (above[i]! - above[i - 1]!);
        return tail && between <= 0 ? null : toY(between);
      }),
    };
  });
  return {
    label: tail ? `Share of ${name} that took longer` : `Cumulative distribution of ${name} with 95% intervals`,
    x: x.map((time) => time / unit.size),
    lines,
    xUnit: unit.name,
    yUnit: tail ? 'share that took longer' : '% of all',
    xLog: least > 0 && most > 100 * least,
    yLog: tail,
    ...(tail ? {} : {yMax: 100}),
    showX: (value) => `${figure(value)} ${unit.name}`,
    showY: tail ? (value) => `1 in ${figure(1 / value)}` : (value) => `${Number(value.toPrecision(6))}%`,
    yTick: tail ? (value) => value >= 1 ? '1' : `1/${Math.round(1 / value).toLocaleString('en-US')}` : (value) => String(value),
    draw: (plot) => curves.forEach((curve) => band(plot, curve, unit, toY)),
  };
}
