// Light or dark: as the system has it until the reader chooses.
import {element} from './dom';

export type Theme = 'light' | 'dark';

const listeners: (() => void)[] = [];
const system = window.matchMedia('(prefers-color-scheme: dark)');
let chosen: Theme | null = null;
let printing = false;

export function theme(): Theme {
  if (printing) {
    return 'light';
  }
  return chosen ?? (system.matches ? 'dark' : 'light');
}

// Calls back whenever what is drawn by hand must be drawn anew.
export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

function apply(): void {
  document.documentElement.dataset['theme'] = theme();
  for (const listener of listeners) {
    listener();
  }
}

export function startTheme(): void {
  system.addEventListener('change', apply);
  // Paper is white, and a closed section cannot be opened on it.
  window.addEventListener('beforeprint', () => {
    printing = true;
    for (const details of document.querySelectorAll('details')) {
      details.open = true;
    }
    apply();
  });
  window.addEventListener('afterprint', () => {
    printing = false;
    apply();
  });
  apply();
}

export function themeButton(): HTMLElement {
  const button = element('button', {type: 'button', class: 'quiet', id: 'theme'});
  const label = () => {
    const other = theme() === 'dark' ? 'light' : 'dark';
    button.textContent = other === 'dark' ? '☾ Dark' : '☀ Light';
    button.setAttribute('aria-label', `Switch to ${other} colours`);
  };
  button.addEventListener('click', () => {
    chosen = theme() === 'dark' ? 'light' : 'dark';
    apply();
  });
  onTheme(label);
  label();
  return button;
}

// A colour of the style sheet, for canvases.
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
