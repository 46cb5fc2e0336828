// The document that a page shows, as src/report/page_data.h writes it.
// docs/formats/page.md describes it. Unknown is null.

export type Maybe = number | null;

export interface Words {
  command: string;
  outcome: string;
  tone: 'good' | 'bad' | 'warning' | 'plain';
  started: string;
  machine: string;
  conditions: string;
}

export interface Fact {
  name: string;
  pieces: string[];
}

export interface Estimate {
  value: Maybe;
  low: Maybe;
  high: Maybe;
}

export interface Summary {
  count: number;
  mean_ms: Maybe;
  min_ms: Maybe;
  max_ms: Maybe;
  stddev_ms: Maybe;
  jitter_ms: Maybe;
  p50_ms: Estimate | null;
  p90_ms: Estimate | null;
  p95_ms: Estimate | null;
  p99_ms: Estimate | null;
  p999_ms: Estimate | null;
  n_effective: Maybe;
  from_sketch: boolean;
}

export interface SpanFigures extends Summary {
  name: string;
  dropped: number;
  warmup_excluded: number;
  summarised: number;
  rate_per_s: Maybe;
  cpu_count: number;
  cpu_mean_ms: Maybe;
  cpu_total_ms: Maybe;
  jobs: {deadline_misses: number; max_lateness_ms: Maybe; response: Summary} | null;
}

// Arrays of one length; times in ns unless the name has another unit.
export interface Distribution {
  above: number[];
  value: number[];
  low: Maybe[];
  high: Maybe[];
}

export interface SpanCharts {
  histogram: {logarithmic: boolean; low: number[]; high: number[]; count: number[]};
  distribution: Distribution;
  over_time: {t_s: number[]; count: number[]; min: number[]; median: number[]; p99: number[]; max: number[]};
}

export interface SeriesFigures {
  name: string;
  source: 'app' | 'system';
  unit: string;
  count: number;
  dropped: number;
  min: Maybe;
  mean: Maybe;
  max: Maybe;
  last: Maybe;
}

export interface SeriesChart {
  t_s: number[];
  value: Maybe[];
}

export type Interval = [number, number];

export interface FunctionUse {
  name: string;
  kind: string;
  module: string;
  file: string;
  line: number;
  // Percent of all samples, with 95% intervals.
  self: number;
  self_interval: Interval | null;
  total: number;
  total_interval: Interval | null;
}

export interface RunFigures {
  id: string;
  label: string;
  note: string;
  kind: string;
  edgewise_version: string;
  wall_s: Maybe;
  conditions: Record<string, unknown>;
  machine: Record<string, unknown>;
  threads: {pid: number; tid: number; name: string; cpu_s: number; run_queue_wait_s: Maybe; affinity: string}[];
  counters: {name: string; value: Maybe; running_share: number}[];
  output_tail: string;
  output_bytes: number;
  spans: SpanFigures[];
  series: SeriesFigures[];
  warnings: string[];
}

// Functions and a tree of them; `strings` holds every text once.
export interface FlameFunctions {
  name: number[];
  kind: number[];
  module?: number[];
  file?: number[];
  line?: number[];
  inlined?: number[];
}

export interface Stacks {
  unit: string;
  event: string;
  rate_hz: Maybe;
  total: number;
  left_out: number;
  notes: string[];
  functions: FlameFunctions;
  strings: string[];
  parent: number[];
  function: number[];
  threads: {pid: number; tid: number; process: string; thread: string}[];
  count_node: number[];
  count_thread: number[];
  count_self: number[];
  count_left_out: number[];
}

export interface DiffStacks {
  total_a: number;
  total_b: number;
  functions: FlameFunctions;
  strings: string[];
  parent: number[];
  function: number[];
  left_out: number;
  count_a: number[];  // at a node and below it
  count_b: number[];
}

export interface RunPage {
  schema: number;
  kind: 'run';
  words: Words;
  facts: Fact[];
  unavailable: string[];
  run: RunFigures;
  span_charts: (SpanCharts | null)[];
  series_charts: SeriesChart[];
  functions: FunctionUse[];
  off_cpu_percent: Maybe;
  stacks: Stacks | null;
}

export interface Ratio {
  ratio: Maybe;
  low: Maybe;
  high: Maybe;
  verdict: string;
  method: string;
  reason: string;
}

export interface FunctionChange {
  name: string;
  kind: string;
  module: string;
  file: string;
  line: number;
  // Percent of each side's samples; `points` is b - a.
  a: number;
  b: number;
  points: number;
  interval: Interval | null;
  // CPU seconds of one Run, where the rate of sampling is known; the verdict
  // then is about these.
  a_s: Maybe;
  b_s: Maybe;
  time_interval: Interval | null;
  verdict: string;
  total_a: number;
  total_b: number;
}

export interface ComparePage {
  schema: number;
  kind: 'compare';
  a: Words | null;
  b: Words | null;
  comparison: {
    a: {runs: string[]; label: string; command: string[]};
    b: {runs: string[]; label: string; command: string[]};
    interleaved: boolean;
    totals: (Ratio & {name: string; unit: string; a: Maybe; b: Maybe})[];
    spans: {name: string; a: SpanFigures; b: SpanFigures; mean: Ratio; median: Ratio; p99: Ratio}[];
    only_in_a: string[];
    only_in_b: string[];
    warnings: string[];
  };
  span_charts: ({a: Distribution; b: Distribution} | null)[];
  functions: FunctionChange[];
  stacks: DiffStacks | null;
}

export type PageDocument = RunPage | ComparePage;

// The one place that knows where a document comes from: here, the page itself.
export async function loadDocument(): Promise<PageDocument> {
  const text = document.getElementById('document')?.textContent ?? '';
  const page = JSON.parse(text) as PageDocument;
  if (page.schema !== 1) {
    throw new Error(`This page shows documents of schema 1, not ${page.schema}.`);
  }
  return page;
}
