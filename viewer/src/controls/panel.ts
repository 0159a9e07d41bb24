// The choices beside the picture, and the numbers of what was measured or clicked.

import type { App } from '../app';
import { MODE_NAMES } from '../draw/colours';
import { normalForce, rowOf, type Quantity } from '../frames/frame';
import { ringPressures } from '../measure/rings';
import { planeRose, spaceRose } from '../measure/rose';
import { measuredTensions, tensorTension } from '../measure/stress';
import { upOf } from '../measure/plane';
import { at, dot, length, scale, sub } from '../measure/vector';
import type { State } from '../state';
import { ringChart, roseChart, tensionChart } from './charts';
import { h, show } from './dom';
import type { Overlay } from './overlay';

type Row = [label: string, value: number | string, unit?: string, name?: string];

export class Panel {
  readonly element = h('aside', { class: 'tv-panel', 'aria-label': 'What is shown' });
  private refreshers: (() => void)[] = [];
  private numbers = { cut: h('div'), probe: h('div'), rose: h('div'), rings: h('div'), chosen: h('div') };
  private serial = 0;

  constructor(private readonly app: App, private readonly overlay: Overlay) {
    const { meta } = app;
    const is3D = meta.dimension === 3;
    const frames = app.last + 1;
    this.section('Grains', true,
      this.choice('Colour', 'colour', Object.entries(MODE_NAMES)),
      this.choice('Colour map', 'map', [['auto', 'as fits'], ['viridis', 'Viridis'], ['cividis', 'Cividis'], ['batlow', 'Batlow'], ['grey', 'Greys']]),
      this.choice('Scale spans', 'scale', [['run', 'the run so far seen'], ['frame', 'this frame']]),
      this.range('Layers of age', 'layers', 0, 12, 1, (v) => (v ? String(v) : 'smooth')),
      this.flag('Grains', 'grains'), this.flag('Walls', 'walls'), this.flag('Marks of rotation', 'marks'));
    this.section('Forces', true,
      this.choice('Draw as', 'forces', [['off', 'nothing'], ['chains', 'chains, centre to centre'], ['vectors', 'vectors at the contacts']]),
      this.choice('Part', 'part', [['total', 'whole force'], ['normal', 'normal part'], ['friction', 'friction part']]),
      this.range('Thickness', 'thick', 0.2, 4, 0.1, (v) => `×${v}`),
      this.flag('Compressive only', 'compressive'), this.flag('Through the grains', 'through'),
      meta.has_sums ? this.flag('Mean over the interval', 'mean') : null);
    this.section('Measure', false,
      h('div', { class: 'tv-buttons' }, this.toggle('Cut', 'cut', () => app.toggleCut(), () => app.state.cut.length > 0), this.toggle('Stress probe', 'probe', () => app.toggleProbe(), () => app.state.probe.length > 0),
        this.toggle('Contact rose', 'rose', () => app.set({ rose: !app.state.rose }), () => app.state.rose), this.toggle('Ring pressures', 'rings', () => app.set({ rings: app.state.rings ? 0 : 12 }), () => app.state.rings > 0)),
      is3D ? this.range('Width of the cut', 'cutWidth', 0, 40, 1, (v) => (v ? `${v} d` : 'all')) : null,
      this.numbers.cut, this.numbers.probe, this.numbers.rose, this.numbers.rings);
    this.section('Displacement', false,
      this.range('Since frame', 'strobe', -1, Math.max(0, frames - 1), 1, (v) => (v < 0 ? 'none' : `${v + 1}, ${show((app.source.entries[v]?.time ?? 0) * meta.units.time.factor)} s`)),
      this.range('Magnify', 'magnify', 1, 50, 1, (v) => `×${v}`));
    if (is3D) {
      this.section('Slice', false,
        this.range('Slab through the axis', 'slab', 0, 30, 0.5, (v) => (v ? `${v} d` : 'none')), this.range('Turned by', 'turn', -90, 90, 1, (v) => `${v}°`),
        this.choice('Cut away', 'clip', [['', 'nothing'], ['y', 'in front of a plane'], ['x', 'to the right of a plane'], ['z', 'above a plane']]),
        this.range('at', 'clipAt', 0, 1, 0.01, (v) => `${Math.round(100 * v)} %`), this.flag('The other side', 'clipFlip'), this.flag('Perspective', 'perspective'));
    }
    this.section('Chosen', true, this.numbers.chosen);
  }

