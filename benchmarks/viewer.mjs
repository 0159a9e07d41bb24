// Cost of drawing 1 000, 10 000 and 100 000 bodies in the viewer: node benchmarks/viewer.mjs [BUILD]. Debian's Chromium draws in software,
// so that only ratios mean something. The last line is one JSON object.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const folder = join(resolve(process.argv[2] ?? 'build'), 'viewer');
const sizes = (process.env.SIZES ?? '1000,10000,100000').split(',').map(Number);
const chrome = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!chrome || !existsSync(join(folder, 'node_modules/playwright-core'))) {
  console.log('skipped: needs Chromium and a build with -DTALUS_TESTS=ON');
  process.exit(77);
}
const { chromium } = createRequire(join(folder, 'package.json'))('playwright-core');
const browser = await chromium.launch({ executablePath: chrome, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-gpu-rasterization', '--disable-dev-shm-usage'] });
const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
await page.setContent('<!DOCTYPE html><body></body>');
await page.addScriptTag({ content: readFileSync(join(folder, 'bench.js'), 'utf8') });
const result = { balls: {}, solids: {} };
for (const [kind, shape] of [['balls', 0], ['solids', 1]]) {
  for (const size of sizes) {
    const ms = await page.evaluate(([n, s, repeats]) => window.bench(n, s, repeats), [size, shape, size > 20000 ? 3 : 5]);
    result[kind][size] = ms;
    console.log(`${kind} ${String(size).padStart(7)} ${ms.toFixed(1).padStart(9)} ms a frame, ${(ms / result[kind][sizes[0]]).toFixed(2)} of the first`);
  }
}
await browser.close();
console.log(JSON.stringify(result));
