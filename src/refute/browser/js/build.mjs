// Bundles the modules of this folder, from engine.js on, into ../_walker.js, which is committed and ships in the package.
//
//   node build.mjs           write the bundle
//   node build.mjs --check   exit with 1 when the committed bundle is not what these sources give
//
// Needs node >= 18, npm and tar. What it bundles is fetched through npm at these exact versions and compared with these
// digests; there is no lock file, because those record download addresses.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = {
  'ivya@1.8.2': 'sha512-9pGI1dtJbK2U+fpUoV95SL9slfrF2EM4p0Sf6EddYJwmMttBKijGOxCXibSCg8UKhmVwMx5CaDZ2PXinrcGfbA==',
  'esbuild-wasm@0.28.2': 'sha512-GccVwhv3mmOUVQHCQm2Ox/rby8n/EqUwvZxE6Pjfikrq/lWw9g9WX/u9EykWnpot3Ko6j426DgQdea2xWKIAQA==',
};
/** What the bundle was made of; the tests compare it with the files, without npm. */
function digestOfSources() {
  const hash = createHash('sha256');
  for (const file of sources()) hash.update(file + '\n').update(readFileSync(join(here, file)));
  return hash.digest('hex');
}

const sources = () => readdirSync(here).filter((file) => file.endsWith('.js')).sort();
const here = dirname(fileURLToPath(import.meta.url));
const bundle = join(here, '..', '_walker.js');

function fetchInto(folder, name, integrity) {
  const packed = mkdtempSync(join(folder, 'packed-'));
  execFileSync('npm', ['pack', name, '--silent', '--pack-destination', packed], { stdio: ['ignore', 'ignore', 'inherit'] });
  const archive = join(packed, readdirSync(packed)[0]);
  const digest = 'sha512-' + createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (digest !== integrity) throw new Error(`${name} is not the package it was: expected ${integrity}, got ${digest}`);
  const home = join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')));
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', home, '--strip-components=1']);
}

function build() {
  const folder = mkdtempSync(join(tmpdir(), 'walker-'));
  try {
    for (const [name, integrity] of Object.entries(PACKAGES)) fetchInto(folder, name, integrity);
    for (const file of sources()) cpSync(join(here, file), join(folder, file));
    const license = readFileSync(join(folder, 'node_modules', 'ivya', 'LICENCE'), 'utf8').trim();
    const banner =
      '// Made by js/build.mjs from the modules in js/: do not edit.\n' +
      `// Sources: ${digestOfSources()}\n` +
      `/*! Contains ivya 1.8.2, parts of which come from Playwright (Apache-2.0, Copyright Microsoft Corporation).\n\n${license}\n*/`;
    const esbuild = join(folder, 'node_modules', 'esbuild-wasm', 'bin', 'esbuild');
    const options = ['--bundle', '--format=iife', '--global-name=refuteWalker', '--target=chrome120', '--minify', '--charset=utf8'];
    const args = [esbuild, 'engine.js', ...options, '--legal-comments=none', '--log-level=warning', '--outfile=out.js'];
    execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    return banner + '\n' + readFileSync(join(folder, 'out.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const made = build();
if (!process.argv.includes('--check')) {
  writeFileSync(bundle, made);
} else if (readFileSync(bundle, 'utf8') !== made) {
  console.error('_walker.js is not what js/ gives: run `node src/refute/browser/js/build.mjs` and commit the result.');
  process.exit(1);
}
