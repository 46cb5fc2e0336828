// What the controller has decided: of one app, and of the node.
import {element, section, table} from './dom';
import {figure, UNKNOWN} from './format';
import type {App, Control} from './live_apps';

// The goal and what the app may use for it; nothing for apps without either.
export function controlView(app: App, bytes: (value: number) => string): HTMLElement | null {
  const control = app.control;
  if (!control) {
    return null;
  }
  const missed = control.miss_ratio !== null && control.miss_ratio > 1;
  const parts = [
    control.quota_cores === null ? '' : `CPU limit ${figure(control.quota_cores)} cores`,
    control.memory_limit_bytes === null ? '' : `memory limit ${bytes(control.memory_limit_bytes)}`,
    ...Object.entries(control.knobs).map(([name, value]) => `${name} ${figure(value)}`),
    control.gives_way ? 'gives way' : '',
  ].filter((part) => part !== '');
  const state = control.goal === '' ? 'no goal' :
      `goal ${control.goal}: ${control.miss_ratio === null ? UNKNOWN : missed ? 'missed' : 'met'}`;
  return element('p', {class: missed ? 'control missed' : 'control'}, [state, ...parts].join(' · '));
}

export function decisionsView(control: Control): HTMLElement {
  const rows = [...control.decisions].reverse().map((decision) => [
    {text: decision.utc.slice(11, 19)},
    {text: decision.app || 'node'},
    {text: decision.what + (decision.carried_out ? '' : ' (not done)')},
    {text: decision.why},
  ]);
  return section({
    id: 'decisions',
    title: 'Decisions',
    body: [
      element('p', {}, `Goals take ${figure(control.wanted_cores)} of ${figure(control.capacity_cores)} cores; ` +
              `${control.changes} changes so far${control.observe ? '; only observed, nothing is changed' : ''}.`),
      rows.length > 0 && table('Decisions, the latest first', [{text: 'time'}, {text: 'app'}, {text: 'what'}, {text: 'why'}],
                               rows, 'decisions'),
    ],
  });
}
