// The viewer follows a run that is still going, and notices its end.
import test from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeBrowser, DISKS, makeFolder, noTroubles, open, press, serve, TALUS, until } from './support.mjs';

test.after(closeBrowser);

test('a run that is going on', async (t) => {
  const folder = makeFolder(t);
  writeFileSync(join(folder, 'scene.yaml'), DISKS.replace('duration: 0.6', 'duration: 1000'));
  const going = spawn(TALUS, ['run', join(folder, 'scene.yaml'), '--out', join(folder, 'out')], { stdio: 'ignore' });
  t.after(() => going.kill('SIGKILL'));
  while (!existsSync(join(folder, 'out/run.h5'))) await new Promise((done) => setTimeout(done, 50));
  await new Promise((done) => setTimeout(done, 500));
  const page = await open(t, await serve(t, join(folder, 'out/run.h5')));
  assert.ok(await page.locator('.tv-live').isVisible());
  const first = await page.evaluate(() => talus.last);
  await until(page, (before) => talus.last > before + 3 && talus.index === talus.last, first);
  await press(page, '.tv-live input');
  const held = await page.evaluate(() => talus.index);
  await until(page, (before) => talus.last > before + 2, held);
  assert.equal(await page.evaluate(() => talus.index), held, 'a frame that was chosen stays');
  going.kill('SIGINT');
  await until(page, () => talus.meta.state === 'interrupted');
  noTroubles(page);
});
