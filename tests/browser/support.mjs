// What the tests of the viewer share: small runs, a browser, a page that reports every error, and tables of `talus export`.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';

export const TALUS = process.env.TALUS_BINARY ?? 'build/talus';
const modules = process.env.TALUS_VIEWER_DIR ?? 'build/viewer';
const shots = process.env.TALUS_SCREENSHOTS ?? join(tmpdir(), 'talus-screenshots');
export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const driver = join(modules, 'node_modules/playwright-core/package.json');

if (!CHROMIUM || !existsSync(driver)) {
  console.log(`skipped: ${CHROMIUM ? 'playwright-core is not in ' + modules : 'there is no Chromium; ./test installs it'}`);
  process.exit(77);
}
const { chromium } = createRequire(join(modules, 'package.json'))('playwright-core');

export const DISKS = `
talus: 1
title: disks settle in a box
dimension: 2
gravity: 9.81
step: 1e-3
duration: 0.6
seed: 3
materials:
  grain: {density: 2500, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 1]}, material: grain}
  - {name: left, plane: {normal: [1, 0]}, material: grain}
  - {name: right, plane: {normal: [-1, 0]}, position: [0.42, 0], material: grain}
generate:
  - {name: grains, lattice: {kind: square, counts: [9, 9], origin: [0.025, 0.03], jitter: 0.004, spacing: 0.046}, diameter: {uniform: [0.028, 0.04]}, material: grain}
record: {every: 0.05, sums: true}
observe: [energy]
`;

export const BALLS = `
talus: 1
title: balls and blocks on a plane
dimension: 3
units: cgs
gravity: 981
step: 1e-3
duration: 0.5
seed: 3
materials:
  grain: {density: 2.5, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}
  - {name: wall, cylinder_inside: {radius: 10}, material: grain}
generate:
  - {name: balls, lattice: {kind: cubic, counts: [4, 4, 3], origin: [-5, -5, 2], jitter: 0.3, spacing: 3.2}, diameter: {uniform: [2, 3]}, material: grain, tag: 1}
  - {name: blocks, lattice: {kind: cubic, counts: [3, 3, 1], origin: [-4, -4, 14], spacing: 4}, diameter: 2.5, shape: {polyhedron: {vertices: [8, 12], roundness: 0.5}}, material: grain, tag: 2}
record: {every: 0.05}
observe: [energy, contacts]
`;

/** A folder that goes when the test ends. */
export function makeFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'talus-browser-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function talus(...words) {
  return execFileSync(TALUS, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a scene; returns the run file. */
export function run(folder, scene, ...words) {
  writeFileSync(join(folder, 'scene.yaml'), scene);
  talus('run', join(folder, 'scene.yaml'), '--out', join(folder, 'out'), ...words);
  return join(folder, 'out/run.h5');
}

export function makePage(folder, runFile, ...words) {
  const file = join(folder, 'page.html');
  talus('view', runFile, '--html', file, ...words);
  return 'file://' + file;
}

/** Starts `talus view`; returns the address. */
export async function serve(t, runFile) {
  const server = spawn(TALUS, ['view', runFile, '--no-open'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => server.kill('SIGINT'));
  return new Promise((done, fail) => {
    let text = '';
    server.stdout.on('data', (data) => {
      text += data;
      const found = /http:\S+/.exec(text);
      if (found) done(found[0]);
    });
    server.on('exit', () => fail(new Error('talus view ended: ' + text)));
  });
}

let browser;
export async function openBrowser() {
  browser ??= await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-gpu-rasterization', '--disable-dev-shm-usage'],
  });
  return browser;
}
export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

/** Opens an address and waits for the viewer. `page.troubles` collects errors and requests that leave the page's own origin. */
export async function open(t, url, options = {}) {
  const context = await (await openBrowser()).newContext({ viewport: { width: 1000, height: 700 }, acceptDownloads: true, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.troubles = [];
  page.on('pageerror', (error) => page.troubles.push('error: ' + error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !/GPU stall|software WebGL|GL Driver Message/i.test(message.text())) page.troubles.push('console: ' + message.text());
  });
  const own = url.startsWith('file:') ? 'file:' : new URL(url).origin;
  page.on('request', (request) => {
    if (!request.url().startsWith(own) && !/^(data|blob):/.test(request.url())) page.troubles.push('request: ' + request.url());
  });
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForSelector('#talus-viewer[data-ready]', { state: 'attached' });
  return page;
}

export async function screenshot(page, name) {
  mkdirSync(shots, { recursive: true });
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(shots, name + '.png'), timeout: 120_000 });
}

export function noTroubles(page) {
  assert.deepEqual(page.troubles, []);
}

/** A number that the page shows, in the scene's units, with all its digits. */
export async function value(page, name) {
  const text = await page.locator(`[data-name="${name}"]`).first().getAttribute('data-value');
  assert.ok(text !== null, `${name} is not shown`);
  return Number(text);
}

/** Waits until something holds in the page. Asked by the clock: pictures, which the driver would wait for, are slow to come in software. */
export async function until(page, condition, argument) {
  await page.waitForFunction(condition, argument, { polling: 100 });
}

/** Presses a control as a click does. The pointer itself is used where it matters; elsewhere waiting until a page that is drawn in software stands still takes long. */
export async function press(page, selector) {
  await page.locator(selector).first().evaluate((element) => element.click());
}

/** Opens a section of the controls. */
export async function openSection(page, name) {
  await page.evaluate((section) => document.querySelector(`details[data-section="${section}"]`).setAttribute('open', ''), name);
}

/** The rows of a CSV file as objects of numbers. */
export function readCsv(path) {
  const [head, ...rows] = readFileSync(path, 'utf8').trim().split('\n');
  const names = head.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, k) => [names[k], Number(cell)])));
}

/** Bodies and contacts of a frame as `talus export` writes them. */
export function exported(folder, runFile, frame = 'last') {
  const csv = join(folder, 'csv');
  talus('export', runFile, '--csv', csv, '--frame', String(frame));
  return { bodies: readCsv(join(csv, 'bodies.csv')), contacts: readCsv(join(csv, 'contacts.csv')) };
}

/** What `talus observe` measures on the last frame, SI: the numbers of an observable, and the first row of each of its tables. */
export function observed(runFile, what) {
  const { values, tables } = JSON.parse(talus('observe', runFile, JSON.stringify(what), '--json').trim().split('\n').at(-1)).frames.at(-1).observables[0];
  const numbers = Object.fromEntries(Object.entries(values).map(([name, entry]) => [name, entry.value]));
  for (const columns of Object.values(tables)) for (const column of columns) numbers[column.name] ??= column.values[0];
  return numbers;
}

export function near(actual, expected, tolerance, what) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} is not ${expected} within ${tolerance}`);
}
