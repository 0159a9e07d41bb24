// Small plots: curves over time, roses, bars, sinusoids. SVG, in the colours of the page.

import { HUES } from '../draw/colours';
import { h, s, show } from './dom';
import type { Rose } from '../measure/rose';
import type { Ring } from '../measure/rings';
import type { Tension } from '../measure/stress';

export interface Curve {
  name: string;
  values: (number | null)[];
}

/** Round numbers of a scale. */
export function ticks(low: number, high: number, most: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((f) => span / f <= most)!;
  const out: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * span; ++k) out.push(Number((k * step).toPrecision(12)));
  return out;
}

const W = 360;
const H = 128;
const LEFT = 44;
const RIGHT = 8;
const TOP = 8;
const BOTTOM = 20;

export class TimeChart {
  readonly element: HTMLElement;
  private cursor = s('line', { class: 'tv-cursor', y1: TOP, y2: H - BOTTOM });
  private svg: SVGSVGElement;
  private low = 0;
  private high = 1;

  constructor(title: string, time: (number | null)[], curves: Curve[], options: { log?: boolean; unit?: string; seek: (time: number) => void }) {
    const times = time.map((t) => t ?? NaN);
    this.low = times[0] ?? 0;
    this.high = times[times.length - 1] ?? 1;
    if (!(this.high > this.low)) this.high = this.low + 1;
    this.svg = s('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `${title} over time` });
    this.draw(times, curves, options.log ?? false);
    this.svg.append(this.cursor);
    const names = curves.map((curve, k) => h('span', {}, h('i', { style: `background:${HUES[k]}` }), curve.name));
    this.element = h('figure', { class: 'tv-chart' }, h('figcaption', {}, h('b', {}, title + (options.unit ? ` [${options.unit}]` : '')), ...names), this.svg);
    const seek = (event: PointerEvent) => {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * W;
      options.seek(this.low + ((x - LEFT) / (W - LEFT - RIGHT)) * (this.high - this.low));
    };
    this.svg.addEventListener('pointerdown', (event) => {
      this.svg.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.svg.addEventListener('pointermove', (event) => event.buttons & 1 && seek(event));
  }

  private x(t: number): number { return LEFT + ((t - this.low) / (this.high - this.low)) * (W - LEFT - RIGHT); }

  private draw(times: number[], curves: Curve[], log: boolean): void {
    const all = curves.flatMap((curve) => curve.values).filter((v): v is number => v !== null && Number.isFinite(v) && (!log || v > 0));
    let low = Math.min(...(all.length ? all : [0]));
    let high = Math.max(...(all.length ? all : [1]));
    if (log) {
      high = Math.log10(high || 1);
      low = Math.max(Math.log10(low || 0.1), high - 6);
    }
    if (!log && low > 0 && low < 0.6 * high) low = 0;
    if (!(high > low)) [low, high] = [low - 0.5 * Math.abs(low || 1), high + 0.5 * Math.abs(high || 1)];
    const y = (v: number) => H - BOTTOM - ((v - low) / (high - low)) * (H - TOP - BOTTOM);
    const marks = log ? ticks(Math.ceil(low), Math.floor(high), 4).filter(Number.isInteger) : ticks(low, high, 4);
    if (log && all.length === 0) this.svg.append(s('text', { x: (LEFT + W - RIGHT) / 2, y: H / 2, 'text-anchor': 'middle' }, 'zero at all times'));
    else for (const mark of marks) {
      const at = y(mark);
      this.svg.append(s('line', { class: 'tv-grid', x1: LEFT, x2: W - RIGHT, y1: at, y2: at }), s('text', { x: LEFT - 5, y: at + 3.5, 'text-anchor': 'end' }, log ? show(10 ** mark, 2) : show(mark, 3)));
    }
    for (const mark of ticks(this.low, this.high, 5)) this.svg.append(s('text', { x: this.x(mark), y: H - 6, 'text-anchor': 'middle' }, show(mark, 3)));
    curves.forEach((curve, k) => {
      let path = '';
      let pen = false;
      curve.values.forEach((value, i) => {
        const usable = value !== null && Number.isFinite(value) && Number.isFinite(times[i]) && (!log || value > 0);
        if (!usable) {
          pen = false;
          return;
        }
        path += `${pen ? 'L' : 'M'}${this.x(times[i]).toFixed(1)} ${Math.min(H - BOTTOM, y(log ? Math.log10(value!) : value!)).toFixed(1)}`;
        pen = true;
      });
      this.svg.append(s('path', { d: path, fill: 'none', stroke: HUES[k], 'stroke-width': 1.6, 'stroke-linejoin': 'round' }));
    });
  }

  setTime(t: number): void {
    const x = this.x(Math.max(this.low, Math.min(this.high, t)));
    this.cursor.setAttribute('x1', String(x));
    this.cursor.setAttribute('x2', String(x));
  }
}

export function roseChart(rose: Rose): SVGSVGElement {
  const R = 86;
  const most = Math.max(1.2, ...rose.sectors.map((sector) => sector.density));
  const r = (density: number) => (Math.max(0, density) / most) * R;
  const svg = s('svg', { viewBox: '-100 -100 200 200', role: 'img', 'aria-label': 'Rose of contact directions', class: 'tv-rose' });
  svg.append(s('circle', { class: 'tv-grid', r: r(1), fill: 'none' }));
  for (const sector of rose.sectors) {
    const radius = r(sector.density);
    const [x1, y1, x2, y2] = [Math.cos(sector.low), -Math.sin(sector.low), Math.cos(sector.high), -Math.sin(sector.high)].map((v) => (v * radius).toFixed(2));
    svg.append(s('path', { d: `M0 0L${x1} ${y1}A${radius} ${radius} 0 0 0 ${x2} ${y2}Z`, class: 'tv-sector' }));
  }
  let path = '';
  for (let k = 0; k <= 180; ++k) {
    const theta = (k * Math.PI) / 90;
    const radius = r(rose.fit(theta));
    path += `${k ? 'L' : 'M'}${(radius * Math.cos(theta)).toFixed(2)} ${(-radius * Math.sin(theta)).toFixed(2)}`;
  }
  svg.append(s('path', { d: path + 'Z', class: 'tv-fit' }));
  return svg;
}

export function ringChart(rings: Ring[], length: number, pressure: number): SVGSVGElement {
  const [w, height] = [280, 120];
  const most = Math.max(1e-300, ...rings.map((ring) => ring.pressure * pressure));
  const outer = rings[rings.length - 1].outer * length;
  const x = (v: number) => 40 + (v / outer) * (w - 48);
  const y = (v: number) => height - 18 - (v / most) * (height - 28);
  const svg = s('svg', { viewBox: `0 0 ${w} ${height}`, role: 'img', 'aria-label': 'Pressure on the ground by rings' });
  for (const mark of ticks(0, most, 3)) svg.append(s('line', { class: 'tv-grid', x1: 40, x2: w - 8, y1: y(mark), y2: y(mark) }), s('text', { x: 36, y: y(mark) + 3.5, 'text-anchor': 'end' }, show(mark, 3)));
  for (const ring of rings) {
    const [left, right, top] = [x(ring.inner * length), x(ring.outer * length), y(Math.max(0, ring.pressure * pressure))];
    svg.append(s('rect', { x: left + 0.7, y: top, width: Math.max(0, right - left - 1.4), height: height - 18 - top, class: 'tv-bar', rx: 1.5 }));
  }
  for (const mark of ticks(0, outer, 4)) svg.append(s('text', { x: x(mark), y: height - 5, 'text-anchor': 'middle' }, show(mark, 3)));
  return svg;
}

/** Curves of the tensor's tensions over the direction of the cut, and points measured on diameters. */
export function tensionChart(curves: Tension[], points: Tension[], factor: number): SVGSVGElement {
  const [w, height] = [280, 140];
  const all = [...curves, ...points].flatMap((t) => [t.normal * factor, t.tangential * factor]).filter(Number.isFinite);
  const low = Math.min(0, ...all);
  const high = Math.max(1e-300, ...all);
  const x = (angle: number) => 44 + (angle / 180) * (w - 52);
  const y = (v: number) => height - 18 - ((v - low) / (high - low)) * (height - 26);
  const svg = s('svg', { viewBox: `0 0 ${w} ${height}`, role: 'img', 'aria-label': 'Tension on cuts of every direction' });
  for (const mark of ticks(low, high, 4)) svg.append(s('line', { class: 'tv-grid', x1: 44, x2: w - 8, y1: y(mark), y2: y(mark) }), s('text', { x: 40, y: y(mark) + 3.5, 'text-anchor': 'end' }, show(mark, 3)));
  for (const angle of [0, 45, 90, 135, 180]) svg.append(s('text', { x: x(angle), y: height - 5, 'text-anchor': 'middle' }, `${angle}°`));
  (['normal', 'tangential'] as const).forEach((part, k) => {
    const path = curves.map((t, i) => `${i ? 'L' : 'M'}${x(t.angle).toFixed(1)} ${y(t[part] * factor).toFixed(1)}`).join('');
    svg.append(s('path', { d: path, fill: 'none', stroke: HUES[k], 'stroke-width': 1.6 }));
    for (const t of points) svg.append(s('circle', { cx: x(t.angle), cy: y(t[part] * factor), r: 2.1, fill: HUES[k] }));
  });
  return svg;
}
