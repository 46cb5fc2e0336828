// The agent's live page: asks every two seconds and shows what the apps do.
import {append, element} from './dom';
import {figure, milliseconds, percent, seriesUnit, UNKNOWN} from './format';
import {History, type App, type Figure, type Metric, type Recent, type Snapshot} from './live_apps';
import {controlView, decisionsView} from './live_control';
import {startTheme, themeButton} from './theme';

const EVERY_MS = 2000;
const POINTS = 90;  // three minutes
const history = new History(POINTS);

function bytes(value: number): string {
  const unit = seriesUnit('bytes', value);
  return `${figure(value / unit.size)} ${unit.name}`;
}

function terms(entries: [string, string, string?][], look: string): HTMLElement {
  return element('dl', {class: look}, ...entries.map(([name, value, hint]) => element(
      'div', {title: hint}, element('dt', {}, name), element('dd', {}, value))));
}

// A line through the last values, from 0 to the largest.
function sparkline(values: (number | null)[], label: string): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  picture.setAttribute('class', 'spark');
  picture.setAttribute('viewBox', `0 0 ${POINTS - 1} 100`);
  picture.setAttribute('preserveAspectRatio', 'none');
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', label);
  const largest = Math.max(...values.map((value) => value ?? 0), 1e-9);
  const first = POINTS - values.length;
  const line = document.createElementNS(space, 'polyline');
  line.setAttribute('points', values
      .map((value, i) => value === null ? '' : `${first + i},${(98 - 94 * value / largest).toFixed(1)}`)
      .filter((point) => point !== '').join(' '));
  picture.appendChild(line);
  return picture;
}

// A quantile and its interval, which says how much it may be trusted.
function quantile(name: string, estimate: Figure | null, unit: string): [string, string, string] {
  const text = (value: number) => unit === 'ms' ? milliseconds(value) : figure(value);
  if (!estimate) {
    return [name, UNKNOWN, 'no samples'];
  }
  if (!estimate.sufficient || estimate.low === null || estimate.high === null) {
    return [name, UNKNOWN, 'insufficient samples'];
  }
  return [name, text(estimate.value), `95% interval: ${text(estimate.low)} – ${text(estimate.high)}`];
}

function keyOf(id: number | string, metric: {kind: string; name: string}): string {
  return `${id}|${metric.kind}|${metric.name}`;
}

function metricView(app: App, metric: Metric): HTMLElement {
  const now = metric.windows['2s'];
  const minute = metric.windows['1m'];
  const duration = metric.kind === 'span' || metric.kind === 'job';
  const value = duration ? now.rate_per_s : metric.last;
  const values = history.add(keyOf(app.id, metric), app.alive ? value : null);
  const view = element('div', {class: 'metric'}, element('div', {class: 'name'}, metric.name));
  if (duration) {
    append(view, terms([
      ['per second', now.rate_per_s === null ? UNKNOWN : figure(now.rate_per_s), 'over the last 2 s'],
      quantile('p50, 1 min', minute.p50, metric.unit),
      quantile('p95, 1 min', minute.p95, metric.unit),
      quantile('p99, 1 min', minute.p99, metric.unit),
    ], 'figures'));
    if (metric.deadline_misses) {
      append(view, element('p', {class: 'mark'}, `${metric.deadline_misses} deadlines missed`));
    }
  } else {
    const spread: [string, string, string][] = metric.kind === 'counter' ? [] :
        [quantile('p50, 1 min', minute.p50, metric.unit), quantile('p95, 1 min', minute.p95, metric.unit)];
    append(view, terms([['last', figure(metric.last)], ['age', `${figure(metric.age_s)} s`], ...spread], 'figures'));
  }
  append(view, sparkline(values, `${metric.name}: ${duration ? 'per second' : 'values'} over the last minutes`));
  return view;
}

function appView(app: App): HTMLElement {
  const where = [app.pod, app.container, app.alive ? `process ${app.pid}` : 'gone',
                 app.restarts > 0 ? `${app.restarts} restarts` : '',
                 app.gaps > 0 && app.last_gap_s !== null ? `not collected for ${figure(app.last_gap_s)} s` : ''];
  const system = app.system;
  return element(
      'article', {class: app.alive ? 'app' : 'app gone', 'data-app': app.app},
      element('h3', {}, `${app.app}/${app.instance}`),
      element('p', {class: 'where'}, where.filter((part) => part !== '').join(' · ')),
      terms([
        ['CPU', percent(system?.cpu_percent ?? null), 'of one core'],
        ['memory', system ? bytes(system.rss_bytes) : UNKNOWN, 'resident'],
        ['working set', system && system.working_set_bytes !== null ? bytes(system.working_set_bytes) : UNKNOWN,
         'of its own cgroup'],
        ['threads', system ? String(system.threads) : UNKNOWN],
      ], 'figures'),
      controlView(app, bytes),
      ...app.anomalies.map((mark) => element('p', {class: 'mark'}, `Left its card: ${mark.evidence}`)),
      app.records_dropped > 0 &&
          element('p', {class: 'mark'}, `${app.records_dropped} records were lost: give it larger rings`),
      ...app.metrics.map((metric) => metricView(app, metric)));
}

