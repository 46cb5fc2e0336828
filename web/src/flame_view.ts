// The flame graph with its search, zoom, tooltip and keys.
import {element} from './dom';
import {changeColour, drawFlame, hit, legendColour, ROW} from './flame_canvas';
import type {FlameState} from './flame_canvas';
import type {FlameModel} from './flame_layout';
import {KINDS, ROOT, search} from './flame_layout';
import {counted, percent} from './format';
import {whenSeen} from './charts';
import {onTheme} from './theme';

const MOST_HEIGHT = 560;
const KIND_NAMES: Record<string, string> =
    {native: 'native', kernel: 'kernel', python: 'Python', jit: 'compiled at run time', mark: 'no code'};

export interface FlameView {
  node: HTMLElement;
  show(model: FlameModel): void;
  // Highlights what a regular expression finds; empty: nothing.
  find(pattern: string): void;
}

export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

// What the search box means: a regular expression, or plain text if it is none.
function matcher(pattern: string): {test: (name: string) => boolean; isPlain: boolean} {
  try {
    const expression = new RegExp(pattern, 'i');
    return {test: (name) => expression.test(name), isPlain: false};
  } catch {
    const lower = pattern.toLowerCase();
    return {test: (name) => name.toLowerCase().includes(lower), isPlain: true};
  }
}

function describe(model: FlameModel, node: number): string[] {
  const share = (value: number) => percent(100 * value / (model.width || 1));
  if (node === ROOT) {
    return ['all', model.change ? 'both Runs' : counted(model.width, model.unit.replace(/s$/, ''))];
  }
  const frame = model.frame(node);
  const lines = [frame.name];
  if (model.change) {
    const a = model.change.a[node]!;
    const b = model.change.b[node]!;
    const change = 100 * (b - a);
    lines.push(`A ${percent(100 * a)} → B ${percent(100 * b)} of samples (${change >= 0 ? '+' : '−'}${Math.abs(change).toFixed(1)} points)`);
  } else {
    lines.push(`total ${share(model.total[node]!)} · self ${share(model.self[node]!)} · ${
        counted(model.total[node]!, model.unit.replace(/s$/, ''))}`);
  }
  const place = frame.file ? `${frame.file}${frame.line > 0 ? `:${frame.line}` : ''}` : '';
  lines.push([KIND_NAMES[frame.kind], frame.inlined ? 'inlined' : '', place, frame.module].filter(Boolean).join(' · '));
  return lines;
}

function legend(model: FlameModel): HTMLElement {
  const entry = (fill: string, text: string) => {
    const swatch = element('span', {class: 'swatch', 'aria-hidden': 'true'});
    swatch.style.background = fill;
    return element('li', {}, swatch, text);
  };
  const entries = model.change ?
      [entry(changeColour(-1), 'less in B'), entry(changeColour(0), 'no change'), entry(changeColour(1), 'more in B')] :
      KINDS.filter((kind) => model.kinds.has(kind)).map((kind) => entry(legendColour(kind), KIND_NAMES[kind]!));
  return element('ul', {class: 'legend', 'aria-label': 'Colours'}, ...entries);
}

