// Pictures and films of what is seen: the picture, what is drawn over it, the legend, title and time, on one canvas.

import type { App } from '../app';
import { colourAt } from '../draw/colours';
import { show } from './dom';
import { css, forceWords, pathWords, scaleMarks } from './legend';
import type { Overlay } from './overlay';

/** The overlay as an image: its style goes with it, because an image knows no style sheet of the page. */
async function overlayImage(overlay: Overlay, width: number, height: number): Promise<HTMLImageElement> {
  const copy = overlay.svg.cloneNode(true) as SVGSVGElement;
  const originals = overlay.svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, k) => {
    const style = getComputedStyle(originals[k]);
    for (const name of ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-size', 'font-family', 'font-weight', 'display', 'paint-order']) (element as SVGElement).style.setProperty(name, style.getPropertyValue(name));
  });
  copy.querySelectorAll('.tv-handle').forEach((handle) => handle.remove());
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const image = new Image();
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  await image.decode();
  return image;
}

function drawLegend(pen: CanvasRenderingContext2D, app: App, width: number, height: number): void {
  const scale = app.computed?.colouring.scale;
  pen.fillStyle = app.theme.ink;
  pen.font = '600 15px system-ui, sans-serif';
  pen.textBaseline = 'alphabetic';
  pen.fillText(app.meta.title, 16, 28);
  pen.font = '13px system-ui, sans-serif';
  pen.fillText(`t = ${show(app.entry.time, 5)} s`, 16, 47);
  [forceWords(app), pathWords(app)].filter(Boolean).forEach((words, k) => pen.fillText(words, 16, 66 + 19 * k));
  if (!scale || scale.kind === 'plain' || !app.state.grains) return;
  const [w, x, y] = [220, width - 236, height - 44];
  pen.fillText(scale.label, x, y - 8);
  if (scale.kind === 'classes') {
    (scale.classes ?? []).slice(0, 6).forEach((entry, k) => {
      pen.fillStyle = entry.colour;
      pen.fillRect(x + (k % 3) * 74, y + 18 * Math.floor(k / 3), 11, 11);
      pen.fillStyle = app.theme.ink;
      pen.fillText(entry.name.slice(0, 8), x + (k % 3) * 74 + 15, y + 10 + 18 * Math.floor(k / 3));
    });
    return;
  }
  for (let k = 0; k < w; ++k) {
    const share = app.state.colour === 'age' && app.state.layers > 0 ? Math.floor((k / w) * app.state.layers) / Math.max(1, app.state.layers - 1) : k / w;
    pen.fillStyle = css(colourAt(scale.map, share));
    pen.fillRect(x + k, y, 1.5, 10);
  }
  pen.fillStyle = app.theme.ink;
  pen.textAlign = 'center';
  for (const mark of scaleMarks(scale)) pen.fillText(mark.text, x + mark.share * w, y + 25);
  pen.textAlign = 'left';
}

async function compose(app: App, overlay: Overlay, canvas: HTMLCanvasElement): Promise<void> {
  const { canvas: source } = app.stage;
  const { width, height } = app.stage.renderedSize;
  if (canvas.width !== source.width || canvas.height !== source.height) [canvas.width, canvas.height] = [source.width, source.height];
  const pen = canvas.getContext('2d')!;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  const image = await overlayImage(overlay, width, height);
  app.stage.render(); // in the same turn as it is read: the browser forgets it afterwards
  pen.drawImage(source, 0, 0);
  pen.scale(source.width / width, source.height / height);
  pen.drawImage(image, 0, 0, width, height);
  drawLegend(pen, app, width, height);
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const fileName = (app: App, ending: string): string => `${String(app.meta.provenance.scene || 'run').replace(/[^\w.-]+/g, '_')}-${String(app.entry.number).padStart(4, '0')}.${ending}`;

export async function savePng(app: App, overlay: Overlay): Promise<void> {
  const canvas = document.createElement('canvas');
  await compose(app, overlay, canvas);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('The browser made no picture.');
  save(blob, fileName(app, 'png'));
}

/** Plays all frames from the present one into a film. */
export async function saveWebm(app: App, overlay: Overlay, progress: (share: number) => boolean): Promise<void> {
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((name) => typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(name));
  if (!type) throw new Error('This browser records no WebM.');
  app.play(false);
  const canvas = document.createElement('canvas');
  const first = app.index === app.last ? 0 : app.index;
  app.state.frame = first;
  await app.refresh();
  await compose(app, overlay, canvas);
  const stream = canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12_000_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const ended = new Promise((done) => (recorder.onstop = done));
  const started = new Promise((done) => (recorder.onstart = done));
  recorder.start(200);
  await started; // what is drawn before is lost
  for (let k = first; k <= app.last && progress((k - first) / Math.max(1, app.last - first)); ++k) {
    const began = performance.now();
    app.state.frame = k;
    await app.refresh();
    await new Promise((done) => setTimeout(done, 0)); // the overlay follows
    await compose(app, overlay, canvas);
    track.requestFrame();
    await new Promise((done) => setTimeout(done, Math.max(0, 1000 / app.state.rate - (performance.now() - began))));
  }
  // Frames are still on their way through the encoder; on a busy machine even the first ones. A frame is only taken when something was drawn.
  const recorded = () => parts.reduce((sum, part) => sum + part.size, 0);
  for (let wait = 0; wait < 2 || (wait < 80 && recorded() < 2000); ++wait) {
    await compose(app, overlay, canvas);
    track.requestFrame();
    await new Promise((done) => setTimeout(done, 250));
  }
  recorder.stop();
  await ended;
  track.stop();
  if (recorded() === 0) throw new Error('The browser recorded nothing; it may be too busy.');
  save(new Blob(parts, { type: 'video/webm' }), fileName(app, 'webm'));
}
