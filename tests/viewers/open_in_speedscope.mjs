// Opens profiles in the real speedscope, in Chromium, and prints for each what
// its window is called; fails if the viewer does not show a profile.
//
//   node open_in_speedscope.mjs MODULES_FOLDER FILE...
import {createReadStream, existsSync} from 'node:fs';
import {createServer} from 'node:http';
import {createRequire} from 'node:module';
import {basename, extname, join} from 'node:path';

const [modules, ...files] = process.argv.slice(2);
const {chromium} = createRequire(join(modules, 'playwright-core', 'package.json'))('playwright-core');
const release = join(modules, 'speedscope', 'dist', 'release');
const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css'};

// The viewer asks for its own parts and for the profile, from the loopback.
const server = createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname.slice(1));
  const profile = files.find((file) => basename(file) === name);
  const path = profile ?? join(release, basename(name));
  if (!existsSync(path)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {'content-type': types[extname(path)] ?? 'application/octet-stream'});
  createReadStream(path).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await chromium.launch({
  executablePath: process.env.EDGEWISE_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  for (const file of files) {
    const page = await browser.newPage();
    const wrong = [];
    page.on('console', (message) => { if (message.type() === 'error') wrong.push(message.text()); });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('dialog', (dialog) => { wrong.push(dialog.message()); void dialog.dismiss(); });
    await page.goto(`${origin}/index.html#profileURL=${encodeURIComponent(`${origin}/${basename(file)}`)}`);
    await page.waitForFunction(() => document.querySelector('canvas') && document.title !== 'speedscope', null, {timeout: 30000})
      .catch(async () => wrong.push(`no profile is shown; the page says: ${await page.innerText('body')}`));
    if (wrong.length > 0) {
      throw new Error(`${basename(file)}: ${wrong.join('; ')}`);
    }
    console.log(`${basename(file)}\t${await page.title()}`);
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