export function flameView(first: FlameModel, extra: HTMLElement[]): FlameView {
  let state: FlameState = {model: first, focus: ROOT, selected: ROOT, matches: null};
  const canvas = element('canvas', {
    tabindex: 0, role: 'application', 'aria-roledescription': 'flame graph', 'aria-label': 'Flame graph: arrow keys move, Enter zooms, Escape zooms out',
    'aria-describedby': 'flame-status',
  });
  const spacer = element('div', {class: 'flame-spacer'}, canvas);
  const scroller = element('div', {class: 'flame-scroller'}, spacer);
  const tip = element('div', {class: 'tip', role: 'tooltip', hidden: true});
  const status = element('p', {class: 'flame-status', id: 'flame-status', role: 'status'});
  const detail = element('p', {class: 'flame-detail', 'aria-live': 'polite'});
  const box = element('input', {type: 'search', id: 'flame-search', placeholder: 'Search functions (regular expression)', 'aria-label': 'Search functions by regular expression',
                                spellcheck: 'false', autocomplete: 'off'});
  const reset = element('button', {type: 'button', id: 'flame-reset', disabled: true}, 'Reset zoom');
  const legendPlace = element('div', {}, legend(first));
  const node = element('div', {class: 'flame card'}, element('div', {class: 'flame-bar'}, box, reset, ...extra, legendPlace),
                       scroller, detail, status, tip);

  const height = () => (state.model.rows.length + 1) * ROW;
  let frame = 0;
  const paint = () => {
    frame = 0;
    const wide = scroller.clientWidth;
    if (wide === 0) {
      return;
    }
    const seen = Math.min(height(), MOST_HEIGHT);
    scroller.style.height = `${seen}px`;
    spacer.style.height = `${height()}px`;
    drawFlame(canvas, state, spacer.clientWidth, seen, scroller.scrollTop);
    node.dataset['drawn'] = 'true';
  };
  let isSeen = false;
  const redraw = () => {
    if (isSeen && frame === 0) {
      frame = requestAnimationFrame(paint);
    }
  };

  const say = () => {
    const {model, matches, focus} = state;
    const parts = [];
    if (matches) {
      parts.push(matches.count === 0 ? 'Nothing found' :
                                       `${counted(matches.count, 'frame')} found, in ${percent(100 * matches.share)} of samples`);
    }
    if (focus !== ROOT) {
      parts.push(`zoomed to ${model.frame(focus).name}`);
    }
    status.textContent = parts.join(' · ');
    node.dataset['matches'] = matches ? String(matches.count) : '';
    node.dataset['focus'] = focus === ROOT ? '' : model.frame(focus).name;
    detail.textContent = state.selected === ROOT ? '' : describe(model, state.selected).join(' — ');
    reset.disabled = focus === ROOT;
  };

  const zoom = (to: number) => {
    state.focus = to;
    state.selected = to;
    say();
    redraw();
  };
  const select = (to: number) => {
    state.selected = to;
    const top = to === ROOT ? 0 : (state.model.depth[to]! + 1) * ROW;
    if (top < scroller.scrollTop) {
      scroller.scrollTop = top;
    } else if (top + ROW > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = top + ROW - scroller.clientHeight;
    }
    say();
    redraw();
  };
  const find = (pattern: string) => {
    const wanted = matcher(pattern);
    state.matches = pattern === '' ? null : search(state.model, (each) => wanted.test(each.name));
    say();
    if (wanted.isPlain) {
      status.textContent += ' (taken as plain text: this is no regular expression)';
    }
    redraw();
  };

  const pointed = (event: MouseEvent): number | null => {
    const place = canvas.getBoundingClientRect();
    return hit(state, event.clientX - place.left, event.clientY - place.top + scroller.scrollTop, place.width);
  };
  canvas.addEventListener('mousemove', (event) => {
    const over = pointed(event);
    tip.hidden = over === null;
    canvas.style.cursor = over === null ? 'default' : 'pointer';
    if (over === null) {
      return;
    }
    tip.replaceChildren(...describe(state.model, over).map((line, i) => element(i === 0 ? 'strong' : 'span', {}, line)));
    const wide = tip.offsetWidth;
    tip.style.left = `${Math.max(8, Math.min(event.clientX + 12, window.innerWidth - wide - 8))}px`;
    const below = event.clientY + 18;
    tip.style.top = `${below + tip.offsetHeight > window.innerHeight ? event.clientY - tip.offsetHeight - 10 : below}px`;
  });
  canvas.addEventListener('mouseleave', () => {
    tip.hidden = true;
  });
  canvas.addEventListener('click', (event) => {
    const over = pointed(event);
    if (over !== null) {
      zoom(over);
    }
  });
  scroller.addEventListener('scroll', redraw);

  const beside = (step: number) => {
    const {model, selected} = state;
    if (selected === ROOT) {
      return;
    }
    const row = model.rows[model.depth[selected]!]!;
    const next = row[row.indexOf(selected) + step];
    if (next !== undefined) {
      select(next);
    }
  };
  const widestBelow = () => {
    const {model, selected} = state;
    const row = model.rows[selected === ROOT ? 0 : model.depth[selected]! + 1] ?? new Int32Array();
    const child = row.find((each) => model.parent[each] === selected || (selected === ROOT && model.parent[each]! < 0));
    if (child !== undefined) {
      select(child);
    }
  };
  canvas.addEventListener('keydown', (event) => {
    const {model, selected, focus} = state;
    const act: Record<string, () => void> = {
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
      ArrowDown: widestBelow,
      ArrowUp: () => select(selected === ROOT ? ROOT : Math.max(model.parent[selected]!, ROOT)),
      Enter: () => zoom(selected),
      Escape: () => zoom(focus === ROOT ? ROOT : Math.max(model.parent[focus]!, ROOT)),
      Home: () => zoom(ROOT),
      '/': () => box.focus(),
    };
    const action = act[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
  canvas.addEventListener('focus', redraw);
  canvas.addEventListener('blur', redraw);
  box.addEventListener('input', () => find(box.value));
  reset.addEventListener('click', () => zoom(ROOT));
  onTheme(() => {
    legendPlace.replaceChildren(legend(state.model));
    redraw();
  });
  whenSeen(node, () => {
    isSeen = true;
    new ResizeObserver(redraw).observe(scroller);
    paint();
  });
  say();

  return {
    node,
    show(model) {
      state = {model, focus: ROOT, selected: ROOT, matches: null};
      find(box.value);
    },
    find(pattern) {
      box.value = pattern;
      find(pattern);
    },
  };
}
