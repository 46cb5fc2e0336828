// What somebody sees who drops a model on the page of `edgewise serve`.
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {launch} from './harness.mjs';

let browser;
let server;
let url;
before(async () => {
  server = spawn(process.env.EDGEWISE_BINARY, ['serve', '--port', '0'], {stdio: ['ignore', 'ignore', 'pipe']});
  const said = await new Promise((resolve) => server.stderr.once('data', (bytes) => resolve(String(bytes))));
  url = /http:\S+/.exec(said)[0];
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.kill();
});

const model = {
  name: 'net.onnx',
  mimeType: 'application/octet-stream',
  buffer: execFileSync('/usr/bin/python3', [fileURLToPath(new URL('../integration/onnx_bytes.py', import.meta.url))]),
};

// Opens the page, calls `look(page)`, and checks that nothing went wrong but what is expected to.
async function open(look, {width = 1280, colorScheme = 'light', expected = /^$/} = {}) {
  const page = await browser.newPage({viewport: {width, height: 900}, colorScheme, reducedMotion: 'reduce'});
  const wrong = [];
  page.on('console', (message) => wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => request.url().startsWith(url) || wrong.push(request.url()));
  try {
    await page.goto(`${url}/predict`);
    await page.waitForSelector('html[data-ready]');
    await look(page);
    assert.deepEqual(wrong.filter((each) => !expected.test(each)), []);
  } finally {
    await page.close();
  }
}

const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

for (const look of [{}, {colorScheme: 'dark'}, {width: 380}, {width: 380, colorScheme: 'dark'}]) {
  test(`devices are ranked with intervals ${JSON.stringify(look)}`, () => open(async (page) => {
    await page.setInputFiles('#file', model);
    await page.waitForSelector('#result table');
    const rows = await page.locator('#result tbody tr').count();
    assert.ok(rows > 10, `${rows} rows`);
    const first = await page.locator('#result tbody tr').first().innerText();
    assert.match(first, /\d.* – .*\d/);
    assert.ok(await page.locator('#result .bar line').count() >= 2 * rows);
    assert.ok(await fits(page), 'wider than the screen');
    if (process.env.EDGEWISE_SCREENSHOTS) {
      await page.screenshot({path: `${process.env.EDGEWISE_SCREENSHOTS}/predict-${look.width ?? 1280}-${look.colorScheme ?? 'light'}.png`});
    }
  }, look));
}

test('a file that is no model is said to be none', () => open(async (page) => {
  await page.setInputFiles('#file', {name: '<b>x.onnx', mimeType: 'application/octet-stream', buffer: Buffer.from('rubbish')});
  await page.waitForSelector('.problem');
  assert.match(await page.locator('.problem').innerText(), /<b>x/);
  // And another one can follow.
  await page.setInputFiles('#file', model);
  await page.waitForSelector('#result table');
}, {expected: /400/}));

test('a file can be dropped', () => open(async (page) => {
  const dropped = await page.evaluateHandle((bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], 'dropped.onnx'));
    return data;
  }, [...model.buffer]);
  await page.dispatchEvent('.drop', 'drop', {dataTransfer: dropped});
  await page.waitForSelector('#result table');
  assert.match(await page.locator('#result h2').innerText(), /dropped/);
}));

test('the reader chooses light or dark', () => open(async (page) => {
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await back();
  await page.click('#theme');
  assert.notEqual(await back(), before);
}));
