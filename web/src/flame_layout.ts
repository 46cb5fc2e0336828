// Where every frame of a flame graph lies, before anything is drawn.
//
// Positions are in samples: a frame begins at `start` and is as wide as
// `total`. Zooming is a change of scale only, so that all is laid out once.
import type {DiffStacks, FlameFunctions, Stacks} from './document';

export const KINDS = ['native', 'kernel', 'python', 'jit', 'mark'] as const;
export type Kind = (typeof KINDS)[number];

export const ROOT = -1;

export interface FlameFrame {
  name: string;
  module: string;
  file: string;
  line: number;
  kind: Kind;
  inlined: boolean;
}

export interface Change {
  // Shares of all samples of a side, 0 to 1.
  a: Float64Array;
  b: Float64Array;
}

export interface FlameModel {
  size: number;
  parent: Int32Array;
  depth: Int32Array;
  start: Float64Array;
  total: Float64Array;
  self: Float64Array;
  // Nodes of each depth from left to right.
  rows: Int32Array[];
  width: number;  // of the whole graph, in samples
  unit: string;
  change: Change | null;
  kinds: Set<Kind>;  // that occur
  frame(node: number): FlameFrame;
}

function frameReader(functions: FlameFunctions, strings: string[], ids: ArrayLike<number>) {
  const frames = functions.name.map((name, i): FlameFrame => ({
    name: strings[name] ?? '',
    module: strings[functions.module?.[i] ?? 0] ?? '',
    file: strings[functions.file?.[i] ?? 0] ?? '',
    line: functions.line?.[i] ?? 0,
    kind: KINDS[functions.kind[i] ?? 0] ?? 'native',
    inlined: functions.inlined?.[i] === 1,
  }));
  return {kinds: new Set(frames.map((each) => each.kind)), frame: (node: number) => frames[ids[node]!]!};
}

// Parents lie before their children.
function addUp(parent: ArrayLike<number>, own: Float64Array): Float64Array {
  const total = own.slice();
  for (let i = total.length - 1; i >= 0; --i) {
    if (parent[i]! >= 0) {
      total[parent[i]!]! += total[i]!;
    }
  }
  return total;
}

function layOut(parent: Int32Array, total: Float64Array, width: number) {
  const size = parent.length;
  const depth = new Int32Array(size);
  const start = new Float64Array(size);
  const children: number[][] = Array.from({length: size}, () => []);
  const outermost: number[] = [];
  let deepest = -1;
  for (let i = 0; i < size; ++i) {
    if (total[i]! <= 0) {
      continue;
    }
    const above = parent[i]!;
    depth[i] = above < 0 ? 0 : depth[above]! + 1;
    deepest = Math.max(deepest, depth[i]!);
    (above < 0 ? outermost : children[above]!).push(i);
  }
  const rows: number[][] = Array.from({length: deepest + 1}, () => []);
  // The widest first: where most time goes is where reading starts.
  const place = (siblings: number[], from: number) => {
    siblings.sort((p, q) => total[q]! - total[p]! || p - q);
    for (const node of siblings) {
      start[node] = from;
      from += total[node]!;
    }
  };
  place(outermost, 0);
  let level = outermost;
  while (level.length > 0) {
    const next: number[] = [];
    for (const node of level) {
      rows[depth[node]!]!.push(node);
      const below = children[node]!;
      place(below, start[node]!);
      for (const child of below) {
        next.push(child);
      }
    }
    level = next;
  }
  return {depth, start, rows: rows.map((row) => Int32Array.from(row)), width};
}

// Of one thread, or of all (null).
export function runModel(stacks: Stacks, thread: number | null): FlameModel {
  const size = stacks.parent.length;
  const self = new Float64Array(size);
  const own = new Float64Array(size);
  let width = 0;
  stacks.count_node.forEach((node, i) => {
    if (thread !== null && stacks.count_thread[i] !== thread) {
      return;
    }
    const here = stacks.count_self[i]!;
    const all = here + stacks.count_left_out[i]!;
    width += all;
    if (node >= 0) {
      self[node]! += here;
      own[node]! += all;
    }
  });
  const parent = Int32Array.from(stacks.parent);
  const total = addUp(parent, own);
  return {
    size, parent, total, self, unit: stacks.unit, change: null,
    ...layOut(parent, total, width),
    ...frameReader(stacks.functions, stacks.strings, stacks.function),
  };
}

// Of two Runs: a frame is as wide as the mean of its shares, so that what went
// away is still there to be seen.
export function diffModel(stacks: DiffStacks): FlameModel {
  const parent = Int32Array.from(stacks.parent);
  const share = (counts: number[], all: number) => Float64Array.from(counts, (each) => all > 0 ? each / all : 0);
  const a = share(stacks.count_a, stacks.total_a);
  const b = share(stacks.count_b, stacks.total_b);
  const total = a.map((each, i) => (each + b[i]!) / 2);
  return {
    size: parent.length, parent, total, self: new Float64Array(parent.length), unit: '', change: {a, b},
    ...layOut(parent, total, 1),
    ...frameReader(stacks.functions, stacks.strings, stacks.function),
  };
}

// The node of a row that covers a place; nullopt is -1.
export function nodeAt(model: FlameModel, row: number, place: number): number {
  const nodes = model.rows[row];
  if (!nodes) {
    return ROOT;
  }
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (model.start[nodes[middle]!]! <= place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const node = nodes[low - 1];
  return node !== undefined && place < model.start[node]! + model.total[node]! ? node : ROOT;
}

export interface Matches {
  nodes: Uint8Array;
  count: number;
  // Of all samples, those whose stack has a match; 0 to 1.
  share: number;
}

export function search(model: FlameModel, wanted: (frame: FlameFrame) => boolean): Matches {
  const verdicts = new Map<FlameFrame, boolean>();
  const nodes = new Uint8Array(model.size);
  const below = new Uint8Array(model.size);
  let count = 0;
  let covered = 0;
  for (let i = 0; i < model.size; ++i) {
    if (model.total[i]! <= 0) {
      continue;
    }
    const frame = model.frame(i);
    let verdict = verdicts.get(frame);
    if (verdict === undefined) {
      verdict = wanted(frame);
      verdicts.set(frame, verdict);
    }
    const above = model.parent[i]!;
    const inside = above >= 0 && below[above] === 1;
    if (verdict) {
      nodes[i] = 1;
      ++count;
      if (!inside) {
        covered += model.total[i]!;
      }
    }
    below[i] = verdict || inside ? 1 : 0;
  }
  return {nodes, count, share: model.width > 0 ? covered / model.width : 0};
}
