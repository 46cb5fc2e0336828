// Figures as people read them: three significant digits, unknown is "--".
import type {Estimate, Maybe} from './document';

export const UNKNOWN = '--';

export function figure(value: number): string {
  if (value === 0) {
    return '0';
  }
  const size = Math.abs(value);
  if (size >= 1000) {
    return Math.round(value).toLocaleString('en-US');
  }
  if (size < 0.001) {
    return value.toExponential(1);
  }
  return value.toPrecision(3);
}

export function count(value: Maybe): string {
  return value === null ? UNKNOWN : Math.round(value).toLocaleString('en-US');
}

export interface Unit {
  name: string;
  size: number;
}

const DURATIONS: Unit[] = [{name: 'ns', size: 1}, {name: 'µs', size: 1e3}, {name: 'ms', size: 1e6}, {name: 's', size: 1e9}];
const BYTES: Unit[] = [
  {name: 'B', size: 1}, {name: 'KiB', size: 1024}, {name: 'MiB', size: 1024 ** 2}, {name: 'GiB', size: 1024 ** 3},
  {name: 'TiB', size: 1024 ** 4},
];
const DECIMAL: Unit[] = [{name: '', size: 1}, {name: 'k', size: 1e3}, {name: 'M', size: 1e6}, {name: 'G', size: 1e9}];

function unitFor(units: Unit[], typical: number): Unit {
  let fitting = units[0]!;
  for (const unit of units) {
    if (Math.abs(typical) >= unit.size) {
      fitting = unit;
    }
  }
  return fitting;
}

export const durationUnit = (typicalNs: number) => unitFor(DURATIONS, typicalNs);

export function duration(ns: Maybe): string {
  if (ns === null) {
    return UNKNOWN;
  }
  const unit = durationUnit(ns);
  return `${figure(ns / unit.size)} ${unit.name}`;
}

export const milliseconds = (ms: Maybe) => duration(ms === null ? null : ms * 1e6);
export const seconds = (s: Maybe) => duration(s === null ? null : s * 1e9);

export function scaled(value: Maybe): string {
  if (value === null) {
    return UNKNOWN;
  }
  const unit = unitFor(DECIMAL, value);
  return unit.name === '' ? figure(value) : `${figure(value / unit.size)} ${unit.name}`;
}

export function percent(value: Maybe): string {
  if (value === null) {
    return UNKNOWN;
  }
  return value !== 0 && Math.abs(value) < 0.095 ? `${value.toFixed(2)}%` : `${value.toFixed(1)}%`;
}

// How the values of a series are shown: one unit for its whole axis.
export function seriesUnit(unit: string, largest: number): Unit {
  switch (unit) {
    case 'bytes':
      return unitFor(BYTES, largest);
    case 'bytes_per_s': {
      const bytes = unitFor(BYTES, largest);
      return {name: `${bytes.name}/s`, size: bytes.size};
    }
    case 'percent':
      return {name: '%', size: 1};
    case 'celsius':
      return {name: '°C', size: 1};
    case 'watt':
      return {name: 'W', size: 1};
    case 'ns':
      return durationUnit(largest);
    default:
      return {name: unit, size: 1};
  }
}

// "1.20 – 1.34 ms", or why there is none.
export function interval(estimate: Estimate | null): string {
  if (!estimate || estimate.low === null || estimate.high === null) {
    return 'insufficient samples';
  }
  const unit = durationUnit(estimate.high * 1e6);
  return `${figure(estimate.low * 1e6 / unit.size)} – ${figure(estimate.high * 1e6 / unit.size)} ${unit.name}`;
}

// "1 frame", "2 frames".
export const counted = (number: number, noun: string) => `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
