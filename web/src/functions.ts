// Tables of functions, sortable and tied to the flame graph.
import type {FunctionChange, FunctionUse, Interval} from './document';
import {element} from './dom';
import {escapeRegExp} from './flame_view';
import type {FlameView} from './flame_view';
import {counted, percent} from './format';
import {bar} from './series';

const FIRST_ROWS = 25;

interface Column<Row> {
  title: string;
  isNumber: boolean;
  key: (row: Row) => number | string;
  cell: (row: Row) => Node | string;
}

function sortable<Row>(caption: string, rows: Row[], columns: Column<Row>[], firstSort: number): HTMLElement {
  let sorted = firstSort;
  let descending = columns[firstSort]!.isNumber;
  let shown = FIRST_ROWS;
  const body = element('tbody', {});
  const more = element('button', {type: 'button', class: 'quiet'});
  const heads = columns.map((column, i) => element(
      'th', {scope: 'col', class: column.isNumber ? 'number' : null},
      element('button', {
        type: 'button',
        class: 'sort',
        click: () => {
          descending = sorted === i ? !descending : column.isNumber;
          sorted = i;
          fill();
        },
      }, column.title)));
  const fill = () => {
    const {key} = columns[sorted]!;
    const order = [...rows].sort((p, q) => {
      const [x, y] = [key(p), key(q)];
      const ascending = typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y);
      return descending ? -ascending : ascending;
    });
    heads.forEach((head, i) => head.setAttribute('aria-sort', i !== sorted ? 'none' : descending ? 'descending' : 'ascending'));
    body.replaceChildren(...order.slice(0, shown).map((row) => element(
        'tr', {}, ...columns.map((column, i) => element(i === 0 ? 'th' : 'td', {class: column.isNumber ? 'number' : 'name', ...(i === 0 ? {scope: 'row'} : {})}, column.cell(row))))));
    more.hidden = shown >= rows.length;
    more.textContent = `Show all ${counted(rows.length, 'function')}`;
  };
  more.addEventListener('click', () => {
    shown = rows.length;
    fill();
  });
  fill();
  return element('div', {},
                 element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
                         element('table', {class: 'functions'}, element('caption', {class: 'unseen'}, caption),
                                 element('thead', {}, element('tr', {}, ...heads)), body)),
                 more);
}

function nameCell(name: string, kind: string | undefined, place: string, flame: FlameView | null): Node {
  const find = () => {
    flame?.find(`^${escapeRegExp(name)}$`);
    flame?.node.scrollIntoView({block: 'nearest', behavior: 'smooth'});
  };
  return element('span', {},
                 flame ? element('button', {type: 'button', class: 'link', title: 'Find it in the flame graph', click: find}, name) : name,
                 kind && kind !== 'native' ? element('span', {class: 'chip'}, kind) : null,
                 place ? element('span', {class: 'place'}, place) : null);
}

function withInterval(value: number, interval: Interval | null): string {
  // As many digits as tell the ends apart.
  const digits = interval && interval[1] - interval[0] < 0.5 ? 2 : 1;
  return percent(value) + (interval ? ` (${interval[0].toFixed(digits)} – ${interval[1].toFixed(digits)})` : '');
}

const base = (path: string) => path.slice(path.lastIndexOf('/') + 1);

// "app.py:12", or the library.
function placeOf(use: {file: string; line: number; module: string}): string {
  return use.file ? `${base(use.file)}${use.line > 0 ? `:${use.line}` : ''}` : base(use.module);
}

export function functionTable(functions: FunctionUse[], flame: FlameView | null): HTMLElement {
  const most = Math.max(...functions.map((each) => each.self), 1e-9);
  return sortable('Functions by CPU time', functions, [
    {
      title: 'function',
      isNumber: false,
      key: (each) => each.name,
      cell: (each) => nameCell(each.name, each.kind, placeOf(each), flame),
    },
    {
      title: 'self (95% interval)',
      isNumber: true,
      key: (each) => each.self,
      cell: (each) => bar(each.self / most, withInterval(each.self, each.self_interval)),
    },
    {
      title: 'with callees',
      isNumber: true,
      key: (each) => each.total,
      cell: (each) => withInterval(each.total, each.total_interval),
    },
  ], 1);
}

export function changeTable(changes: FunctionChange[], flame: FlameView | null): HTMLElement {
  const signed = (value: number, digits: number) => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(digits)}`;
  const interval = (range: Interval | null, digits: number) =>
    range ? ` (${signed(range[0], digits)} … ${signed(range[1], digits)})` : '';
  const timed = changes.some((each) => each.time_interval !== null);
  const seconds = (value: number | null, share: number) => `${(value ?? 0).toFixed(3)} s (${percent(share)})`;
  const verdict = (each: FunctionChange) => timed ? each.verdict : shareVerdict(each.verdict);
  const grown = (each: FunctionChange) => timed ? (each.b_s ?? 0) - (each.a_s ?? 0) : each.points;
  return sortable('Functions that changed', changes, [
    {title: 'function', isNumber: false, key: (each) => each.name, cell: (each) => nameCell(each.name, each.kind, placeOf(each), flame)},
    {title: 'self in A', isNumber: true, key: (each) => each.a_s ?? each.a, cell: (each) => timed ? seconds(each.a_s, each.a) : percent(each.a)},
    {title: 'self in B', isNumber: true, key: (each) => each.b_s ?? each.b, cell: (each) => timed ? seconds(each.b_s, each.b) : percent(each.b)},
    {
      title: timed ? 'change, seconds (95% interval)' : 'change, points (95% interval)',
      isNumber: true,
      key: (each) => Math.abs(grown(each)),
      cell: (each) => timed ? `${signed(grown(each), 3)}${interval(each.time_interval, 3)}` : `${signed(each.points, 1)}${interval(each.interval, 1)}`,
    },
    {title: 'verdict', isNumber: false, key: (each) => each.verdict, cell: (each) => element('span', {class: `verdict ${verdictTone(each.verdict)}`}, verdict(each))},
  ], 3);
}

// Of a share "faster" means less of it.
function shareVerdict(verdict: string): string {
  return verdict === 'slower' ? 'larger share' : verdict === 'faster' ? 'smaller share' : verdict;
}

export function verdictTone(verdict: string): string {
  switch (verdict) {
    case 'faster':
      return 'good';
    case 'slower':
      return 'bad';
    default:
      return 'plain';
  }
}
