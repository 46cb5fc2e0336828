// The jobs of a server: all of them, and one with its log as it grows.
import {append, element, section, table, type Cell} from './dom';
import {seconds, UNKNOWN} from './format';
import {startTheme, themeButton} from './theme';

// Of the server's answers, what is shown; docs/jobs.md describes all of it.
interface Job {
  id: string;
  name: string;
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
  interruptions: number;
  submitted: string;
  started: string | null;
  ended: string | null;
  exit_code: number | null;
  reason: string;
  runs: string[];
}

const EVERY_MS = 2000;
const KEPT_CHARACTERS = 2_000_000;
const LOOKS: Record<Job['state'], string> = {
  queued: '', running: 'warning', done: 'good', failed: 'bad', cancelled: '', interrupted: 'bad',
};

const page = document.getElementById('page')!;
const state = element('div', {id: 'state', 'aria-live': 'polite'});
const list = element('div', {id: 'jobs'});
const one = element('div', {id: 'job'});
let followed: EventSource | null = null;
let chosen = '';

const isOver = (job: Job) => job.state !== 'queued' && job.state !== 'running';
const chip = (job: Job) => element('span', {class: `chip ${LOOKS[job.state]}`}, job.state);

function took(job: Job): string {
  if (!job.started) {
    return UNKNOWN;
  }
  const end = job.ended ? Date.parse(job.ended) : Date.now();
  const whole = Math.round(Math.max(0, end - Date.parse(job.started)) / 1000);  // as the times are told
  return whole < 1 ? '< 1 s' : seconds(whole);
}

function reports(job: Job): HTMLElement {
  const links = job.runs.map((run) => element(
      'a', {href: `api/v1/jobs/${job.id}/artifacts/${run}.html`, target: '_blank', rel: 'noopener'}, `report ${run}`));
  return element('span', {class: 'buttons'}, ...links);
}

function showList(jobs: Job[]): void {
  if (jobs.length === 0) {
    list.replaceChildren(element('p', {class: 'absent'}, 'No job was handed over yet. Do so with: edgewise submit app.yaml'));
    return;
  }
  const rows = jobs.map((job): Cell[] => [
    {text: '', node: element('button', {class: 'link', click: () => choose(job.id)}, job.id)},
    {text: job.name},
    {text: '', node: chip(job)},
    {text: job.submitted.replace('T', ' ').replace('Z', '')},
    {text: took(job), class: 'number'},
    {text: '', node: reports(job)},
  ]);
  const heads: Cell[] = [{text: 'job'}, {text: 'app'}, {text: 'state'}, {text: 'submitted (UTC)'},
                         {text: 'took', class: 'number'}, {text: 'Runs'}];
  list.replaceChildren(table('Jobs, the newest first', heads, rows));
  list.querySelectorAll('tbody tr').forEach((row, i) => row.classList.toggle('chosen', jobs[i]!.id === chosen));
}

async function cancel(id: string): Promise<void> {
  const answer = await fetch(`api/v1/jobs/${id}/cancel`, {method: 'POST'});
  if (!answer.ok) {
    const problem = await answer.json();
    state.replaceChildren(element('p', {class: 'problem'}, problem.error.message));
  }
}

// The job's head, again whenever its state changes.
function showHead(head: HTMLElement, job: Job): void {
  head.replaceChildren(
      element('p', {class: 'buttons'}, chip(job),
              job.exit_code !== null && `exit code ${job.exit_code}`,
              job.interruptions > 0 && `interrupted ${job.interruptions} times`,
              !isOver(job) && element('button', {click: () => void cancel(job.id)}, 'Cancel'),
              reports(job),
              isOver(job) && element('a', {href: `api/v1/jobs/${job.id}/artifacts`, target: '_blank', rel: 'noopener'}, 'all files')));
  if (job.reason) {
    append(head, element('p', {class: 'faint'}, job.reason));
  }
}

function choose(id: string): void {
  chosen = id;
  location.hash = id;
  followed?.close();
  const head = element('div', {});
  const log = element('pre', {id: 'log', tabindex: 0, 'aria-label': 'What the job prints'});
  one.replaceChildren(section({id: 'chosen', title: `Job ${id}`, body: [head, log]}));
  followed = new EventSource(`api/v1/jobs/${id}/events`);
  followed.addEventListener('log', (event) => {
    const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
    append(log, JSON.parse((event as MessageEvent).data).text as string);
    while ((log.textContent?.length ?? 0) > KEPT_CHARACTERS && log.firstChild) {
      log.firstChild.remove();
    }
    if (atEnd) {
      log.scrollTop = log.scrollHeight;
    }
  });
  followed.addEventListener('state', (event) => {
    const job = JSON.parse((event as MessageEvent).data) as Job;
    showHead(head, job);
    if (isOver(job)) {
      followed?.close();
    }
  });
  // The browser asks again by itself; what it gets then begins anew.
  followed.addEventListener('open', () => log.replaceChildren());
}

async function refresh(): Promise<void> {
  try {
    const answer = await fetch('api/v1/jobs?limit=100', {cache: 'no-store'});
    if (!answer.ok) {
      throw new Error(`it answers ${answer.status}`);
    }
    state.replaceChildren();
    showList((await answer.json() as {jobs: Job[]}).jobs);
  } catch (error) {
    state.replaceChildren(element('p', {class: 'problem'}, `The server cannot be reached (${(error as Error).message}); still trying.`));
  }
  document.documentElement.dataset['ready'] = '';
  setTimeout(() => void refresh(), EVERY_MS);
}

startTheme();
append(page, element('div', {class: 'top'}, element('span', {class: 'brand'}, 'edgewise'), themeButton()),
       element('h1', {}, 'Jobs'), state, list, one);
if (/^#[0-9a-f]{12}$/.test(location.hash)) {
  choose(location.hash.slice(1));
}
void refresh();
