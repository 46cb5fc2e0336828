// What a reader of a report sees and does.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {drawAll, edgewise, inked, launch, makeStore, open, report, scratch} from './harness.mjs';

let browser;
before(async () => {
  makeStore('made');
  browser = await launch();
});
after(() => browser?.close());

const text = (page, selector) => page.locator(selector).first().innerText();

test('every chart of a Run is drawn', () => open(browser, report('made', 'before'), async (page) => {
  await drawAll(page);
  const canvases = await page.$$('canvas');
  assert.ok(canvases.length >= 10, `${canvases.length} canvases`);
  for (const canvas of canvases) {
    assert.ok(await inked(canvas) > 500);
  }
  assert.match(await page.title(), /camera/);
}));

test('the figures are those of the terminal', () => open(browser, report('made', 'before'), async (page) => {
  const run = JSON.parse(edgewise('made', 'show', 'before', '--json'));
  const frame = run.spans.find((span) => span.name === 'frame');
  const card = await text(page, '[data-span=frame]');
  assert.ok(card.includes(`p99 ${frame.p99_ms.value.toPrecision(3)} ms`), card);
  assert.ok(card.includes(`${frame.p99_ms.low.toPrecision(3)} – ${frame.p99_ms.high.toPrecision(3)} ms`), card);
  assert.ok(card.includes('insufficient samples'), card);
  assert.match(await text(page, '.tiles'), /75 s/);
}));

test('search in the flame graph highlights and counts', () => open(browser, report('made', 'before'), async (page) => {
  await drawAll(page);
  const canvas = await page.$('.flame canvas');
  const magenta = () => inked(canvas, 'magenta');
  assert.equal(await magenta(), 0);
  await page.fill('#flame-search', '^(Filter|Detect)$');
  await page.waitForSelector('.flame[data-matches="2"]');
  assert.match(await text(page, '#flame-status'), /2 frames found, in 70\.0% of samples/);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.ok(await magenta() > 1000);
  await page.fill('#flame-search', 'nothing has this name');
  assert.match(await text(page, '#flame-status'), /Nothing found/);
  // Not a regular expression: searched for as it is.
  await page.fill('#flame-search', 'tuple<Worker>>::_M_run(');
  assert.match(await text(page, '#flame-status'), /1 frame found.*plain text/);
}));

test('a click zooms in, the button out', () => open(browser, report('made', 'before'), async (page) => {
  await drawAll(page);
  const canvas = page.locator('.flame canvas');
  const reset = page.locator('#flame-reset');
  assert.ok(await reset.isDisabled());
  // The fifth row: Filter comes first, it is the widest.
  await canvas.click({position: {x: 20, y: 4 * 20 + 10}});
  assert.equal(await page.getAttribute('.flame', 'data-focus'), 'Filter');
  assert.match(await text(page, '.flame-detail'), /total 49\.0% · self 49\.0%.*filter\.cc:7/);
  await reset.click();
  assert.equal(await page.getAttribute('.flame', 'data-focus'), '');
}));

test('pointing at a frame tells about it', () => open(browser, report('made', 'before'), async (page) => {
  await drawAll(page);
  await page.locator('.flame canvas').hover({position: {x: 20, y: 3 * 20 + 10}});
  assert.match(await text(page, '.tip'), /process_frames[\s\S]*total 70\.0%[\s\S]*Python · app\.py:31/);
}));

test('the flame graph needs no mouse', () => open(browser, report('made', 'before'), async (page) => {
  await drawAll(page);
  await page.focus('.flame canvas');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) {
    await page.keyboard.press(key);
  }
  assert.equal(await page.getAttribute('.flame', 'data-focus'), 'process_frames');
  await page.keyboard.press('Escape');
  assert.equal(await page.getAttribute('.flame', 'data-focus'), 'main');
  await page.keyboard.press('/');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'flame-search');
}));

test('one thread alone', () => open(browser, report('made', 'before'), async (page) => {
  await drawAll(page);
  await page.selectOption('.flame select', {index: 2});
  await page.fill('#flame-search', 'Filter');
  assert.match(await text(page, '#flame-status'), /Nothing found/);
  await page.fill('#flame-search', '^jitted$');
  assert.match(await text(page, '#flame-status'), /1 frame found, in 83\.3% of samples/);
}));

test('functions sort by column and lead to the flame graph', () => open(browser, report('made', 'before'), async (page) => {
  // Else a chart that is drawn on the way there moves the button away from under the click.
  await drawAll(page);
  const first = () => text(page, '.functions tbody tr');
  assert.match(await first(), /Filter[\s\S]*49\.0% \(45\.9 – 52\.1\)/);
  await page.click('.functions thead button:has-text("with callees")');
  await page.waitForSelector('.functions th:nth-child(3)[aria-sort=descending]');
  assert.match(await first(), /_start|main/);
  await page.click('.functions button:has-text("Detect")');
  await page.waitForSelector('.flame[data-matches="1"]');
}));

test('the tail of a distribution', () => open(browser, report('made', 'before'), async (page) => {
  await drawAll(page);
  await page.click('[data-span=frame] button:has-text("Tail")');
  assert.equal(await page.getAttribute('[data-span=frame] button:has-text("Tail")', 'aria-pressed'), 'true');
  assert.ok(await inked(await page.$('[data-span=frame] figure:nth-child(2) canvas')) > 500);
}));

