// The report of a Run of ten minutes with 1 M spans and 100,000 stack samples:
// its size, the time to make it, and how soon Chromium shows it.
//
// Prints lines of: name, value, unit, bar, pass|fail (tab-separated).
import {statSync} from 'node:fs';
import {performance} from 'node:perf_hooks';

import {launch, makeStore, open, report} from '../../tests/browser/harness.mjs';

const ROUNDS = 5;

function line(name, value, unit, bar, passed) {
  console.log([name, value, unit, bar, passed === undefined ? '-' : passed ? 'pass' : 'fail'].join('\t'));
}

makeStore('large', 'large');
const begun = performance.now();
const file = report('large', 'large');
const made_s = (performance.now() - begun) / 1000;
const megabytes = statSync(file).size / 1e6;

// The browser is warm, as a reader's is; the page is new every time. Shown
// means: everything is laid out, answers to input, and the first screen is
// painted.
const browser = await launch();
const shown = [];
let frames = 0;
let searched_ms = 0;
for (let round = 0; round < ROUNDS; ++round) {
  await open(browser, file, async (page) => {
    shown.push(await page.evaluate(() => new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    })));
    frames = await page.evaluate(() => JSON.parse(document.getElementById('document').textContent).stacks.parent.length);
    await page.locator('.flame').scrollIntoViewIfNeeded();
    await page.waitForSelector('.flame[data-drawn=true]');
    searched_ms = await page.evaluate(() => new Promise((resolve) => {
      const box = document.getElementById('flame-search');
      const start = performance.now();
      box.value = 'module_7::';
      box.dispatchEvent(new Event('input'));
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    }));
  });
}
await browser.close();
shown.sort((a, b) => a - b);
const median_s = shown[Math.floor(ROUNDS / 2)] / 1000;

line('report of 1 M spans and 100,000 samples: size', megabytes.toPrecision(3), 'MB', '<= 5', megabytes <= 5);
line('report: made from the store', made_s.toPrecision(3), 's', '-');
line('report: interactive in Chromium, median of 5', median_s.toPrecision(3), 's', '< 1', median_s < 1);
line(`report: search among ${frames.toLocaleString('en-US')} frames, redrawn`, searched_ms.toPrecision(3), 'ms', '-');
