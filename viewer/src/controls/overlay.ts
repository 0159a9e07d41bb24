// What is drawn over the picture: the cut with its force, the probe with its principal cross, rings, what was chosen, a scale bar. Handles are dragged
// with the pointer, or moved with the arrow keys once they have the focus.

import type { App } from '../app';
import { rowOf } from '../frames/frame';
import { onPlane } from '../measure/plane';
import { add, at, dot, length, scale, sub, type Vec } from '../measure/vector';
import { upOf } from '../measure/plane';
import { s, show } from './dom';
import { ticks } from './charts';

type Handle = 'from' | 'to' | 'middle' | 'centre' | 'rim';

export class Overlay {
  readonly svg = s('svg', { class: 'tv-overlay' });
  private lines = s('g');
  private handles = new Map<Handle, SVGCircleElement>();
  private dragged: Handle | null = null;

  constructor(private readonly app: App) {
    this.svg.append(
      s('defs', {}, s('marker', { id: 'tv-arrow', viewBox: '0 0 10 10', refX: 8, refY: 5, markerWidth: 5, markerHeight: 5, orient: 'auto-start-reverse' }, s('path', { d: 'M0 0L10 5L0 10z', class: 'tv-arrowhead' }))),
      this.lines);
    const labels: Record<Handle, string> = { from: 'Start of the cut', to: 'End of the cut', middle: 'The whole cut', centre: 'The probe', rim: 'Size of the probe' };
    for (const name of Object.keys(labels) as Handle[]) this.handles.set(name, this.makeHandle(name, labels[name]));
  }

  private makeHandle(name: Handle, label: string): SVGCircleElement {
    const handle = s('circle', { r: 8, class: 'tv-handle', tabindex: 0, role: 'slider', 'aria-label': `${label}: drag, or use the arrow keys`, 'data-handle': name });
    handle.addEventListener('pointerdown', (event) => {
      handle.setPointerCapture(event.pointerId);
      this.dragged = name;
      event.preventDefault();
      event.stopPropagation();
      handle.focus();
    });
    handle.addEventListener('pointermove', (event) => {
      if (this.dragged !== name) return;
      const box = this.svg.getBoundingClientRect();
      const to = this.toPlane(event.clientX - box.left, event.clientY - box.top);
      if (to) this.move(name, to);
    });
    for (const end of ['pointerup', 'pointercancel']) handle.addEventListener(end, () => (this.dragged = null));
    handle.addEventListener('keydown', (event) => {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      const here = this.place(name);
      if (!way || !here) return;
      const step = this.app.diameter * (event.shiftKey ? 1 : 0.1);
      this.move(name, [here[0] + way[0] * step, here[1] + way[1] * step]);
      event.preventDefault();
      event.stopPropagation();
    });
    this.svg.append(handle);
    return handle;
  }

  private toPlane(x: number, y: number): [number, number] | null {
    const plane = this.app.computed?.plane;
    const hit = plane ? this.app.stage.onPlane(x, y, plane.origin, plane.depth) : null;
    if (!plane || !hit) return null;
    const d = sub(hit, plane.origin);
    return [dot(d, plane.along), dot(d, plane.up)];
  }

  /** Where a handle stands in the drawing plane. */
  private place(name: Handle): [number, number] | null {
    const { cut, probe } = this.app.state;
    if (cut.length === 4) {
      if (name === 'from') return [cut[0], cut[1]];
      if (name === 'to') return [cut[2], cut[3]];
      if (name === 'middle') return [(cut[0] + cut[2]) / 2, (cut[1] + cut[3]) / 2];
    }
    if (probe.length === 3) {
      if (name === 'centre') return [probe[0], probe[1]];
      if (name === 'rim') return [probe[0] + probe[2], probe[1]];
    }
    return null;
  }

  private move(name: Handle, [x, y]: [number, number]): void {
    const cut = [...this.app.state.cut];
    const probe = [...this.app.state.probe];
    if (name === 'from') [cut[0], cut[1]] = [x, y];
    if (name === 'to') [cut[2], cut[3]] = [x, y];
    if (name === 'middle') {
      const [mx, my] = this.place('middle')!;
      for (const k of [0, 2]) [cut[k], cut[k + 1]] = [cut[k] + x - mx, cut[k + 1] + y - my];
    }
    if (name === 'centre') [probe[0], probe[1]] = [x, y];
    if (name === 'rim') probe[2] = Math.max(1e-9, Math.hypot(x - probe[0], y - probe[1]));
    this.app.set({ cut, probe });
  }

  update(): void {
    this.lines.replaceChildren();
    this.app.stage.sync();
    const { computed } = this.app;
    for (const [name, handle] of this.handles) {
      const place = computed ? this.place(name) : null;
      const p = place && computed ? this.app.stage.toScreen(onPlane(computed.plane, ...place)) : null;
      handle.style.display = p ? '' : 'none';
      if (!p) continue;
      handle.setAttribute('cx', String(p[0]));
      handle.setAttribute('cy', String(p[1]));
    }
    if (!computed) return;
    this.drawRings();
    this.drawCut();
    this.drawProbe();
    this.drawChosen();
    this.drawScaleBar();
  }

  private path(points: Vec[], kind: string, closed = false): void {
    const seen = points.map((p) => this.app.stage.toScreen(p));
    if (seen.some((p) => p === null)) return;
    this.lines.append(s('path', { d: seen.map((p, k) => `${k ? 'L' : 'M'}${p![0].toFixed(1)} ${p![1].toFixed(1)}`).join('') + (closed ? 'Z' : ''), class: kind }));
  }

