// A page too small for its run tells what it left out and rounded, and what it kept is what `talus export` says; from the server, a run opens with one frame.
import test from 'node:test';
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { closeBrowser, exported, makeFolder, makePage, near, noTroubles, open, run, screenshot, serve, until } from './support.mjs';

const SMALLEST = 0.004; // radius [m]
const SCENE = `
talus: 1
title: a column collapses
dimension: 3
gravity: 9.81
step: 1e-3
duration: 0.24
seed: 3
materials:
  grain: {density: 2500, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}
generate:
  - {name: grains, lattice: {kind: cubic, counts: [9, 9, 12], origin: [-0.04, -0.04, 0.006], jitter: 0.00015, spacing: 0.0105}, diameter: {uniform: [${2 * SMALLEST}, 0.01]}, material: grain}
record: {every: 0.002, sums: true}
solver: {max_sweeps: 15}
`;
const MEGABYTES = 2;

test.after(closeBrowser);

test('a page that is too small for its run', async (t) => {
  const folder = makeFolder(t);
  const runFile = run(folder, SCENE);
  const url = makePage(folder, runFile, '--max-mb', String(MEGABYTES));
  const size = statSync(join(folder, 'page.html')).size / 2 ** 20;
  assert.ok(size <= MEGABYTES && size > 0.7 * MEGABYTES, `${size} MB: within what was asked, and not far below`);
  const page = await open(t, url);

  await t.test('tells what it left out and rounded', async () => {
    const note = await page.locator('.tv-note').innerText();
    const [kept, all] = /(\d+) of (\d+) frames are in this page/.exec(note).slice(1).map(Number);
    assert.equal(all, 121);
    assert.equal(kept, await page.evaluate(() => talus.last + 1));
    assert.match(note, /Contacts and forces are in one frame in \d+/);
    assert.match(note, /Rotations of balls, contacts without force and mean forces are left out/);
    assert.match(note, /rounded: positions to 1\/200/);
    assert.match(note, /talus view on the run file/);
  });

  await t.test('has the positions and velocities of the run in every kept frame', async () => {
    const last = await page.evaluate(() => talus.last);
    for (const k of [0, 1, 2, Math.floor(last / 2), last]) {
      await page.evaluate((frame) => talus.set({ frame }), k);
      await until(page, (index) => talus.frame?.number === talus.source.entries[index].number, k);
      const seen = await page.evaluate(() => ({ number: talus.frame.number, id: [...talus.frame.id], position: [...talus.frame.position], velocity: [...talus.frame.velocity], origin: talus.meta.origin }));
      const { bodies } = exported(folder, runFile, seen.number);
      assert.equal(bodies.length, seen.id.length);
      const speedStep = Math.sqrt(9.81 * 2 * SMALLEST) / 1000;
      bodies.forEach((body, i) => {
        assert.equal(seen.id[i], body.id);
        // Half a step, and what a 32-bit float adds; the smallest radius of the sample is a little above that of the law.
        ['x', 'y', 'z'].forEach((axis, c) => {
          near(seen.position[3 * i + c] + seen.origin[c], body[axis], (1.05 * SMALLEST) / 400, `frame ${seen.number}, body ${body.id}, ${axis}`);
          near(seen.velocity[3 * i + c], body[`v${axis}`], 0.55 * speedStep, `frame ${seen.number}, body ${body.id}, v${axis}`);
        });
      });
    }
  });

  await t.test('says so where it has no contacts or rotations', async () => {
    const bare = await page.evaluate(() => talus.source.entries.findIndex((entry) => !entry.contacts));
    assert.ok(bare >= 0);
    await page.evaluate((frame) => talus.set({ frame, colour: 'load', forces: 'chains', rose: true }), bare);
    await until(page, (index) => talus.index === index && talus.frame?.number === talus.source.entries[index].number, bare);
    assert.match(await page.locator('.tv-legend').innerText(), /loads are not known[^]*no contacts kept for this frame/);
    await page.evaluate(() => talus.set({ frame: -1, colour: 'rotation', forces: 'off', rose: false }));
    await until(page, () => talus.index === talus.last);
    assert.match(await page.locator('.tv-legend').innerText(), /Rotations of balls are not in this page/);
    assert.equal(await page.locator('input[data-key="mean"]').count(), 0, 'mean forces are not offered');
    await screenshot(page, 'thinned-desktop');
    noTroubles(page);
  });

  await t.test('from the server, the first picture takes one frame of all', async () => {
    const served = await open(t, await serve(t, runFile));
    const asked = await served.evaluate(() => performance.getEntriesByType('resource').map((entry) => entry.name.replace(/.*\/(?=meta|geometry|frame|report|events)/, '')));
    assert.deepEqual(asked.filter((name) => name !== 'report').sort(), ['frame/120', 'geometry', 'meta']);
    noTroubles(served);
  });
});
