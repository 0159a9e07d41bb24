// How soon a large run is seen, and how large its page is: node benchmarks/viewer_run.mjs [BUILD]. A column of balls collapses, so that all of
// them move in most frames, which is the worst for a page; GRAINS (14000) and FRAMES (500) in the environment change its size, RUN names a run
// file to take instead. The last line is one JSON object. Times are of the clock, with Chromium drawing in software.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const build = resolve(process.argv[2] ?? 'build');
process.env.TALUS_BINARY ??= join(build, 'talus');
process.env.TALUS_VIEWER_DIR ??= join(build, 'viewer');
const { closeBrowser, open, openBrowser, serve, TALUS } = await import('../tests/browser/support.mjs');

const grains = Number(process.env.GRAINS ?? 14000);
const frames = Number(process.env.FRAMES ?? 500);
const layer = Math.max(2, Math.round(Math.cbrt(grains / 1.75))); // a column less than twice as high as wide
const step = 1e-3;
const scene = `
talus: 1
title: ${grains} balls, ${frames} frames
dimension: 3
gravity: 9.81
step: ${step}
duration: ${3 * step * frames}
seed: 3
materials:
  grain: {density: 2500, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}
generate:
  - {name: grains, lattice: {kind: cubic, counts: [${layer}, ${layer}, ${Math.ceil(grains / layer ** 2)}], origin: [0, 0, 0.006], jitter: 0.00015, spacing: 0.0105}, diameter: {uniform: [0.008, 0.01]}, material: grain}
record: {every: ${3 * step}}
solver: {max_sweeps: 15}
`; // few sweeps: what counts here is the file, not how well it rests

const megabytes = (file) => statSync(file).size / 2 ** 20;
const seconds = async (work) => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};
const cleanups = [];
const t = { after: (work) => cleanups.push(work) };
const folder = mkdtempSync(join(tmpdir(), 'talus-viewer-run-'));
cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
const result = {};
try {
  let runFile = process.env.RUN;
  if (!runFile) {
    writeFileSync(join(folder, 'scene.yaml'), scene);
    execFileSync(TALUS, ['run', join(folder, 'scene.yaml'), '--out', folder], { stdio: 'ignore' });
    runFile = join(folder, 'run.h5');
  }
  result.run_megabytes = megabytes(runFile);
  const html = join(folder, 'page.html');
  let words = '';
  result.page_written_seconds = await seconds(() => (words = execFileSync(TALUS, ['view', runFile, '--html', html], { encoding: 'utf8' })));
  result.page_megabytes = megabytes(html);
  console.log(words.trim());

  await openBrowser();
  const shown = async (url) => {
    const page = await open(t, url);
    await page.evaluate(() => talus.stage.drawnOr(60_000));
    if (page.troubles.length) throw new Error(page.troubles.join('\n'));
    result.frames_in_page = await page.evaluate(() => talus.last + 1);
    await page.context().close();
  };
  let url = '';
  result.server_ready_seconds = await seconds(async () => (url = await serve(t, runFile)));
  result.served_first_picture_seconds = await seconds(() => shown(url));
  result.page_first_picture_seconds = await seconds(() => shown('file://' + html));
} finally {
  await closeBrowser();
  for (const work of cleanups.reverse()) await work();
}
for (const [name, value] of Object.entries(result)) console.log(`${name.replaceAll('_', ' ').padEnd(32)} ${Number.isInteger(value) ? value : value.toFixed(2)}`);
console.log(JSON.stringify(result));
process.exit(0); // the server's pipe would keep it waiting
