// The viewer: holds the state, gets frames, and keeps picture, plots and numbers in step with both.

import { colourise, type Colouring, HUES, linearOf, type Scale } from './draw/colours';
import { Stage, type Preset } from './draw/stage';
import { type Contacts, type Frame, isGrain, loads, normalForce, rowOf } from './frames/frame';
import type { Source } from './frames/source';
import { cutForce, type CutForce, type CutSpec } from './measure/cut';
import { drawingPlane, type DrawingPlane, upOf } from './measure/plane';
import { probeStress, type ProbeSpec, type Stress } from './measure/stress';
import { add, at, dot, length, scale, sub, type Vec } from './measure/vector';
import { DEFAULTS, fromAddress, type State, toAddress } from './state';

export interface Theme {
  paper: string;
  ink: string;
  grain: string;
  fixed: string;
}
const LIGHT: Theme = { paper: '#f6f5f1', ink: '#20262b', grain: '#b9c3c9', fixed: '#8d9296' };
const DARK: Theme = { paper: '#101316', ink: '#e8e6e1', grain: '#7f8b93', fixed: '#565d63' };

/** What is worked out anew whenever frame or state change. */
export interface Computed {
  plane: DrawingPlane;
  contacts: Contacts | null; // those of the step or of the interval, as chosen
  colouring: Colouring;
  seen: Uint8Array;
  cut: CutForce | null;
  stress: Stress | null;
}

export class App {
  state: State;
  readonly stage: Stage;
  frame: Frame | null = null;
  computed: Computed | null = null;
  isPlaying = false;
  message = '';
  readonly diameter: number; // mean of smallest and largest grain [m]
  onChange: (() => void)[] = [];
  private before: Frame | null = null; // of the displacements
  private start: State; // what an empty address means
  private scales = new Map<string, Scale>();
  private wanted = -1; // the frame that is being fetched
  private timer = 0;
  strongest = 0; // force that thickness goes by [N]

  constructor(readonly source: Source) {
    const { meta } = source;
    this.stage = new Stage(meta);
    this.diameter = meta.extent.smallest + meta.extent.largest || 1;
    this.start = { ...DEFAULTS, perspective: meta.dimension === 3 };
    this.state = { ...this.start, ...fromAddress(location.hash) };
    this.stage.onView = () => this.noteView();
  }

