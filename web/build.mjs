// Bundles a page into one HTML file with script and style inside.
//
//   node build.mjs [PACKAGES_FOLDER [OUTPUT [PAGE]]]
//
// PAGE is `viewer` (of reports), `predict` and `jobs` (of `edgewise serve`) or `live` (of the
// agent). It may run nothing but its script: the policy in its head names the
// hashes of script and style. The viewer may load nothing; the others ask their
// own server.
import {createHash} from 'node:crypto';
import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const packages = resolve(process.argv[2] ?? here);
const output = resolve(process.argv[3] ?? join(here, 'viewer.html'));
const pages = {
  viewer: {script: 'main.ts', style: 'style.css', html: 'page.html', allows: ''},
  predict: {script: 'predict.ts', style: 'predict.css', html: 'predict.html', allows: "; connect-src 'self'"},
  jobs: {script: 'jobs.ts', style: 'jobs.css', html: 'jobs.html', allows: "; connect-src 'self'"},
  live: {script: 'live.ts', style: 'live.css', html: 'live.html', allows: "; connect-src 'self'"},
};
const page = pages[process.argv[4] ?? 'viewer'];
const {buildSync} = createRequire(join(packages, 'package.json'))('esbuild');

function bundle(entry) {
  const built = buildSync({
    entryPoints: [join(here, 'src', entry)],
    bundle: true,
    minify: true,
    write: false,
    target: ['es2020'],
    format: 'iife',
    charset: 'utf8',
    legalComments: 'none',
    nodePaths: [join(packages, 'node_modules')],
    logLevel: 'warning',
  });
  // No text of ours may end the element that it is in.
  return built.outputFiles[0].text.replaceAll('</script', '<\\/script').trim();
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const script = bundle(page.script);
const style = bundle(page.style);
const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; script-src ${hash(script)}; style-src ${hash(style)}${page.allows}`;
// Functions, because "$" in replacements has a meaning.
const html = readFileSync(join(here, 'src', page.html), 'utf8')
  .replace('EDGEWISE_POLICY', () => policy)
  .replace('EDGEWISE_STYLE', () => style)
  .replace('EDGEWISE_SCRIPT', () => script);
writeFileSync(`${output}.partial`, html);
renameSync(`${output}.partial`, output);