test('dark as the system has it, light on request', () => open(browser, report('made', 'before'), async (page) => {
  await drawAll(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.click('#theme');
  const light = await background();
  assert.equal(dark, 'rgb(20, 23, 27)');
  assert.equal(light, 'rgb(246, 247, 249)');
  for (const canvas of await page.$$('.u-wrap canvas')) {
    assert.ok(await inked(canvas) > 500);
  }
}, {colorScheme: 'dark'}));

for (const run of ['before', 'bare', 'jobs', 'dddd00000004']) {
  test(`nothing of ${run} is wider than a phone`, () => open(browser, report('made', run), async (page) => {
    await drawAll(page);
    const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    assert.equal(screen, 360);
    assert.ok(content <= screen, `${content} pixels`);
  }, {width: 360}));
}

test('hostile names are text and nothing else', () => open(browser, report('made', 'dddd00000004'), async (page) => {
  await drawAll(page);
  await page.locator('.flame canvas').hover({position: {x: 1000, y: 3 * 20 + 10}});
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script').count(), 2);
  assert.ok((await text(page, 'h1')).includes('</script><script>window.hacked=1</script>'));
  assert.ok((await text(page, '.warnings')).includes('<img src=x onerror=hacked=1>'));
}));

test('what a Run lacks is left out, and why', () => open(browser, report('made', 'bare'), async (page) => {
  assert.match(await text(page, '#spans'), /has no spans: mark them/);
  assert.match(await text(page, '#stacks'), /has no stacks: edgewise run --stacks 99/);
  assert.match(await text(page, '#series'), /Nothing was sampled/);
  assert.match(await text(page, '#counters'), /No counters/);
  assert.match(await text(page, '#missing'), /cycles, instructions: this machine has no hardware counters/);
  assert.match(await text(page, '.chip.bad'), /code 3/);
  assert.equal(await page.locator('canvas').count(), 0);
}));

test('missed deadlines are told first', () => open(browser, report('made', 'jobs'), async (page) => {
  const run = JSON.parse(edgewise('made', 'show', 'jobs', '--json'));
  const misses = run.spans[0].jobs.deadline_misses;
  assert.ok(misses > 0);
  assert.match(await text(page, '.tile.bad'), new RegExp(`Deadlines missed\\s+${misses}\\s+of 2,000 jobs`));
  assert.match(await text(page, '[data-span=control]'), new RegExp(`${misses} of 2,000 deadlines missed`));
}));

test('paper gets everything, in light colours', () => open(browser, report('made', 'before'), async (page) => {
  await page.emulateMedia({media: 'print'});
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
  assert.equal(await page.locator('.chart:not([data-drawn])').count(), 0);
  assert.equal(await page.locator('details:not([open])').count(), 0);
  assert.ok((await page.pdf()).length > 50_000);
}, {colorScheme: 'dark'}));

test('two Runs side by side', () => {
  const file = `${scratch}/compare.html`;
  edgewise('made', 'compare', 'before', 'after', '--html', file);
  return open(browser, file, async (page) => {
    await drawAll(page);
    assert.match(await text(page, '[data-span=frame]'), /0\.83×[\s\S]*faster/);
    assert.match(await text(page, '.functions tbody tr'), /(Filter|Detect)[\s\S]*1\.919[\s\S]*(slower|faster)/);
    const canvas = await page.$('.flame canvas');
    assert.ok(await inked(canvas, 'red') > 1000);
    assert.ok(await inked(canvas, 'blue') > 1000);
    await page.locator('.flame canvas').hover({position: {x: 20, y: 4 * 20 + 10}});
    assert.match(await text(page, '.tip'), /Filter[\s\S]*A 49\.0% → B 30\.0%.*−19\.0 points/);
  });
});

test('two Runs side by side on a phone', () => {
  const file = `${scratch}/compare-phone.html`;
  edgewise('made', 'compare', 'before', 'after', '--html', file);
  return open(browser, file, async (page) => {
    await drawAll(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
  }, {width: 360});
});

test('a Run of a real program', () => {
  edgewise('real', 'run', '--quiet', '--label', 'real', '--', process.env.EDGEWISE_FRAMES, '--frames', '200');
  return open(browser, report('real', 'real'), async (page) => {
    await drawAll(page);
    const run = JSON.parse(edgewise('real', 'show', 'real', '--json'));
    assert.ok(run.spans.length > 0);
    for (const span of run.spans) {
      assert.equal(await page.locator(`[data-span="${span.name}"]`).count(), 1);
    }
    assert.match(await text(page, '#stacks'), /has no stacks/);
  });
});

test('charts as SVG open in the browser', async () => {
  edgewise('made', 'export', 'before', '--format', 'svg', '-o', `${scratch}/charts`);
  for (const name of ['flame', 'histogram-frame', 'cdf-frame', 'time-frame', 'series-rss']) {
    const page = await browser.newPage();
    await page.goto(`file://${scratch}/charts/${name}.svg`);
    assert.equal(await page.evaluate(() => document.documentElement.tagName), 'svg', name);
    assert.ok(await page.evaluate(() => document.querySelectorAll('path, rect').length) > 1, name);
    assert.equal(await page.locator('parsererror').count(), 0, name);
    await page.close();
  }
});
