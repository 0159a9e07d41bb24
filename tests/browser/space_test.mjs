// A run in space through the server: opens, plays, slices, clips, follows, and measures what `talus export` and `talus observe` say.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { BALLS, closeBrowser, exported, makeFolder, near, noTroubles, observed, open, openSection, press, run, screenshot, serve, value, until } from './support.mjs';

const H = 1e-3;
const CM = 100; // the scene is in CGS, run files are in SI
const DYN = 1e5;

test.after(closeBrowser);

test('a run in space, served', async (t) => {
  const folder = makeFolder(t);
  const runFile = run(folder, BALLS);
  const { bodies, contacts } = exported(folder, runFile);
  const byId = new Map(bodies.map((body) => [body.id, body]));
  const url = await serve(t, runFile);
  const page = await open(t, url);

  await t.test('opens at the last frame, and adds the report', async () => {
    assert.equal(await page.title(), 'balls and blocks on a plane');
    await page.waitForSelector('#talus-report figure svg', { state: 'attached' });
    assert.match(await page.locator('.tv-legend').innerText(), /tag/);
    await screenshot(page, 'space-desktop-light');
  });

  await t.test('looks from every side', async () => {
    for (const preset of ['front', 'side', 'top', 'oblique']) {
      const before = await page.evaluate(() => talus.stage.getCamera().join());
      await press(page, `[data-preset="${preset}"]`);
      assert.notEqual(await page.evaluate(() => talus.stage.getCamera().join()), before, preset);
    }
  });

  await t.test('shows every layer', async () => {
    for (const section of ['grains', 'forces', 'measure', 'displacement', 'slice']) await openSection(page, section);
    for (const select of await page.locator('.tv-panel select').all()) {
      for (const option of await select.locator('option').evaluateAll((all) => all.map((o) => o.value))) await select.selectOption(option);
      await select.selectOption({ index: 0 });
    }
    for (const box of await page.locator('.tv-panel input[type=checkbox]').all()) {
      await box.evaluate((element) => element.click());
      await box.evaluate((element) => element.click());
    }
    await page.selectOption('select[data-key="colour"]', 'tag');
    for (const tool of ['rose', 'rings', 'probe']) {
      await press(page, `[data-tool="${tool}"]`);
      assert.ok((await page.locator('.tv-small svg').count()) > 0, tool);
      await press(page, `[data-tool="${tool}"]`);
    }
    noTroubles(page);
  });

  await t.test('a slab hides what is outside it', async () => {
    const seen = () => page.evaluate(() => talus.computed.seen.reduce((sum, one) => sum + one, 0));
    const all = await seen();
    await page.locator('input[data-key="slab"]').fill('2');
    const some = await seen();
    assert.ok(some > 0 && some < all, `${some} of ${all}`);
    await page.locator('input[data-key="slab"]').fill('0');
    await page.selectOption('select[data-key="clip"]', 'y');
    await page.locator('input[data-key="clipAt"]').fill('0.5');
    await page.selectOption('select[data-key="forces"]', 'chains');
    await screenshot(page, 'space-desktop-clip');
    await page.selectOption('select[data-key="clip"]', '');
  });

  await t.test('a cut has the force that the exported contacts give, to the digits of a float', async () => {
    await press(page, '[data-tool="cut"]');
    const { cut, origin } = await page.evaluate(() => {
      const { diameter: d, frame } = talus;
      const heights = [...frame.radius.keys()].filter((i) => frame.radius[i] > 0).map((i) => frame.position[3 * i + 2]).sort((a, b) => a - b);
      const middle = heights[Math.floor(heights.length / 2)];
      talus.set({ cut: [-6 * d, middle + 0.1 * d, 6 * d, middle] }); // a slanted plane right across
      return { cut: talus.state.cut, origin: talus.meta.origin };
    });
    // In the drawing plane: x to the right, z up, through y = 0.
    const from = [cut[0] + origin[0], cut[1] + origin[2]];
    const span = Math.hypot(cut[2] - cut[0], cut[3] - cut[1]);
    const tangent = [(cut[2] - cut[0]) / span, (cut[3] - cut[1]) / span];
    const normal = [tangent[1], -tangent[0]];
    const side = (body) => (body.x - from[0]) * normal[0] + (body.z - from[1]) * normal[1] >= 0;
    const force = [0, 0, 0];
    let count = 0;
    for (const c of contacts) {
      const [a, b] = [byId.get(c.a), byId.get(c.b)];
      if (!a?.radius || !b?.radius || (c.impulse_x === 0 && c.impulse_y === 0 && c.impulse_z === 0) || side(a) === side(b)) continue;
      const along = (c.point_x - from[0]) * tangent[0] + (c.point_z - from[1]) * tangent[1];
      if (along < 0 || along > span) continue;
      const sign = side(a) ? 1 : -1;
      force[0] += (sign * c.impulse_x) / H;
      force[1] += (sign * c.impulse_y) / H;
      force[2] += (sign * c.impulse_z) / H;
      ++count;
    }
    assert.ok(count > 2, `the cut meets ${count} contacts`);
    const size = DYN * Math.hypot(...force);
    assert.equal(await value(page, 'cut-contacts'), count);
    for (const [k, name] of ['x', 'y', 'z'].entries()) near(await value(page, `cut-${name}`), DYN * force[k], 1e-5 * size, `force ${name}`);
    await press(page, '[data-preset="front"]');
    await screenshot(page, 'space-desktop-cut');
  });

  await t.test('a cut and a probe dragged with the mouse have the numbers of talus observe', async () => {
    await page.evaluate(() => scrollTo(0, 0));
    const drag = async (name, dx, dy) => {
      const handle = await page.locator(`[data-handle="${name}"]`).boundingBox();
      await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
      await page.mouse.down();
      await page.mouse.move(handle.x + handle.width / 2 + dx, handle.y + handle.height / 2 + dy, { steps: 4 });
      await page.mouse.up();
    };
    await page.evaluate(() => {
      const { cut } = talus.state;
      talus.set({ cut: cut.map((v, k) => (k % 2 ? v : v / 2)) }); // its ends are in the picture
    });
    const before = await page.evaluate(() => talus.state.cut);
    await drag('to', 20, -24);
    const { cut, origin } = await page.evaluate(() => ({ cut: talus.state.cut, origin: talus.meta.origin }));
    assert.notDeepEqual(cut, before, 'the handle was moved');
    const [dx, dz] = [cut[2] - cut[0], cut[3] - cut[1]];
    const rectangle = { centre: [CM * ((cut[0] + cut[2]) / 2 + origin[0]), 0, CM * ((cut[1] + cut[3]) / 2 + origin[2])], normal: [dz, 0, -dx], up: [dx, 0, dz], height: CM * Math.hypot(dx, dz), width: 1e4 };
    const force = observed(runFile, { name: 'cut', cuts: [{ rectangle }] });
    assert.ok(force.contacts > 2, `the cut meets ${force.contacts} contacts`);
    assert.equal(await value(page, 'cut-contacts'), force.contacts);
    const size = DYN * Math.hypot(force.force_x, force.force_y, force.force_z);
    for (const name of ['x', 'y', 'z']) near(await value(page, `cut-${name}`), DYN * force[`force_${name}`], 1e-5 * size, `force ${name}`);
    near(await value(page, 'cut-normal'), DYN * force.cut_1_normal, 1e-5 * size, 'normal');
    await press(page, '[data-tool="cut"]');

    await press(page, '[data-tool="probe"]');
    await drag('rim', 90, 0);
    await drag('centre', 6, 20);
    const probe = await page.evaluate(() => talus.state.probe);
    const stress = observed(runFile, { name: 'stress', region: { sphere: { centre: [CM * (probe[0] + origin[0]), 0, CM * (probe[1] + origin[2])], radius: CM * probe[2] } } });
    assert.ok(stress.grains > 3, `the probe holds ${stress.grains} grains`);
    assert.equal(await value(page, 'probe-grains'), stress.grains);
    const DYN_PER_CM2 = 10;
    const pressure = DYN_PER_CM2 * stress.pressure;
    near(await value(page, 'probe-pressure'), pressure, 1e-4 * Math.abs(pressure), 'pressure');
    for (const name of ['xx', 'xy', 'xz', 'yy', 'yz', 'zz']) near(await value(page, `probe-${name}`), DYN_PER_CM2 * stress[`stress_${name}`], 1e-4 * Math.abs(pressure), `stress ${name}`);
    near(await value(page, 'probe-principal-1'), DYN_PER_CM2 * stress.principal_1, 1e-4 * Math.abs(pressure), 'principal stress');
    await screenshot(page, 'space-desktop-probe');
    await press(page, '[data-tool="probe"]');
  });

  await t.test('the contact rose is that of talus observe', async () => {
    await press(page, '[data-tool="rose"]');
    near(await value(page, 'rose-anisotropy'), observed(runFile, { name: 'rose' }).anisotropy, 1e-5, 'anisotropy');
    await press(page, '[data-tool="rose"]');
  });

  await t.test('a click on a contact, and on a grain, shows numbers', async () => {
    const canvas = await page.locator('.tv-picture canvas').boundingBox();
    const at = await page.evaluate(() => {
      const { stage, computed } = talus;
      stage.sync();
      const k = [...Array(computed.contacts.count).keys()].find((c) => talus.isShown(c));
      return stage.toScreen([...computed.contacts.point.slice(3 * k, 3 * k + 3)]);
    });
    await page.mouse.click(canvas.x + at[0], canvas.y + at[1]);
    await until(page, () => talus.state.contact !== '');
    assert.ok((await value(page, 'contact-normal')) > 0);
    await page.selectOption('select[data-key="forces"]', 'off');
    const id = await page.evaluate(() => {
      const { frame, stage } = talus;
      talus.fit('top');
      stage.sync();
      let top = -1;
      for (let i = 0; i < frame.count; ++i) if (frame.radius[i] > 0 && (top < 0 || frame.position[3 * i + 2] > frame.position[3 * top + 2])) top = i;
      window.at = stage.toScreen([...frame.position.slice(3 * top, 3 * top + 3)]);
      return frame.id[top];
    });
    const place = await page.evaluate(() => window.at);
    await page.mouse.click(canvas.x + place[0], canvas.y + place[1]);
    await until(page, (chosen) => talus.state.select === chosen, id);
    near(await value(page, 'body-z'), byId.get(id).z * CM, 1e-5 * Math.abs(byId.get(id).z * CM) + 1e-5, 'height');
    await press(page, '[data-tool="follow"]');
    const before = await page.evaluate(() => talus.stage.getCamera().slice(3, 6).join());
    await page.keyboard.press('Home');
    await until(page, () => document.querySelector('.tv').dataset.frame === '0');
    assert.notEqual(await page.evaluate(() => talus.stage.getCamera().slice(3, 6).join()), before, 'the camera follows');
    await page.keyboard.press('Escape');
  });

  await t.test('shows displacements between two frames', async () => {
    await page.evaluate(() => talus.set({ strobe: 0, frame: 10 }));
    await until(page, () => talus.stage.paths.mesh.geometry.instanceCount > 10);
    await page.evaluate(() => talus.set({ grains: false }));
    assert.ok(await page.evaluate(() => talus.stage.paths.mesh.geometry.instanceCount > 10), 'without the grains too');
    assert.match(await page.locator('.tv-legend').innerText(), /^displacement since 0 s$/);
    await page.evaluate(() => talus.set({ grains: true, strobe: -1 }));
  });

  await t.test('records a film', async () => {
    await page.evaluate(() => talus.set({ frame: 8, rate: 25 }));
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, '[data-act="webm"]')]);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(0, 4).toString('hex'), '1a45dfa3'); // the mark of WebM
    assert.ok(bytes.length > 1000);
  });
  noTroubles(page);

  await t.test('opens with everything that an address can ask for, dark', async () => {
    const cut = '-0.05,-0.03,0.05,0.03';
    const full = await open(t, `${url}#colour=load&forces=chains&part=friction&compressive=1&slab=4&turn=20&rings=9&rose=1&marks=1&strobe=2&cut=${cut}&probe=0,-0.06,0.08&clip=z`, { colorScheme: 'dark' });
    assert.equal(await full.locator('.tv-small svg').count(), 3, 'tensions, rose and rings');
    assert.equal(await full.evaluate(() => getComputedStyle(document.querySelector('.tv-friction')).backgroundColor), 'rgb(86, 180, 233)', 'the colour of friction in the dark');
    await screenshot(full, 'space-desktop-everything-dark');
    noTroubles(full);
  });

  await t.test('fits a phone, dark', async () => {
    const phone = await open(t, url, { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true });
    assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    await screenshot(phone, 'space-phone-dark');
    noTroubles(phone);
  });
});