  private drawCut(): void {
    const { cutSpec: spec, computed, meta } = this.app;
    if (!spec || !computed) return;
    const { plane, cut } = computed;
    const [from, to] = [onPlane(plane, ...spec.from), onPlane(plane, ...spec.to)];
    if (meta.dimension === 3) {
      const reach = Number.isFinite(spec.width) ? spec.width / 2 : this.app.diameter * 2;
      const [near, far] = [scale(plane.depth, -reach), scale(plane.depth, reach)];
      this.path([add(from, near), add(to, near), add(to, far), add(from, far)], 'tv-ribbon', true);
    }
    this.path([from, to], 'tv-cut');
    const force = cut ? length(cut.force) : 0;
    if (!cut || force === 0) return;
    const middle = scale(add(from, to), 0.5);
    const reach = Math.min(0.35 * length(sub(to, from)), 6 * this.app.diameter) + this.app.diameter;
    this.path([middle, add(middle, scale(cut.force, reach / force))], 'tv-force');
  }

  private drawProbe(): void {
    const { probeSpec: spec, computed, meta } = this.app;
    if (!spec || !computed) return;
    const { plane, stress } = computed;
    const circle = Array.from({ length: 73 }, (_, k) => onPlane(plane, spec.centre[0] + spec.radius * Math.cos((k * Math.PI) / 36), spec.centre[1] + spec.radius * Math.sin((k * Math.PI) / 36)));
    this.path(circle, 'tv-probe');
    if (!stress) return;
    const centre = onPlane(plane, ...spec.centre);
    const most = Math.max(...stress.axes.map((axis) => Math.abs(axis.value)));
    if (!(most > 0)) return;
    for (const { value, axis } of stress.axes.slice(0, meta.dimension)) {
      const arm = scale(axis, (spec.radius * 0.92 * Math.abs(value)) / most);
      this.path([sub(centre, arm), add(centre, arm)], value < 0 ? 'tv-cross tv-pull' : 'tv-cross');
    }
  }

  private drawRings(): void {
    const { state, meta, frame } = this.app;
    if (state.rings <= 0 || meta.dimension !== 3 || !frame) return;
    const up = upOf(meta);
    const radius = this.ringRadius();
    const origin: Vec = [-meta.origin[0], -meta.origin[1], -(meta.origin[2] ?? 0)];
    const base = (up[0] * (meta.extent.low[0] - meta.origin[0]) + up[1] * (meta.extent.low[1] - meta.origin[1]) + up[2] * ((meta.extent.low[2] ?? 0) - (meta.origin[2] ?? 0)));
    const foot = add(origin, scale(up, base - dot(origin, up)));
    const e: Vec = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const x = sub(e, scale(up, dot(e, up)));
    const y: Vec = [up[1] * x[2] - up[2] * x[1], up[2] * x[0] - up[0] * x[2], up[0] * x[1] - up[1] * x[0]];
    for (let k = 1; k <= state.rings; ++k) {
      const r = (radius * k) / state.rings;
      this.path(Array.from({ length: 73 }, (_, i) => add(foot, add(scale(x, r * Math.cos((i * Math.PI) / 36)), scale(y, r * Math.sin((i * Math.PI) / 36))))), 'tv-ring');
    }
  }
  /** The farthest grain from the axis that touches a wall. */
  ringRadius(): number {
    const { frame, computed, meta } = this.app;
    let radius = 0;
    if (!frame || !computed?.contacts) return this.app.diameter;
    const up = upOf(meta);
    const c = computed.contacts;
    for (let k = 0; k < c.count; ++k) {
      if (c.a[k] < 0 || c.b[k] < 0 || !(frame.wall[c.a[k]] || frame.wall[c.b[k]])) continue;
      const d = add(at(c.point, k), [meta.origin[0], meta.origin[1], meta.origin[2] ?? 0]);
      radius = Math.max(radius, length(sub(d, scale(up, dot(d, up)))));
    }
    return radius * 1.0001 || this.app.diameter;
  }

  private drawChosen(): void {
    const { frame, state, computed, stage } = this.app;
    if (!frame || !computed) return;
    const ring = (p: [number, number] | null, r: number) => p && this.lines.append(s('circle', { cx: p[0], cy: p[1], r, class: 'tv-chosen' }));
    for (const id of new Set([state.select, state.follow])) {
      const i = rowOf(frame, id);
      if (id >= 0 && i >= 0) ring(stage.toScreen(at(frame.position, i)), Math.max(6, frame.radius[i] * stage.pixelsPer() * 1.12));
    }
    const k = this.app.contactRow();
    if (k >= 0) ring(stage.toScreen(at(computed.contacts!.point, k)), 9);
  }

  private drawScaleBar(): void {
    const { stage, meta } = this.app;
    if (stage.isPerspective) return; // lengths differ with depth
    const unit = meta.units.length;
    const perUnit = stage.pixelsPer() / unit.factor;
    const size = ticks(0, 130 / perUnit, 1).pop() ?? 0;
    if (!(size > 0)) return;
    const { height } = stage.renderedSize;
    const [x, y, w] = [16, height - 18, size * perUnit];
    this.lines.append(s('path', { d: `M${x} ${y - 4}V${y}H${x + w}V${y - 4}`, class: 'tv-bar-line' }), s('text', { x: x + w / 2, y: y - 6, 'text-anchor': 'middle', class: 'tv-bar-text' }, `${show(size, 3)} ${unit.name}`));
  }
}
