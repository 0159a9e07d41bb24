// Bundles the viewer: node build.mjs FOLDER, where FOLDER/node_modules holds the packages. Writes FOLDER/viewer.js,
// viewer.css, bench.js and assets.cpp, the C++ source that carries the first two.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? here);
const esbuild = createRequire(join(folder, 'package.json'))('esbuild');

const common = {
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['es2020', 'safari15'],
  nodePaths: [join(folder, 'node_modules')],
  legalComments: 'eof', // the licence of three.js asks for its notice
  charset: 'ascii',
  logLevel: 'warning',
  loader: { '.glsl': 'text' },
};

await esbuild.build({ ...common, entryPoints: [join(here, 'src/main.ts')], outfile: join(folder, 'viewer.js') });
await esbuild.build({ ...common, entryPoints: [join(here, 'src/viewer.css')], outfile: join(folder, 'viewer.css') });
await esbuild.build({ ...common, entryPoints: [join(here, 'src/bench.ts')], outfile: join(folder, 'bench.js') });

/** Text as a C++ string literal in short pieces: compilers limit the length of one. */
function literal(text) {
  const pieces = [];
  for (let at = 0; at < text.length; at += 8000) {
    const piece = text.slice(at, at + 8000);
    pieces.push(
      '"' + piece.replace(/[\\"?]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t') + '"');
  }
  return pieces.join('\n    ') || '""';
}

const script = readFileSync(join(folder, 'viewer.js'), 'utf8');
const style = readFileSync(join(folder, 'viewer.css'), 'utf8');
for (const [name, text] of [['viewer.js', script], ['viewer.css', style]]) {
  if (/[^\x09\x0a\x0d\x20-\x7e]/.test(text)) throw new Error(`${name} is not plain ASCII`);
  if (/<\/(script|style)/i.test(text)) throw new Error(`${name} would end its own element`);
}
const hash = createHash('sha256').update(script).digest('base64');
writeFileSync(join(folder, 'assets.cpp'), `// Made by viewer/build.mjs.
#include "view/page.h"

namespace talus::view {

namespace {

constexpr char script[] =
    ${literal(script)};
constexpr char style[] =
    ${literal(style)};

}  // namespace

Assets assets() { return {script, style, "${hash}", sizeof script - 1, sizeof style - 1}; }

}  // namespace talus::view
`);