function nodeView({node, agent, utc}: Snapshot): HTMLElement {
  const temperatures = Object.values(node.temperatures_celsius);
  const total = node.memory_total_bytes;
  const available = node.memory_available_bytes;
  return terms([
    ['CPU', percent(node.cpu_percent), `of ${node.cores} cores`],
    ['memory', total !== undefined && available !== undefined ? `${bytes(total - available)} of ${bytes(total)}` : UNKNOWN],
    ['temperature', temperatures.length > 0 ? `${figure(Math.max(...temperatures))} °C` : UNKNOWN],
    ['power', node.power_watts === null ? UNKNOWN : `${figure(node.power_watts)} W`],
    ...node.gpus.map((gpu): [string, string, string] => [
      node.gpus.length > 1 ? `GPU ${gpu.index}` : 'GPU',
      percent(gpu.busy_percent) + (gpu.memory_used_bytes === null ? '' : `, ${bytes(gpu.memory_used_bytes)}`),
      [gpu.name, gpu.memory_total_bytes === null ? '' : `of ${bytes(gpu.memory_total_bytes)}`,
       gpu.power_watts === null ? '' : `${figure(gpu.power_watts)} W`,
       gpu.celsius === null ? '' : `${figure(gpu.celsius)} °C`,
       gpu.throttled_by.length > 0 ? `held back by ${gpu.throttled_by.join(' and ')}` : '']
          .filter((part) => part !== '').join(', '),
    ]),
    ['agent', `${percent(agent.uptime_s > 0 ? 100 * agent.cpu_s / agent.uptime_s : null)}, ${bytes(agent.rss_bytes)}`,
     `version ${agent.version}; CPU of one core since it started`],
    ['as of', utc.slice(11)],
  ], 'node');
}

const page = document.getElementById('page')!;
const title = element('h1', {}, 'edgewise agent');
const state = element('div', {id: 'state', 'aria-live': 'polite'});
const node = element('div', {id: 'node'});
const apps = element('div', {id: 'apps', class: 'apps'});
const decisions = element('div', {id: 'control'});

function show(snapshot: Snapshot): void {
  title.textContent = snapshot.node.name;
  document.title = `${snapshot.node.name}: edgewise agent`;
  history.keepOnly(new Set(snapshot.apps.map((app) => String(app.id))));
  state.replaceChildren();
  node.replaceChildren(nodeView(snapshot));
  apps.replaceChildren(...snapshot.apps.map(appView));
  decisions.replaceChildren(...(snapshot.control ? [decisionsView(snapshot.control)] : []));
  if (snapshot.apps.length === 0) {
    append(apps, element('p', {class: 'absent'},
                         'No app is connected. Apps with the in-app library find the agent by themselves.'));
  }
}

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(path, {cache: 'no-store'});
  if (!answer.ok) {
    throw new Error(`it answers ${answer.status}`);
  }
  return await answer.json() as T;
}

// Lines begin with what the agent remembers; without it, when the page opened.
async function begin(): Promise<void> {
  try {
    const recent = await ask<Recent>('api/v1/recent');
    for (const [id, metrics] of Object.entries(recent.apps)) {
      for (const metric of metrics) {
        history.begin(keyOf(id, metric), metric.values);
      }
    }
  } catch {
    // Whether the agent can be reached is said by what follows.
  }
  await refresh();
}

async function refresh(): Promise<void> {
  try {
    show(await ask<Snapshot>('api/v1/apps'));
  } catch (error) {
    state.replaceChildren(element('p', {class: 'lost'},
                                  `The agent cannot be reached (${(error as Error).message}); still trying.`));
  }
  setTimeout(() => void refresh(), EVERY_MS);
}

startTheme();
append(page, element('div', {class: 'top'}, element('span', {class: 'brand'}, 'edgewise'), themeButton()), title, state,
       node, apps, decisions);
void begin();
