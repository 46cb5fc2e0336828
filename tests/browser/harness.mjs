// A browser, a store and reports to look at; each test gets a fresh page that
// must neither complain nor ask for anything but its own file.
//
// Environment: EDGEWISE_BINARY, EDGEWISE_MAKE_PAGE_STORE, EDGEWISE_FRAMES (the
// example program), EDGEWISE_PACKAGES (a folder with node_modules).
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const {chromium} = createRequire(join(process.env.EDGEWISE_PACKAGES, 'package.json'))('playwright-core');

export const scratch = mkdtempSync(join(tmpdir(), 'edgewise-browser-'));
process.on('exit', () => rmSync(scratch, {recursive: true, force: true}));

export function edgewise(home, ...words) {
  return execFileSync(process.env.EDGEWISE_BINARY, ['--home', join(scratch, home), ...words], {encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28});
}

export function makeStore(home, ...words) {
  execFileSync(process.env.EDGEWISE_MAKE_PAGE_STORE, [join(scratch, home), ...words]);
}

// The report of a Run as a file; returns its path.
export function report(home, run) {
  const file = join(scratch, `${home}-${run}.html`);
  edgewise(home, 'show', run, '--html', file);
  return file;
}

export async function launch() {
  return chromium.launch({
    executablePath: process.env.EDGEWISE_CHROMIUM ?? '/usr/bin/chromium',
    // A browser of root's has no sandbox; the pages are our own.
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

// Opens a file, calls `look(page)`, and checks that nothing went wrong.
export async function open(browser, file, look, {width = 1280, colorScheme = 'light'} = {}) {
  const page = await browser.newPage({viewport: {width, height: 900}, colorScheme, reducedMotion: 'reduce'});
  const wrong = [];
  page.on('console', (message) => wrong.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => wrong.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(file).href) {
      wrong.push(`request: ${request.url()}`);
    }
  });
  try {
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-ready]');
    await look(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
}

// Brings every chart into view, so that all are drawn.
export async function drawAll(page) {
  for (const chart of await page.$$('.chart, .flame')) {
    if (await chart.isVisible()) {
      await chart.scrollIntoViewIfNeeded();
      await page.waitForFunction((node) => node.dataset.drawn === 'true', chart);
    }
  }
}

// How many pixels of a canvas have a colour: of any (alpha), or reddish, bluish
// or magenta. Read from a copy, because reading changes how a canvas is kept.
export const inked = (canvas, colour = 'any') => canvas.evaluate((node, wanted) => {
  const copy = document.createElement('canvas');
  copy.width = node.width;
  copy.height = node.height;
  const context = copy.getContext('2d', {willReadFrequently: true});
  context.drawImage(node, 0, 0);
  const {data} = context.getImageData(0, 0, copy.width, copy.height);
  const counts = {any: 0, red: 0, blue: 0, magenta: 0};
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b, alpha] = data.subarray(i, i + 4);
    counts.any += alpha > 0 ? 1 : 0;
    counts.red += r > b + 50 ? 1 : 0;
    counts.blue += b > r + 50 ? 1 : 0;
    counts.magenta += r > 200 && g < 120 && b > 150 ? 1 : 0;
  }
  return counts[wanted];
}, colour);
