// Puts the viewer into the page: opens the run, lays out picture, controls and plots, and listens.

import { App } from './app';
import { button, h } from './controls/dom';
import { savePng, saveWebm } from './controls/export';
import { Keys } from './controls/help';
import { Legend } from './controls/legend';
import { Overlay } from './controls/overlay';
import { Panel } from './controls/panel';
import { Timeline } from './controls/timeline';
import { fetchText, openSource } from './frames/source';

function fail(place: HTMLElement, error: unknown): void {
  place.replaceChildren(h('p', { class: 'tv-failed', role: 'alert' }, `The viewer cannot start: ${error instanceof Error ? error.message : String(error)}`));
}

/** The report of a served run comes after the first picture: drawing its figures takes the server a while. */
async function addReport(): Promise<void> {
  const place = document.getElementById('talus-report');
  if (!place) return;
  try {
    // Made and escaped by talus; the page's policy lets nothing in it run.
    place.append(document.createRange().createContextualFragment(await fetchText('report')));
  } catch (error) {
    place.append(h('p', {}, `The report cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
  }
}

function layOut(app: App, place: HTMLElement): void {
  const overlay = new Overlay(app);
  const legend = new Legend(app);
  const panel = new Panel(app, overlay);
  const timeline = new Timeline(app);
  const status = h('p', { class: 'tv-status', role: 'status' });
  const say = (words: string, seconds = 4) => {
    status.textContent = words;
    if (seconds) setTimeout(() => status.textContent === words && (status.textContent = app.message), 1000 * seconds);
  };
  const attempt = (work: Promise<unknown>, done: string) => void work.then(() => say(done), (error: Error) => say(error.message, 8));
  let filming = false;
  const actions = {
    png: () => attempt(savePng(app, overlay), 'Picture saved.'),
    webm: () => {
      if (filming) return void (filming = false);
      filming = true;
      attempt(saveWebm(app, overlay, (share) => {
        say(`Filming, ${Math.round(100 * share)} % …`, 0);
        return filming;
      }).finally(() => (filming = false)), 'Film saved.');
    },
    share: () => {
      const url = location.href.replace(/#.*/, '') + app.address();
      history.replaceState(null, '', app.address() || location.pathname + location.search);
      const copied = navigator.clipboard ? navigator.clipboard.writeText(url) : Promise.reject(new Error());
      copied.then(() => say('The address of this view is copied.'), () => say('The address bar holds this view.'));
    },
    full: () => void (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.().catch(() => undefined)),
    theme: () => app.set({ theme: app.isDark ? 'light' : 'dark' }),
    panel: () => root.classList.toggle('tv-wide'),
  };
  const keys = new Keys(app, actions);
  const presets = app.meta.dimension === 3
    ? h('div', { class: 'tv-presets', role: 'group', 'aria-label': 'Camera' }, ...(['front', 'side', 'top', 'oblique'] as const).map((name) => h('button', { type: 'button', 'data-preset': name, onclick: () => app.fit(name) }, name[0].toUpperCase() + name.slice(1))))
    : null;
  const tools = h('div', { class: 'tv-tools' }, presets,
    h('div', { class: 'tv-group' }, button('See everything (0)', 'fit', () => app.fit(), 'fit'), button('Picture, PNG (i)', 'camera', actions.png, 'png'), button('Film, WebM (e)', 'film', actions.webm, 'webm'),
      button('Copy the address of this view (y)', 'link', actions.share, 'share'), button('Dark or light (t)', 'theme', actions.theme, 'theme'), button('Whole screen (enter)', 'full', actions.full, 'full'), button('Controls (n)', 'panel', actions.panel, 'panel'), button('Keys (?)', 'help', () => keys.toggle(), 'help')));
  const picture = h('div', { class: 'tv-picture', tabindex: 0, role: 'application', 'aria-label': 'Picture of the run; press ? for the keys' }, app.stage.canvas, overlay.svg, legend.element, tools, status);
  const note = app.meta.notes?.length ? h('p', { class: 'tv-note' }, app.meta.notes.join(' ')) : null;
  const root = h('div', { class: 'tv' }, picture, panel.element, timeline.bar, timeline.plots, note, keys.dialog);
  place.replaceChildren(root);

  let pressed: { x: number; y: number } | null = null;
  app.stage.canvas.addEventListener('pointerdown', (event) => {
    pressed = { x: event.offsetX, y: event.offsetY };
    picture.focus({ preventScroll: true });
  });
  app.stage.canvas.addEventListener('pointerup', (event) => {
    // A click, not the end of a drag.
    if (pressed && Math.hypot(event.offsetX - pressed.x, event.offsetY - pressed.y) < 4) app.pick(event.offsetX, event.offsetY);
    pressed = null;
  });
  document.addEventListener('keydown', (event) => keys.handle(event));
  new ResizeObserver(() => {
    app.stage.resize(picture.clientWidth, picture.clientHeight);
    overlay.update();
  }).observe(picture);
  app.stage.resize(picture.clientWidth, picture.clientHeight);

  let writing = 0;
  app.onChange.push(() => {
    overlay.update();
    legend.update();
    panel.update();
    timeline.update();
    if (app.message) status.textContent = app.message;
    else if (!filming && /^Frame |no frame/.test(status.textContent ?? '')) status.textContent = '';
    root.dataset.frame = String(app.index);
    clearTimeout(writing);
    writing = window.setTimeout(() => history.replaceState(null, '', app.address() || location.pathname + location.search), 400);
  });
}

async function start(): Promise<void> {
  const place = document.getElementById('talus-viewer');
  if (!place) return;
  try {
    const source = await openSource();
    const app = new App(source);
    layOut(app, place);
    if (source.isServed) {
      document.title = source.meta.title;
      document.querySelector('header.top h1')!.textContent = source.meta.title;
      const p = source.meta.provenance;
      document.querySelector('header.top .sub')!.textContent = `${p.date} · talus ${p.version}${source.meta.state === 'running' ? ' · still running' : ''}`;
    }
    await app.begin();
    place.dataset.ready = '1';
    (window as unknown as { talus: App }).talus = app; // for tests and for the curious
    if (source.isServed) await addReport();
  } catch (error) {
    fail(place, error);
  }
}

void start();
