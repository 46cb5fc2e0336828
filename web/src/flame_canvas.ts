// Draws a flame graph on a canvas: callers above, callees below, only what is
// in sight and wide enough to be seen.
import type {FlameFrame, FlameModel, Matches} from './flame_layout';
import {nodeAt, ROOT} from './flame_layout';
import {colour, theme} from './theme';

export const ROW = 20;
const NARROWEST = 0.4;    // pixels; less is not drawn
const ROOM_FOR_TEXT = 30;  // pixels

export interface FlameState {
  model: FlameModel;
  focus: number;     // zoomed to, or ROOT
  selected: number;  // by pointer or keyboard, or ROOT
  matches: Matches | null;
}

function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; ++i) {
    value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  }
  return (value >>> 0) / 4294967296;
}

// Hue and saturation of each kind; the lightness varies by name, so that
// neighbours part.
const HUES: Record<string, [number, number]> =
    {native: [34, 80], kernel: [350, 62], python: [212, 68], jit: [150, 48], mark: [0, 0]};
const fills = new Map<string, string>();

export function fillOf(frame: FlameFrame): string {
  const key = `${theme()}${frame.kind}${frame.name}`;
  let fill = fills.get(key);
  if (fill === undefined) {
    const [hue, saturation] = HUES[frame.kind]!;
    const light = (theme() === 'dark' ? 62 : 68) + 12 * hash(frame.name);
    fill = `hsl(${hue + 10 * (hash(`${frame.name}~`) - 0.5)} ${saturation}% ${light}%)`;
    fills.set(key, fill);
  }
  return fill;
}

export const legendColour = (kind: string) => `hsl(${HUES[kind]![0]} ${HUES[kind]![1]}% 70%)`;

// -1: gone in B; 1: only in B.
export function changeOf(model: FlameModel, node: number): number {
  const {a, b} = model.change!;
  const most = Math.max(a[node]!, b[node]!);
  return most > 0 ? (b[node]! - a[node]!) / most : 0;
}

// Red is more, blue is less, white (or grey, where it is dark) is the same.
export function changeColour(change: number): string {
  const strength = Math.min(1, Math.abs(change) * 1.6);
  const base = theme() === 'dark' ? [0, 0, 66] : [0, 0, 90];
  return change > 0 ? `hsl(8 ${strength * 85}% ${base[2]! + (64 - base[2]!) * strength}%)` :
                      `hsl(212 ${strength * 80}% ${base[2]! + (64 - base[2]!) * strength}%)`;
}

// The scale of a zoom: where it begins, in samples, and pixels per sample.
export function scaleOf(state: FlameState, width: number): {from: number; scale: number} {
  const {model, focus} = state;
  const span = focus === ROOT ? model.width : model.total[focus]!;
  return {from: focus === ROOT ? 0 : model.start[focus]!, scale: span > 0 ? width / span : 0};
}

function fitted(context: CanvasRenderingContext2D, text: string, room: number): string {
  // Letters of this font are about 6 pixels wide: try near there.
  const most = Math.floor(room / 5.2);
  let shown = text.length > most ? text.slice(0, most) : text;
  if (shown === text && context.measureText(text).width <= room) {
    return text;
  }
  while (shown.length > 1 && context.measureText(`${shown}…`).width > room) {
    shown = shown.slice(0, -1);
  }
  return shown.length > 1 ? `${shown}…` : '';
}

// Draws rows from `scrolled` pixels on. Row 0 is the bar of the whole graph.
export function drawFlame(canvas: HTMLCanvasElement, state: FlameState, width: number, height: number, scrolled: number): void {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d');
  if (!context) {
    return;
  }
  context.scale(ratio, ratio);
  context.clearRect(0, 0, width, height);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  const {model, matches} = state;
  const {from, scale} = scaleOf(state, width);
  const ink = '#1a1d21';
  const dimmed = theme() === 'dark' ? '#3a4048' : '#e3e6ea';
  const dimmedInk = colour('faint');
  const found = theme() === 'dark' ? '#ff7ad9' : '#e64cb8';
  const ancestors = new Set<number>();
  for (let node = state.focus; node >= 0; node = model.parent[node]!) {
    ancestors.add(node);
  }

  const box = (x: number, y: number, wide: number, fill: string, text: string, textColour: string, isSelected: boolean) => {
    const left = Math.max(x, 0);
    const right = Math.min(x + wide, width);
    context.fillStyle = fill;
    context.fillRect(left, y, Math.max(right - left - (right - left > 3 ? 1 : 0), 0.4), ROW - 1);
    if (isSelected) {
      context.strokeStyle = colour('text');
      context.lineWidth = 2;
      context.strokeRect(left + 1, y + 1, Math.max(right - left - 3, 1), ROW - 3);
    }
    if (right - left > ROOM_FOR_TEXT) {
      context.fillStyle = textColour;
      context.fillText(fitted(context, text, right - left - 9), left + 4, y + ROW / 2);
    }
  };

  if (scrolled < ROW) {
    box(0, -scrolled, width, dimmed, 'all', colour('text'), state.selected === ROOT && document.activeElement === canvas);
  }
  const first = Math.max(0, Math.floor(scrolled / ROW) - 1);
  const last = Math.min(model.rows.length - 1, Math.ceil((scrolled + height) / ROW) - 1);
  for (let row = first; row <= last; ++row) {
    const y = (row + 1) * ROW - scrolled;
    for (const node of model.rows[row]!) {
      const x = (model.start[node]! - from) * scale;
      const wide = model.total[node]! * scale;
      if (x > width) {
        break;
      }
      if (wide < NARROWEST || x + wide < 0) {
        continue;
      }
      const frame = model.frame(node);
      const above = ancestors.has(node) && node !== state.focus;
      const plain = model.change ? changeColour(changeOf(model, node)) : fillOf(frame);
      const isMatch = matches !== null && matches.nodes[node] === 1;
      const isDimmed = above || (matches !== null && !isMatch);
      box(x, y, wide, isMatch ? found : isDimmed ? dimmed : plain, frame.name, isDimmed ? dimmedInk : ink, node === state.selected);
    }
  }
}

// The node under a point of the canvas; ROOT for the first row, null for none.
export function hit(state: FlameState, x: number, y: number, width: number): number | null {
  const row = Math.floor(y / ROW);
  if (row <= 0) {
    return ROOT;
  }
  const {from, scale} = scaleOf(state, width);
  const node = scale > 0 ? nodeAt(state.model, row - 1, from + x / scale) : ROOT;
  return node === ROOT ? null : node;
}