  private section(title: string, open: boolean, ...children: (Node | null)[]): void {
    const wide = matchMedia('(min-width: 861px)').matches;
    this.element.append(h('details', { open: open && (wide || title === 'Chosen'), 'data-section': title.toLowerCase() }, h('summary', {}, title), h('div', { class: 'tv-body' }, ...children)));
  }

  private choice<K extends keyof State>(label: string, key: K, options: [string, string][]): HTMLElement {
    const id = `tv-${key}-${++this.serial}`;
    const select = h('select', { id, 'data-key': key, onchange: () => this.app.set({ [key]: select.value } as Partial<State>) }, ...options.map(([value, text]) => h('option', { value }, text)));
    this.refreshers.push(() => (select.value = String(this.app.state[key])));
    return h('div', { class: 'tv-field' }, h('label', { for: id }, label), select);
  }
  private range<K extends keyof State>(label: string, key: K, min: number, max: number, step: number, words: (v: number) => string): HTMLElement {
    const id = `tv-${key}-${++this.serial}`;
    const input = h('input', { type: 'range', id, 'data-key': key, min, max, step, oninput: () => this.app.set({ [key]: Number(input.value) } as Partial<State>) });
    const out = h('output', { for: id });
    this.refreshers.push(() => {
      if (key === 'strobe') input.max = String(Math.max(0, this.app.last));
      input.value = String(this.app.state[key]);
      out.textContent = words(Number(this.app.state[key]));
    });
    return h('div', { class: 'tv-field tv-range' }, h('label', { for: id }, label), out, input);
  }
  private flag<K extends keyof State>(label: string, key: K): HTMLElement {
    const input = h('input', { type: 'checkbox', 'data-key': key, onchange: () => this.app.set({ [key]: input.checked } as Partial<State>) });
    this.refreshers.push(() => (input.checked = Boolean(this.app.state[key])));
    return h('label', { class: 'tv-flag' }, input, h('span', {}, label));
  }
  private toggle(label: string, name: string, act: () => void, isOn: () => boolean): HTMLElement {
    const control = h('button', { type: 'button', class: 'tv-toggle', 'data-tool': name, onclick: act }, label);
    this.refreshers.push(() => control.setAttribute('aria-pressed', String(isOn())));
    return control;
  }

  private u(quantity: Quantity): [number, string] {
    const unit = this.app.meta.units[quantity];
    return [unit.factor, unit.name];
  }

  private table(title: string, rows: Row[]): HTMLElement {
    return h('table', { class: 'tv-table' }, h('caption', {}, title),
      h('tbody', {}, ...rows.map(([label, value, unit, name]) => h('tr', {}, h('th', { scope: 'row' }, label),
        h('td', { 'data-name': name, 'data-value': typeof value === 'number' ? value : undefined }, typeof value === 'number' ? show(value) : value), h('td', { class: 'tv-unit' }, unit ?? '')))));
  }

  update(): void {
    for (const refresh of this.refreshers) refresh();
    this.showCut();
    this.showProbe();
    this.showRose();
    this.showRings();
    this.showChosen();
  }

  private missing(isWanted: boolean, where: HTMLElement): boolean {
    where.replaceChildren();
    if (!isWanted) return true;
    if (this.app.computed?.contacts) return false;
    where.append(h('p', { class: 'tv-hint' }, 'This frame has no contacts in this page.'));
    return true;
  }

