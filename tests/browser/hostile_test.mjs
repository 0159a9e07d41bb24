// A run file with names that try to be markup, and with broken frames, neither injects script nor stops the page.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeBrowser, DISKS, makeFolder, makePage, noTroubles, open, run, serve, until } from './support.mjs';

test.after(closeBrowser);

const HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">';

/** Changes a run file as no talus would write it. */
function spoil(runFile, script) {
  execFileSync('/usr/bin/python3', ['-c', `import h5py, sys\nwith h5py.File(sys.argv[1], "r+") as run:\n${script.split('\n').map((line) => '    ' + line).join('\n')}`, runFile]);
}

test('hostile names', async (t) => {
  const folder = makeFolder(t);
  const scene = DISKS.replace('title: disks settle in a box', `title: '${HOSTILE}'`).replaceAll('material: grain', `material: '<i>${'x'.repeat(40)}</i>'`).replace('  grain: {', `  '<i>${'x'.repeat(40)}</i>': {`).replace('duration: 0.6', 'duration: 0.1');
  const runFile = run(folder, scene);
  for (const url of [makePage(folder, runFile), await serve(t, runFile)]) {
    const page = await open(t, url + '#colour=material');
    if (url.startsWith('http')) await page.waitForSelector('#talus-report figure svg', { state: 'attached' });
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('h1').innerText(), HOSTILE);
    assert.match(await page.locator('.tv-legend').innerText(), /<i>x+<\/i>/);
    assert.equal(await page.locator('.tv i:has-text("xxx")').count(), 0);
    noTroubles(page);
  }
});

test('a hostile address changes nothing but what it may', async (t) => {
  const folder = makeFolder(t);
  const url = makePage(folder, run(folder, DISKS.replace('duration: 0.6', 'duration: 0.1')));
  const page = await open(t, url + '#colour=<script>&frame=1e999&camera=a,b&theme=x&contact=<b>&layers=NaN&__proto__=1&cut=1,2&rate=0&slab=-3');
  assert.equal(await page.evaluate(() => ({}).polluted), undefined);
  assert.equal(await page.locator('.tv-status').innerText(), '');
  noTroubles(page);
});

test('broken frames', async (t) => {
  const folder = makeFolder(t);
  const runFile = run(folder, DISKS.replace('duration: 0.6', 'duration: 0.3'));
  spoil(runFile, `rows = run["frames/index"]
first = int(rows[2]["bodies_begin"])
run["bodies/shape"][first + 5] = 99
second = int(rows[3]["bodies_begin"])
run["bodies/position"][second + 7] = float("nan")
run["bodies/radius"][second + 8] = float("inf")
third = int(rows[4]["contacts_begin"])
run["contacts/impulse"][third] = float("nan")`);
  const standing = await open(t, makePage(folder, runFile));
  assert.match(await standing.locator('.tv-note').innerText(), /1 of the run's frames cannot be read/);
  for (let k = 0; k < 6; ++k) await standing.evaluate((frame) => talus.set({ frame, forces: 'chains' }), k);
  await until(standing, () => document.querySelector('.tv').dataset.frame === '5');
  assert.equal(await standing.evaluate(() => talus.last), 5);
  assert.deepEqual(standing.troubles, []);

  const served = await open(t, await serve(t, runFile));
  await served.evaluate(() => talus.set({ frame: 2 }));
  await until(served, () => /no such shape/.test(document.querySelector('.tv-status').textContent));
  await served.evaluate(() => talus.set({ frame: 3 }));
  await until(served, () => document.querySelector('.tv-status').textContent === '' && talus.frame?.number === 3);
  assert.deepEqual(served.troubles.filter((words) => !/500/.test(words)), []); // the browser itself tells of the refused frame
});
