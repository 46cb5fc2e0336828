// What somebody sees who opens the agent's page.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {join} from 'node:path';
import {after, before, test} from 'node:test';

import {launch, scratch} from './harness.mjs';

const started = [];
const socket = join(scratch, 'agent.sock');
let browser;
let url;

function start(program, words, env = {}) {
  const child = spawn(program, words, {stdio: ['ignore', 'ignore', 'pipe'], env: {...process.env, EDGEWISE_SOCKET: socket, ...env}});
  started.push(child);
  return child;
}

before(async () => {
  const agent = start(process.env.EDGEWISE_BINARY,
                      ['--home', join(scratch, 'home'), 'agent', '--socket', socket, '--port', '0']);
  for await (const line of createInterface({input: agent.stderr})) {
    url = /http:\/\/[^/]+/.exec(line)?.[0];
    break;
  }
  start(process.env.EDGEWISE_PACED, ['50'], {EDGEWISE_APP: '<b>tracker</b>'});
  browser = await launch();
});
after(async () => {
  await browser?.close();
  started.forEach((child) => child.kill('SIGKILL'));
});

async function look(options, check, expected = []) {
  const page = await browser.newPage({viewport: {width: 1280, height: 900}, reducedMotion: 'reduce', ...options});
  const wrong = [];
  page.on('console', (message) => wrong.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('request', (request) => request.url().startsWith(url) || wrong.push(`request: ${request.url()}`));
  try {
    await page.goto(url);
    await page.waitForSelector('.app .metric');
    await check(page);
    assert.deepEqual(wrong.filter((each) => !['favicon', ...expected].some((part) => each.includes(part))), []);
  } finally {
    await page.close();
  }
}

test('apps are shown by name, which is text whatever it is, and refreshed', () => look({}, async (page) => {
  assert.equal(await page.locator('.app h3').innerText(), '<b>tracker</b>/0');
  const frame = page.locator('.app .metric').filter({hasText: 'frame'}).first();
  await page.waitForFunction(() => [...document.querySelectorAll('.spark polyline')].some((line) => line.points.length > 1));
  assert.match(await frame.innerText(), /per second/);
}));

test('lines begin with what the agent remembers from before', async () => {
  const enough = async () => Object.values((await (await fetch(`${url}/api/v1/recent`)).json()).apps)
      .some((metrics) => metrics.some((metric) => metric.values.length >= 3));
  while (!await enough()) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await look({}, async (page) => {
    const most = await page.locator('.spark polyline').evaluateAll((lines) => Math.max(...lines.map((line) => line.points.length)));
    assert.ok(most >= 4, `${most} points at once`);
  });
});

for (const [name, options] of [['a phone', {viewport: {width: 390, height: 800}}], ['the dark', {colorScheme: 'dark'}]]) {
  test(`it fits ${name}`, () => look(options, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  }));
}

test('an agent that is gone is said to be, and an agent that comes back is found', () => look({}, async (page) => {
  await page.route('**/api/v1/apps', (route) => route.fulfill({status: 503, body: ''}));
  await page.waitForSelector('#state .lost');
  await page.unroute('**/api/v1/apps');
  await page.waitForFunction(() => document.querySelector('#state').childElementCount === 0);
  // The browser itself says on its console that an answer was an error.
}, ['503']));