  private showCut(): void {
    const { computed, state, meta } = this.app;
    if (this.missing(state.cut.length > 0, this.numbers.cut)) return;
    const cut = computed!.cut!;
    const [force, forceUnit] = this.u('force');
    const [pressure, pressureUnit] = this.u('pressure');
    const f = cut.force.map((x) => x * force);
    const up = dot(cut.force, computed!.plane.up);
    const along = dot(cut.force, computed!.plane.along);
    const rows: Row[] = [
      ['normal', cut.normal * force, forceUnit, 'cut-normal'], ['tangential', cut.tangential * force, forceUnit, 'cut-tangential'],
      ...(['x', 'y', 'z'].slice(0, meta.dimension).map((name, k) => [`force ${name}`, f[k], forceUnit, `cut-${name}`]) as Row[]),
      ['from the horizontal', (Math.atan(up / along) * 180) / Math.PI, '°', 'cut-angle'],
    ];
    if (Number.isFinite(cut.area)) rows.push(['normal tension', (cut.normal / cut.area) * pressure, pressureUnit, 'cut-tension']);
    rows.push(['contacts cut', cut.contacts, '', 'cut-contacts']);
    this.numbers.cut.append(this.table('Force across the cut', rows), h('p', { class: 'tv-hint' }, 'What the left side gives the right side of the way from the first to the second handle; positive in compression.'));
  }

  private showProbe(): void {
    const { computed, state, meta, frame, probeSpec } = this.app;
    if (this.missing(state.probe.length > 0, this.numbers.probe)) return;
    const stress = computed!.stress!;
    const [p, unit] = this.u('pressure');
    const t = stress.tensor;
    const names = ['x', 'y', 'z'].slice(0, meta.dimension);
    const rows: Row[] = [['pressure', stress.pressure * p, unit, 'probe-pressure']];
    names.forEach((a, i) => names.slice(i).forEach((b, j) => rows.push([`σ ${a}${b}`, t[i][i + j] * p, unit, `probe-${a}${b}`])));
    stress.axes.slice(0, meta.dimension).forEach((axis, k) => rows.push([`principal ${k + 1}`, axis.value * p, unit, `probe-principal-${k + 1}`]));
    rows.push(['grains inside', stress.grains, '', 'probe-grains'], ['asymmetry', stress.asymmetry, '', 'probe-asymmetry']);
    this.numbers.probe.append(this.table('Mean stress in the probe', rows));
    const curve = Array.from({ length: 61 }, (_, k) => tensorTension(stress, computed!.plane, 3 * k));
    const points = meta.dimension === 2 ? measuredTensions(frame!, computed!.contacts!, computed!.plane, probeSpec!, meta) : [];
    this.numbers.probe.append(h('figure', { class: 'tv-small' }, tensionChart(curve, points, p),
      h('figcaption', {}, `Tension [${unit}] on cuts of every direction: normal (blue), tangential (orange); curves of the tensor${points.length ? ', points of 31 diameters' : ''}.`)));
  }

  private showRose(): void {
    const { computed, state, meta, frame, probeSpec } = this.app;
    if (this.missing(state.rose, this.numbers.rose)) return;
    const contacts = computed!.contacts!;
    const { plane } = computed!;
    const keep = (k: number) => {
      if (!probeSpec) return true;
      const d = sub(sub(at(contacts.point, k), plane.origin), [0, 1, 2].map((c) => plane.along[c] * probeSpec.centre[0] + plane.up[c] * probeSpec.centre[1]) as [number, number, number]);
      return length(d) <= probeSpec.radius;
    };
    const rose = meta.dimension === 2 ? planeRose(frame!, contacts, keep) : spaceRose(frame!, contacts, upOf(meta), keep);
    if (rose.contacts === 0) return void this.numbers.rose.append(h('p', { class: 'tv-hint' }, 'No contact between grains bears force here.'));
    this.numbers.rose.append(h('figure', { class: 'tv-small', 'data-name': 'rose-anisotropy', 'data-value': rose.anisotropy }, roseChart(rose),
      h('figcaption', {}, `Directions of ${rose.contacts} contacts between grains${probeSpec ? ' in the probe' : ''}${meta.dimension === 3 ? ', by inclination' : ''}; circle: no preference; ${rose.terms}; anisotropy ${show(rose.anisotropy, 3)}.`)));
  }

  private showRings(): void {
    const { computed, state, meta, frame } = this.app;
    if (this.missing(state.rings > 0, this.numbers.rings)) return;
    const rings = ringPressures(frame!, computed!.contacts!, meta, state.rings, this.overlay.ringRadius());
    const [p, unit] = this.u('pressure');
    const [l, lengthUnit] = this.u('length');
    this.numbers.rings.append(h('figure', { class: 'tv-small' }, ringChart(rings, l, p), h('figcaption', {}, `Pressure on the ground [${unit}] by distance from the axis [${lengthUnit}].`)));
  }

