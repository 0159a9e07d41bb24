// A page of a run in the plane, from disk: opens, plays, seeks, shows every layer, and measures what `talus export` and `talus observe` say.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { closeBrowser, DISKS, exported, makeFolder, makePage, near, noTroubles, observed, open, openSection, press, run, screenshot, value, until } from './support.mjs';

const H = 1e-3; // the scene's step [s]: force = impulse / h

test.after(closeBrowser);

test('a page of a run in the plane', async (t) => {
  const folder = makeFolder(t);
  // Long enough that all are at rest: grains that move are coloured by their speed.
  const runFile = run(folder, DISKS.replace('duration: 0.6', 'duration: 1.2').replace('every: 0.05', 'every: 0.1'));
  const url = makePage(folder, runFile);
  const { bodies, contacts } = exported(folder, runFile);
  const byId = new Map(bodies.map((body) => [body.id, body]));
  const page = await open(t, url);
  const frameNow = () => page.evaluate(() => Number(document.querySelector('.tv').dataset.frame));

  await t.test('opens at the last frame, with title, legend and plots', async () => {
    assert.equal(await page.title(), 'disks settle in a box');
    assert.equal(await frameNow(), 12);
    assert.match(await page.locator('.tv-legend').innerText(), /load: sum of normal forces/);
    assert.equal(await page.locator('.tv-plots figure').count(), 3);
    assert.ok((await page.locator('#talus-report figure svg').count()) >= 3, 'the figures of the report are below');
    await screenshot(page, 'plane-desktop-light');
  });

  await t.test('plays and seeks, by button, slider, key and plot', async () => {
    await page.keyboard.press('Home');
    await until(page, () => document.querySelector('.tv').dataset.frame === '0');
    await press(page, '[data-act="play"]');
    await until(page, () => Number(document.querySelector('.tv').dataset.frame) >= 3);
    await press(page, '[data-act="play"]');
    await page.locator('.tv-slider').fill('7');
    await until(page, () => document.querySelector('.tv').dataset.frame === '7');
    await page.locator('.tv-picture').focus();
    await page.keyboard.press('ArrowRight');
    await until(page, () => document.querySelector('.tv').dataset.frame === '8');
    await page.locator('.tv-chart svg').first().evaluate((chart) => chart.scrollIntoView({ block: 'center' }));
    const chart = await page.locator('.tv-chart svg').first().boundingBox();
    await page.mouse.click(chart.x + 0.13 * chart.width, chart.y + 0.5 * chart.height);
    await until(page, () => Number(document.querySelector('.tv').dataset.frame) <= 1);
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('.tv-picture').focus();
    await page.keyboard.press('End');
    await until(page, () => document.querySelector('.tv').dataset.frame === '12');
  });

  await t.test('shows every layer', async () => {
    for (const section of ['grains', 'forces', 'measure', 'displacement']) await openSection(page, section);
    for (const select of await page.locator('.tv-panel select').all()) {
      for (const option of await select.locator('option').evaluateAll((all) => all.map((o) => o.value))) await select.selectOption(option);
      await select.selectOption({ index: 0 });
    }
    for (const box of await page.locator('.tv-panel input[type=checkbox]').all()) {
      await box.evaluate((element) => element.click());
      await box.evaluate((element) => element.click());
    }
    for (const range of await page.locator('.tv-panel input[type=range]').all()) {
      const [low, high, was] = await range.evaluate((r) => [r.min, r.max, r.value]);
      for (const at of [high, low, was]) await range.fill(at);
    }
    for (const tool of ['rose', 'rings']) {
      await press(page, `[data-tool="${tool}"]`);
      assert.ok((await page.locator('.tv-small svg').count()) > 0, tool);
      await press(page, `[data-tool="${tool}"]`);
    }
    noTroubles(page);
  });

  await t.test('a cut dragged with the mouse has the force that the exported contacts give', async () => {
    await press(page, '[data-tool="cut"]');
    const handle = await page.locator('[data-handle="to"]').boundingBox();
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(handle.x + 60, handle.y + 25, { steps: 5 });
    await page.mouse.up();
    const { cut, origin } = await page.evaluate(() => ({ cut: talus.state.cut, origin: talus.meta.origin }));
    const from = [cut[0] + origin[0], cut[1] + origin[1]];
    const way = [cut[2] - cut[0], cut[3] - cut[1]];
    const span = Math.hypot(...way);
    const tangent = way.map((v) => v / span);
    const normal = [tangent[1], -tangent[0]]; // to the right of the way
    assert.ok(span > 0.1, 'the handle was moved');
    const side = (x, y) => (x - from[0]) * normal[0] + (y - from[1]) * normal[1] >= 0;
    let [fx, fy, count] = [0, 0, 0];
    for (const c of contacts) {
      const [a, b] = [byId.get(c.a), byId.get(c.b)];
      if (!a?.radius || !b?.radius || (c.impulse_x === 0 && c.impulse_y === 0) || side(a.x, a.y) === side(b.x, b.y)) continue;
      const along = (c.point_x - from[0]) * tangent[0] + (c.point_y - from[1]) * tangent[1];
      if (along < 0 || along > span) continue;
      const sign = side(a.x, a.y) ? 1 : -1;
      fx += (sign * c.impulse_x) / H;
      fy += (sign * c.impulse_y) / H;
      ++count;
    }
    // Forces in a page that stands alone are rounded to 1/256 each; so is their sum, of the sum of magnitudes.
    const tolerance = contacts.reduce((sum, c) => sum + Math.hypot(c.impulse_x, c.impulse_y) / H, 0) / 256 / 4;
    assert.ok(count > 3, 'the cut meets contacts');
    assert.equal(await value(page, 'cut-contacts'), count);
    near(await value(page, 'cut-x'), fx, tolerance, 'force x');
    near(await value(page, 'cut-y'), fy, tolerance, 'force y');
    near(await value(page, 'cut-normal'), fx * normal[0] + fy * normal[1], tolerance, 'normal');
    const measured = observed(runFile, { name: 'cut', cuts: [{ segment: { from, to: [from[0] + way[0], from[1] + way[1]] } }] });
    assert.equal(measured.contacts, count);
    near(measured.force_x, fx, 1e-9 * Math.hypot(fx, fy), 'force x of talus observe'); // the same sum, maybe in another order
    near(await value(page, 'cut-normal'), measured.cut_1_normal, tolerance, 'normal of talus observe');
    near(await value(page, 'cut-tangential'), measured.cut_1_tangential, tolerance, 'tangential of talus observe');
    near(await value(page, 'cut-tension'), measured.cut_1_normal_density, tolerance / span, 'density of talus observe');
    await page.locator('[data-handle="from"]').focus();
    await page.keyboard.press('ArrowLeft');
    const moved = await page.evaluate(() => talus.state.cut[0]);
    near(moved, cut[0] - 0.1 * (await page.evaluate(() => talus.diameter)), 1e-9, 'moved by the keyboard');
  });

  await t.test('the stress probe has the stress of the exported contacts', async () => {
    await press(page, '[data-tool="cut"]');
    await press(page, '[data-tool="probe"]');
    const { probe, origin } = await page.evaluate(() => ({ probe: talus.state.probe, origin: talus.meta.origin }));
    const inside = (body) => body.radius > 0 && body.wall === 0 && Math.hypot(body.x - probe[0] - origin[0], body.y - probe[1] - origin[1]) <= probe[2];
    const sum = { xx: 0, xy: 0, yx: 0, yy: 0 };
    for (const c of contacts) {
      for (const [body, sign] of [[byId.get(c.a), 1], [byId.get(c.b), -1]]) {
        if (!body || !inside(body)) continue;
        const [f, r] = [[(sign * c.impulse_x) / H, (sign * c.impulse_y) / H], [c.point_x - body.x, c.point_y - body.y]];
        sum.xx -= f[0] * r[0];
        sum.xy -= f[0] * r[1];
        sum.yx -= f[1] * r[0];
        sum.yy -= f[1] * r[1];
      }
    }
    const area = Math.PI * probe[2] ** 2;
    const pressure = (sum.xx + sum.yy) / 2 / area;
    assert.ok(pressure > 0);
    assert.equal(await value(page, 'probe-grains'), bodies.filter(inside).length);
    // Forces within 1/256, arms within 1/400 of the smallest radius: a hundredth holds both.
    near(await value(page, 'probe-pressure'), pressure, 0.01 * pressure, 'pressure');
    near(await value(page, 'probe-xy'), (sum.xy + sum.yx) / 2 / area, 0.01 * pressure, 'shear stress');
    const measured = observed(runFile, { name: 'stress', region: { disk: { centre: [probe[0] + origin[0], probe[1] + origin[1]], radius: probe[2] } } });
    near(measured.pressure, pressure, 1e-9 * pressure, 'pressure of talus observe');
    assert.equal(await value(page, 'probe-grains'), measured.grains);
    for (const [shown, name] of [['xx', 'stress_xx'], ['xy', 'stress_xy'], ['yy', 'stress_yy'], ['principal-1', 'principal_1'], ['principal-2', 'principal_2']])
      near(await value(page, `probe-${shown}`), measured[name], 0.01 * pressure, `${name} of talus observe`);
    await page.selectOption('select[data-key="forces"]', 'chains');
    await press(page, '[data-tool="rose"]');
    await screenshot(page, 'plane-desktop-probe');
    await press(page, '[data-tool="rose"]');
    await press(page, '[data-tool="probe"]');
    await page.selectOption('select[data-key="forces"]', 'off');
  });

  await t.test('the contact rose is that of talus observe', async () => {
    await press(page, '[data-tool="rose"]');
    const { anisotropy } = observed(runFile, { name: 'rose' });
    assert.ok(anisotropy > 0);
    near(await value(page, 'rose-anisotropy'), anisotropy, 2 / 1023, 'anisotropy'); // of normals rounded to 1/1023
    await press(page, '[data-tool="rose"]');
  });

  await t.test('a click on a grain shows its numbers', async () => {
    const at = await page.evaluate(() => {
      const { frame, stage } = talus;
      const row = frame.radius.findIndex((r, i) => r > 0 && frame.position[3 * i + 1] < 0);
      stage.sync();
      return { id: frame.id[row], screen: stage.toScreen([frame.position[3 * row], frame.position[3 * row + 1], 0]) };
    });
    const canvas = await page.locator('.tv-picture canvas').boundingBox();
    await page.mouse.click(canvas.x + at.screen[0], canvas.y + at.screen[1]);
    await until(page, (id) => talus.state.select === id, at.id);
    assert.match(await page.locator('details[data-section="chosen"]').innerText(), new RegExp(`Body ${at.id}\\b`));
    const body = byId.get(at.id);
    near(await value(page, 'body-x'), body.x, body.radius / 100, 'x');
    near(await value(page, 'body-diameter'), 2 * body.radius, (2 * body.radius) / 256, 'diameter');
    await page.keyboard.press('Escape');
  });

  await t.test('saves a picture', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, '[data-act="png"]')]);
    assert.match(download.suggestedFilename(), /^scene-0012\.png$/);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
    assert.ok(bytes.readUInt32BE(16) >= 600, 'as wide as the view');
    assert.ok(bytes.length > 20_000, 'not blank');
  });

  await t.test('keeps the view in its address', async () => {
    await page.selectOption('select[data-key="colour"]', 'size');
    await until(page, () => location.hash.includes('colour=size'));
    const again = await open(t, page.url());
    assert.equal(await again.locator('select[data-key="colour"]').inputValue(), 'size');
    noTroubles(again);
  });

  await t.test('lists its keys under ?', async () => {
    await page.locator('.tv-picture').focus();
    await page.keyboard.press('?');
    assert.ok(await page.locator('dialog.tv-help').isVisible());
    await page.keyboard.press('Escape');
    assert.ok(!(await page.locator('dialog.tv-help').isVisible()));
  });
  noTroubles(page);

  await t.test('fits a phone, dark', async () => {
    const phone = await open(t, url + '#forces=chains', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true });
    const width = await phone.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `the page is ${width} pixels wide on a phone of 390`);
    await screenshot(phone, 'plane-phone-dark');
    noTroubles(phone);
  });
});
