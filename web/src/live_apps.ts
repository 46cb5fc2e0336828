// What the agent answers at /api/v1/apps, as far as the page shows it.

export interface Figure {
  value: number;
  low: number | null;
  high: number | null;
  sufficient: boolean;
}

export interface WindowFigures {
  count: number;
  rate_per_s: number | null;
  p50: Figure | null;
  p95: Figure | null;
  p99: Figure | null;
}

export interface Metric {
  name: string;
  kind: 'span' | 'gauge' | 'counter' | 'rate' | 'job';
  unit: string;
  last: number;
  age_s: number;
  deadline_misses?: number;
  windows: {'2s': WindowFigures; '1m': WindowFigures; '5m': WindowFigures};
}

export interface App {
  id: number;
  app: string;
  instance: string;
  container: string;
  pod: string;
  pid: number;
  alive: boolean;
  restarts: number;
  gaps: number;
  last_gap_s: number | null;
  records_dropped: number;
  system: {cpu_percent: number | null; rss_bytes: number; working_set_bytes: number | null; threads: number} | null;
  anomalies: {kind: string; evidence: string}[];
  control: {
    goal: string;
    quota_cores: number | null;
    wanted_cores: number | null;
    miss_ratio: number | null;
    gives_way: boolean;
    memory_limit_bytes: number | null;
    knobs: Record<string, number>;
  } | null;
  metrics: Metric[];
}

// The last values of each metric, by the app's id.
export interface Recent {
  apps: Record<string, {kind: string; name: string; values: number[]}[]>;
}

export interface Decision {
  utc: string;
  kind: string;
  app: string;
  what: string;
  why: string;
  carried_out: boolean;
}

export interface Control {
  observe: boolean;
  capacity_cores: number;
  wanted_cores: number;
  left_cores: number;
  changes: number;
  decisions: Decision[];
}

export interface Snapshot {
  utc: string;
  node: {
    name: string;
    cores: number;
    cpu_percent: number | null;
    memory_total_bytes?: number;
    memory_available_bytes?: number;
    temperatures_celsius: Record<string, number>;
    power_watts: number | null;
    gpus: {
      index: number;
      name: string;
      busy_percent: number | null;
      memory_total_bytes: number | null;
      memory_used_bytes: number | null;
      power_watts: number | null;
      celsius: number | null;
      throttled_by: string[];
    }[];
  };
  agent: {version: string; rss_bytes: number; cpu_s: number; uptime_s: number; refused_clients: number};
  control: Control | null;
  apps: App[];
}

// The last values of one figure, for a line; null where it was unknown.
export class History {
  private readonly kept = new Map<string, (number | null)[]>();

  constructor(private readonly most: number) {}

  add(key: string, value: number | null): (number | null)[] {
    const values = this.kept.get(key) ?? [];
    values.push(value);
    if (values.length > this.most) {
      values.shift();
    }
    this.kept.set(key, values);
    return values;
  }

  // What the agent remembered before this page was opened.
  begin(key: string, values: number[]): void {
    this.kept.set(key, values.slice(-this.most));
  }

  // Forgets what no app of these ids has.
  keepOnly(ids: Set<string>): void {
    for (const key of this.kept.keys()) {
      if (!ids.has(key.slice(0, key.indexOf('|')))) {
        this.kept.delete(key);
      }
    }
  }
}