  get meta() { return this.source.meta; }
  get last(): number { return this.source.entries.length - 1; }
  get index(): number { return this.state.frame < 0 ? this.last : Math.min(this.state.frame, this.last); }
  get entry() { return this.source.entries[this.index]; }
  get theme(): Theme { return this.isDark ? DARK : LIGHT; }
  get isDark(): boolean {
    return this.state.theme === 'dark' || (this.state.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  }

  /** Changes the state and brings everything in step with it. */
  set(change: Partial<State>): void {
    Object.assign(this.state, change);
    if ('theme' in change) this.applyTheme();
    if ('perspective' in change) this.stage.setPerspective(this.state.perspective);
    void this.refresh();
  }

  applyTheme(): void {
    const root = document.documentElement;
    if (this.state.theme === 'auto') root.removeAttribute('data-theme');
    else root.setAttribute('data-theme', this.state.theme);
    this.stage.setTheme(this.theme.paper, this.theme.ink);
  }

  async begin(): Promise<void> {
    this.applyTheme();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.applyTheme();
      void this.refresh();
    });
    this.stage.setPerspective(this.state.perspective);
    this.source.onGrowth = (_, state) => {
      this.scales.clear();
      if (!this.state.tail && this.state.frame < 0) this.state.frame = this.index;
      void this.refresh(true);
      if (state !== 'running') this.message = '';
    };
    await this.refresh();
    this.chooseColour();
    if (this.state.camera.length === 7) this.stage.setCamera(this.state.camera);
    else this.fit();
    this.update();
  }

  /** Without a choice in the address: what the grains differ in most tellingly. */
  private chooseColour(): void {
    const frame = this.frame;
    if (!frame) return;
    const differs = (array: ArrayLike<number>) => {
      let first = NaN;
      for (let i = 0; i < frame.count; ++i) {
        if (!isGrain(frame, i)) continue;
        if (Number.isNaN(first)) first = array[i];
        else if (array[i] !== first) return true;
      }
      return false;
    };
    let fastest = 0;
    for (let i = 0; i < frame.count; ++i) if (isGrain(frame, i)) fastest = Math.max(fastest, length(at(frame.velocity, i)));
    const isMoving = fastest > 0.05 * this.meta.extent.max_speed;
    const atRest = frame.contacts && frame.contacts.count > 0 ? 'load' : 'size';
    const best = differs(frame.birth) ? 'age' : differs(frame.tag) ? 'tag' : isMoving ? 'speed' : atRest;
    if (!('colour' in fromAddress(location.hash))) this.state.colour = best;
    this.start.colour = best;
  }

  /** Fetches what the state asks for, then draws. */
  async refresh(again = false): Promise<void> {
    if (this.last < 0) {
      this.message = 'The run has no frame yet.';
      return this.tell();
    }
    const index = this.index;
    this.wanted = index;
    try {
      const old = this.frame;
      const frame = this.frame && !again && this.frame.number === this.source.entries[index].number ? this.frame : await this.source.frame(index);
      const before = this.state.strobe >= 0 ? await this.source.frame(Math.min(this.state.strobe, this.last)) : null;
      if (this.wanted !== index) return; // the reader has gone on
      this.frame = frame;
      this.before = before;
      this.message = '';
      if (old && old !== frame) this.followGrain(old, frame);
    } catch (error) {
      if (this.wanted !== index) return;
      this.message = `Frame ${this.source.entries[index].number}: ${error instanceof Error ? error.message : String(error)}`;
      this.frame = null;
    }
    this.update();
    if (index < this.last) void this.source.frame(index + 1).catch(() => undefined); // the next one is likely
  }

  private followGrain(old: Frame, now: Frame): void {
    if (this.state.follow < 0) return;
    const [i, j] = [rowOf(old, this.state.follow), rowOf(now, this.state.follow)];
    if (i >= 0 && j >= 0) this.stage.shift(sub(at(now.position, j), at(old.position, i)));
  }

  // --- playing ------------------------------------------------------------------------------------

  play(on = !this.isPlaying): void {
    this.isPlaying = on && this.last > 0;
    if (this.isPlaying && this.index === this.last) this.state.frame = 0;
    clearTimeout(this.timer);
    if (this.isPlaying) void this.refresh().then(() => this.tick());
    this.tell();
  }
  private tick(): void {
    const began = performance.now();
    this.timer = window.setTimeout(async () => {
      if (!this.isPlaying) return;
      if (this.index >= this.last) return this.play(false);
      this.state.frame = this.index + 1;
      await this.refresh();
      await this.stage.drawnOr(300); // not faster than pictures are drawn
      if (this.isPlaying) this.tick();
    }, Math.max(0, 1000 / this.state.rate - (performance.now() - began)));
  }
  seek(index: number): void {
    this.set({ frame: Math.max(0, Math.min(this.last, Math.round(index))) });
  }
  step(by: number): void {
    this.play(false);
    this.seek(this.index + by);
  }
  seekTime(time: number): void {
    let best = 0;
    this.source.entries.forEach((entry, k) => {
      if (Math.abs(entry.time - time) < Math.abs(this.source.entries[best].time - time)) best = k;
    });
    this.seek(best);
  }

  // --- the camera ---------------------------------------------------------------------------------

  fit(preset: Preset = this.meta.dimension === 2 ? 'front' : 'oblique'): void {
    this.stage.look(preset, this.frame);
    this.noteView();
  }
  private noteView(): void {
    this.state.camera = this.stage.getCamera();
    this.tell();
  }

  // --- what is seen --------------------------------------------------------------------------------

  get contacts(): Contacts | null {
    if (!this.frame) return null;
    return this.state.mean && this.frame.sums ? this.frame.sums : this.frame.contacts;
  }
  get cutSpec(): CutSpec | null {
    const c = this.state.cut;
    return c.length === 4 ? { from: [c[0], c[1]], to: [c[2], c[3]], width: this.state.cutWidth > 0 && this.meta.dimension === 3 ? this.state.cutWidth * this.diameter : Infinity } : null;
  }
  get probeSpec(): ProbeSpec | null {
    const p = this.state.probe;
    return p.length === 3 ? { centre: [p[0], p[1]], radius: p[2] } : null;
  }

  update(): void {
    const frame = this.frame;
    if (!frame) {
      this.computed = null;
      return this.tell();
    }
    const { state, meta } = this;
    const plane = drawingPlane(meta, state.turn);
    const contacts = this.contacts;
    const inside = this.inSlab(frame, plane);
    const seen = state.grains ? inside : new Uint8Array(frame.count);
    const colouring = this.colour(frame, contacts);
    this.stage.setMarks(state.marks);
    this.clip(plane);
    this.stage.boundaries.group.visible = state.walls;
    this.stage.boundaries.update(frame, this.source.geometry);
    this.stage.showBodies(frame, this.faded(frame, colouring), seen, this.source.geometry);
    this.drawForces(frame, contacts);
    this.drawPaths(frame, inside);
    const cut = this.cutSpec && contacts ? cutForce(frame, contacts, plane, this.cutSpec, meta) : null;
    const stress = this.probeSpec && contacts ? probeStress(frame, contacts, plane, this.probeSpec, meta) : null;
    this.computed = { plane, contacts, colouring, seen, cut, stress };
    this.stage.invalidate();
    this.tell();
  }

  /** Bodies that have a place, in the slab if there is one. */
  private inSlab(frame: Frame, plane: DrawingPlane): Uint8Array {
    const inside = new Uint8Array(frame.count);
    const half = (this.state.slab * this.diameter) / 2;
    for (let i = 0; i < frame.count; ++i) {
      if (!Number.isFinite(frame.position[3 * i] + frame.position[3 * i + 1] + frame.position[3 * i + 2])) continue;
      if (half > 0 && this.meta.dimension === 3 && Math.abs(dot(sub(at(frame.position, i), plane.origin), plane.depth)) > half) continue;
      inside[i] = 1;
    }
    return inside;
  }

  /** Scales that span the run grow with what has been seen; a picture and the next one then compare. */
  private colour(frame: Frame, contacts: Contacts | null): Colouring {
    const { state, theme } = this;
    const load = state.colour === 'load' && contacts ? loads(frame, contacts) : null;
    const options = { mode: state.colour, map: state.map, isDark: this.isDark, layers: state.layers, plain: theme.grain, fixed: theme.fixed };
    const first = colourise(frame, this.meta, load, options);
    const { scale } = first;
    if (state.scale === 'frame' || scale.kind === 'classes' || scale.kind === 'plain') return first;
    const key = `${state.colour}${state.mean}`;
    const known = this.scales.get(key);
    let low = scale.low;
    let high = scale.high;
    if (state.colour === 'speed') high = Math.max(high, this.meta.extent.max_speed * this.meta.units.speed.factor);
    if (scale.kind === 'log') low = high * 1e-4;
    if (known && known.kind === scale.kind) [low, high] = [scale.kind === 'log' ? Math.max(low, known.low) : Math.min(low, known.low), Math.max(high, known.high)];
    this.scales.set(key, { ...scale, low, high });
    return colourise(frame, this.meta, load, { ...options, range: [low, high] });
  }

  /** Grains step back where forces are what matters. */
  private faded(frame: Frame, colouring: Colouring): Float32Array {
    const isPale = this.state.forces !== 'off' && this.state.through;
    if (!isPale && this.state.select < 0) return colouring.colours;
    const out = new Float32Array(colouring.colours);
    const paper = linearOf(this.theme.paper);
    const keep = this.state.colour === 'plain' ? 0.3 : 0.45;
    if (isPale) for (let i = 0; i < out.length; ++i) out[i] = keep * out[i] + (1 - keep) * paper[i % 3];
    const chosen = rowOf(frame, this.state.select);
    if (chosen >= 0) out.set(linearOf('#e2552d'), 3 * chosen);
    return out;
  }

  private clip(plane: DrawingPlane): void {
    const { clip, clipAt, clipFlip } = this.state;
    if (!clip || this.meta.dimension === 2) return this.stage.setClip(null, 0);
    const axis = { x: plane.along, y: scale(plane.depth, 1), z: upOf(this.meta) }[clip];
    const { low, high } = this.meta.extent;
    const half = [0, 1, 2].map((k) => (high[k] - low[k]) / 2);
    const reach = Math.abs(axis[0]) * half[0] + Math.abs(axis[1]) * half[1] + Math.abs(axis[2]) * half[2];
    const offset = (2 * clipAt - 1) * reach;
    // What is nearer to the reader than the plane goes: for depth that is the side of smaller values.
    const sign = (clip === 'y' ? -1 : 1) * (clipFlip ? -1 : 1);
    this.stage.setClip(scale(axis, sign), sign * offset);
  }

  /** Which contacts are drawn: those with force that the choices and the slab admit. */
  isShown(k: number): boolean {
    const { frame, computed, state } = this;
    const contacts = computed?.contacts ?? this.contacts;
    if (!frame || !contacts) return false;
    const n = normalForce(contacts, k);
    if (n === 0 && contacts.force[3 * k] === 0 && contacts.force[3 * k + 1] === 0 && contacts.force[3 * k + 2] === 0) return false;
    if (state.compressive && n <= 0) return false;
    const [a, b] = [contacts.a[k], contacts.b[k]];
    if (a < 0 && b < 0) return false;
    if (state.slab > 0 && this.meta.dimension === 3) {
      const plane = drawingPlane(this.meta, state.turn);
      return Math.abs(dot(sub(at(contacts.point, k), plane.origin), plane.depth)) <= (state.slab * this.diameter) / 2;
    }
    return true;
  }

  private drawForces(frame: Frame, contacts: Contacts | null): void {
    const links = this.stage.forces;
    const { state } = this;
    if (state.forces === 'off' || !contacts) {
      links.begin(0);
      return links.end();
    }
    links.setOnTop(state.through || this.meta.dimension === 2);
    links.begin(2 * contacts.count);
    const normals: number[] = [];
    for (let k = 0; k < contacts.count; ++k) {
      const n = Math.hypot(...at(contacts.force, k));
      if (n > 0) normals.push(n);
    }
    normals.sort((x, y) => x - y);
    // A high quantile, not the largest: one impact would make all else invisible. It never falls while playing.
    const strong = normals.length ? normals[Math.floor(0.98 * (normals.length - 1))] : 1;
    this.strongest = state.scale === 'frame' ? strong : Math.max(this.strongest, strong);
    const colours = { normal: linearOf(this.isDark ? '#f2c14e' : '#b3261e'), pull: linearOf(HUES[4]), friction: linearOf(this.isDark ? '#56b4e9' : '#0072b2') };
    for (let k = 0; k < contacts.count; ++k) if (this.isShown(k)) this.drawForce(frame, contacts, k, colours);
    links.end();
  }

  private drawForce(frame: Frame, contacts: Contacts, k: number, colours: Record<'normal' | 'pull' | 'friction', ArrayLike<number>>): void {
    const links = this.stage.forces;
    const { state } = this;
    const f = at(contacts.force, k);
    const n = at(contacts.normal, k);
    const p = at(contacts.point, k);
    const fn = dot(f, n);
    const ft = sub(f, scale(n, fn));
    const width = (force: number) => state.thick * (this.meta.dimension === 2 ? 0.5 : 0.32) * this.diameter * Math.min(1.5, Math.abs(force) / this.strongest);
    const line = (a: Vec, b: Vec, force: number, colour: ArrayLike<number>) => links.add(...a, ...b, width(force), colour);
    if (state.forces === 'chains') {
      const end = (i: number, fallback: Vec): Vec => (i >= 0 && frame.radius[i] > 0 ? add(p, this.arm(frame, i, p)) : fallback);
      const reach = this.diameter / 2;
      const [a, b] = [end(contacts.a[k], add(p, scale(n, reach))), end(contacts.b[k], p)];
      if (state.part !== 'friction') line(a, b, state.part === 'normal' ? fn : Math.hypot(...f), fn < 0 ? colours.pull : colours.normal);
      if (state.part === 'friction') {
        const size = length(ft);
        if (size > 0) line(add(p, scale(ft, reach / size)), sub(p, scale(ft, reach / size)), size, colours.friction);
      }
      return;
    }
    // Vectors on body a, as long as a grain at the strongest force.
    const stretch = (1.6 * state.thick * this.diameter) / this.strongest;
    const thin = 0.09 * this.diameter;
    const arrow = (v: Vec, colour: ArrayLike<number>) => links.add(...sub(p, scale(v, stretch / 2)), ...add(p, scale(v, stretch / 2)), thin, colour);
    if (state.part === 'total') arrow(f, fn < 0 ? colours.pull : colours.normal);
    if (state.part === 'normal') arrow(scale(n, fn), fn < 0 ? colours.pull : colours.normal);
    if (state.part === 'friction' && length(ft) > 0) arrow(ft, colours.friction);
  }

  /** From a contact point to a body's centre, across a periodic border if that is nearer. */
  private arm(frame: Frame, i: number, p: Vec): Vec {
    const d = sub(at(frame.position, i), p);
    const space = this.meta.space;
    space?.periodic.forEach((is, k) => {
      const size = space.high[k] - space.low[k];
      if (is && size > 0) d[k] -= size * Math.round(d[k] / size);
    });
    return d;
  }

  /** A line from where each grain was at the chosen frame to where it is now, or beyond by the magnification. */
  private drawPaths(frame: Frame, inside: Uint8Array): void {
    const links = this.stage.paths;
    const old = this.before;
    if (!old || old.number === frame.number) {
      links.begin(0);
      return links.end();
    }
    links.begin(frame.count);
    const colour = linearOf(this.isDark ? '#ffb26b' : '#c2410c');
    const space = this.meta.space;
    let j = 0;
    for (let i = 0; i < frame.count; ++i) {
      while (j < old.count && old.id[j] < frame.id[i]) ++j;
      if (j >= old.count || old.id[j] !== frame.id[i] || !inside[i] || !isGrain(frame, i)) continue;
      const now = at(frame.position, i);
      const moved = sub(now, at(old.position, j));
      space?.periodic.forEach((is, k) => {
        if (is) moved[k] += (frame.image[3 * i + k] - old.image[3 * j + k]) * (space.high[k] - space.low[k]);
      });
      const from = sub(now, moved);
      links.add(...from, ...add(from, scale(moved, this.state.magnify)), 0.1 * this.diameter, colour);
    }
    links.end();
  }

  // --- picking -------------------------------------------------------------------------------------

  pick(x: number, y: number): void {
    const { frame, computed } = this;
    if (!frame || !computed) return;
    if (this.state.forces !== 'off' && computed.contacts) {
      const k = this.stage.pickContact(x, y, computed.contacts, (c) => this.isShown(c));
      if (k >= 0) return this.set({ contact: this.contactName(frame, computed.contacts, k), select: -1 });
    }
    const row = this.stage.pickBody(x, y, frame, computed.seen, this.source.geometry);
    this.set({ select: row >= 0 ? frame.id[row] : -1, contact: '' });
  }

  /** Contacts have no id: the ids of their bodies, and which of the contacts between these. */
  private contactName(frame: Frame, contacts: Contacts, k: number): string {
    let which = 0;
    for (let c = 0; c < k; ++c) if (contacts.a[c] === contacts.a[k] && contacts.b[c] === contacts.b[k]) ++which;
    return `${frame.id[contacts.a[k]] ?? 0}-${frame.id[contacts.b[k]] ?? 0}-${which}`;
  }
  contactRow(): number {
    const { frame, computed } = this;
    const match = /^(\d+)-(\d+)-(\d+)$/.exec(this.state.contact);
    if (!frame || !computed?.contacts || !match) return -1;
    const [a, b] = [rowOf(frame, Number(match[1])), rowOf(frame, Number(match[2]))];
    let which = Number(match[3]);
    for (let k = 0; k < computed.contacts.count; ++k)
      if (computed.contacts.a[k] === a && computed.contacts.b[k] === b && which-- === 0) return k;
    return -1;
  }

  // --- tools ---------------------------------------------------------------------------------------

  /** A cut or probe to start from: in the middle of what is seen. */
  toggleCut(): void {
    if (this.state.cut.length) return this.set({ cut: [] });
    const [[x0, y0], [x1, y1]] = this.spanInPlane();
    this.set({ cut: [(x0 + x1) / 2, y0 + 0.15 * (y1 - y0), (x0 + x1) / 2, y0 + 0.85 * (y1 - y0)] });
  }
  toggleProbe(): void {
    if (this.state.probe.length) return this.set({ probe: [] });
    const [[x0, y0], [x1, y1]] = this.spanInPlane();
    this.set({ probe: [(x0 + x1) / 2, (y0 + y1) / 2, 0.3 * Math.min(x1 - x0, y1 - y0)] });
  }
  private spanInPlane(): [[number, number], [number, number]] {
    const plane = drawingPlane(this.meta, this.state.turn);
    const low: [number, number] = [Infinity, Infinity];
    const high: [number, number] = [-Infinity, -Infinity];
    const frame = this.frame;
    if (frame) {
      for (let i = 0; i < frame.count; ++i) {
        if (!isGrain(frame, i)) continue;
        const d = sub(at(frame.position, i), plane.origin);
        [dot(d, plane.along), dot(d, plane.up)].forEach((v, k) => {
          if (!Number.isFinite(v)) return;
          low[k] = Math.min(low[k], v);
          high[k] = Math.max(high[k], v);
        });
      }
    }
    return low[0] < high[0] || low[1] < high[1] ? [low, high] : [[-1, -1], [1, 1]];
  }

  address(): string {
    return toAddress(this.state, this.start);
  }

  private telling = false;
  private tell(): void {
    if (this.telling) return;
    this.telling = true; // several changes at once are told once
    queueMicrotask(() => {
      this.telling = false;
      for (const listener of this.onChange) listener();
    });
  }
}
