// Elements without markup: every text becomes a text node, so that no name of a
// program, thread or function can be anything but text.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | null | undefined>;

export function element<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') {
      made.addEventListener(name, value as unknown as EventListener);
    } else if (value === true) {
      made.setAttribute(name, '');
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, String(value));
    }
  }
  append(made, ...children);
  return made;
}

export function append(parent: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
    }
  }
}

export interface Section {
  id: string;
  title: string;
  body: Child[];
}

export function section({id, title, body}: Section): HTMLElement {
  return element('section', {id, 'aria-labelledby': `${id}-title`},
                 element('h2', {id: `${id}-title`}, title), ...body);
}

// A sentence in place of a chart or table that has no data.
export const absent = (sentence: string) => element('p', {class: 'absent'}, sentence);

export interface Cell {
  text: string;
  class?: string;
  title?: string;
  node?: Node;
}

// A table that scrolls by itself where it is wider than the screen.
export function table(caption: string, heads: Cell[], rows: Cell[][], look = ''): HTMLElement {
  const cell = (tag: 'td' | 'th', from: Cell, attributes: Attributes = {}) =>
      element(tag, {class: from.class, title: from.title, ...attributes}, from.node ?? from.text);
  return element(
      'div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption},
      element(
          'table', {class: look || null},
          element('caption', {class: 'unseen'}, caption),
          element('thead', {}, element('tr', {}, ...heads.map((head) => cell('th', head, {scope: 'col'})))),
          element('tbody', {}, ...rows.map((row) => element(
              'tr', {}, ...row.map((each, i) => i === 0 ? cell('th', each, {scope: 'row'}) : cell('td', each)))))));
}