  private showChosen(): void {
    const where = this.numbers.chosen;
    where.replaceChildren();
    const { frame, computed, state, meta } = this.app;
    const k = this.app.contactRow();
    if (frame && computed?.contacts && k >= 0) return void where.append(this.contactTable(k));
    const i = frame && state.select >= 0 ? rowOf(frame, state.select) : -1;
    if (!frame || i < 0) {
      where.append(h('p', { class: 'tv-hint' }, state.select >= 0 ? `Body ${state.select} is not in this frame.` : 'Click a grain, or a force, for its numbers.'));
      return;
    }
    const axes = ['x', 'y', 'z'].slice(0, meta.dimension);
    const [l, lu] = this.u('length');
    const [v, vu] = this.u('speed');
    const [f, fu] = this.u('force');
    const [m, mu] = this.u('mass');
    const position = at(frame.position, i);
    const contacts = computed?.contacts;
    let [touching, bearing, load] = [0, 0, 0];
    if (contacts) {
      for (let c = 0; c < contacts.count; ++c) {
        if (contacts.a[c] !== i && contacts.b[c] !== i) continue;
        ++touching;
        const n = normalForce(contacts, c);
        load += n;
        if (n !== 0) ++bearing;
      }
    }
    const rows: Row[] = [
      ...(axes.map((name, c) => [name, (position[c] + (meta.origin[c] ?? 0)) * l, lu, `body-${name}`]) as Row[]),
      [frame.shape[i] === 0 ? 'diameter' : 'diameter of the ball that holds it', 2 * frame.radius[i] * l, lu, 'body-diameter'], ['mass', frame.mass[i] * m, mu, 'body-mass'],
      ['speed', length(at(frame.velocity, i)) * v, vu, 'body-speed'], ['spin', length(at(frame.spin, i)), meta.units.spin.name, 'body-spin'],
      ['material', meta.materials[frame.material[i]] ?? String(frame.material[i])], ['tag', String(frame.tag[i])], ['born', frame.birth[i], 's'],
    ];
    if (contacts) rows.push(['load', load * f, fu, 'body-load'], ['contacts, bearing', `${touching}, ${bearing}`]);
    if (frame.wall[i]) rows.push(['held', 'yes']);
    const follows = state.follow === state.select;
    where.append(this.table(`Body ${state.select}`, rows),
      h('div', { class: 'tv-buttons' }, h('button', { type: 'button', class: 'tv-toggle', 'data-tool': 'follow', 'aria-pressed': String(follows), onclick: () => this.app.set({ follow: follows ? -1 : state.select }) }, 'Follow it'),
        h('button', { type: 'button', class: 'tv-toggle', onclick: () => this.app.set({ select: -1, follow: -1 }) }, 'Let go')));
  }

  private contactTable(k: number): HTMLElement {
    const { frame, computed, meta } = this.app;
    const c = computed!.contacts!;
    const [f, fu] = this.u('force');
    const [l, lu] = this.u('length');
    const [v, vu] = this.u('speed');
    const n = normalForce(c, k);
    const tangential = length(sub(at(c.force, k), scale(at(c.normal, k), n)));
    const point = at(c.point, k);
    const rows: Row[] = [['normal force', n * f, fu, 'contact-normal'], ['friction force', tangential * f, fu, 'contact-friction'], ['friction over normal', tangential / n, '', 'contact-ratio']];
    if (c.friction) rows.push(['coefficient of friction', c.friction[k], '']);
    if (c.gap) rows.push(['gap', c.gap[k] * l, lu]);
    if (c.status) rows.push(['status', ['open', 'sticking', 'sliding'][c.status[k]] ?? '–']);
    if (c.bond && c.bond[k] > 0) rows.push(['bond', c.bond[k] === 1 ? 'acts' : 'lost']);
    if (c.slip) rows.push(['relative speed', length(at(c.slip, k)) * v, vu]);
    ['x', 'y', 'z'].slice(0, meta.dimension).forEach((name, i) => rows.push([name, (point[i] + (meta.origin[i] ?? 0)) * l, lu]));
    return this.table(`Contact of ${frame!.id[c.a[k]]} and ${frame!.id[c.b[k]]}`, rows);
  }
}
