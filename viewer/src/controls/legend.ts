// What the colours mean.

import type { App } from '../app';
import { colourAt, type Scale } from '../draw/colours';
import { ticks } from './charts';
import { h, show } from './dom';

export function scaleMarks(scale: Scale): { share: number; text: string }[] {
  if (scale.kind === 'log') {
    const [low, high] = [Math.log10(scale.low), Math.log10(scale.high)];
    const marks = [];
    for (let power = Math.ceil(low - 1e-9); power <= high + 1e-9; ++power) marks.push({ share: (power - low) / (high - low), text: show(10 ** power, 1) });
    return marks;
  }
  return ticks(scale.low, scale.high, 4).map((value) => ({ share: (value - scale.low) / (scale.high - scale.low), text: show(value, 3) }));
}

export const css = (rgb: ArrayLike<number>): string => `rgb(${Array.from(rgb).map((c) => Math.round(255 * c)).join(',')})`;

/** Which forces are drawn, and how large the largest; empty: none. */
export function forceWords(app: App): string {
  const { computed, state } = app;
  if (state.forces === 'off') return '';
  if (!computed?.contacts) return 'no contacts kept for this frame';
  const part = state.part === 'friction' ? 'friction part' : state.part === 'normal' ? 'normal part' : 'whole force';
  const unit = app.meta.units.force;
  return `${part}, ${state.forces === 'chains' ? 'full thickness' : 'longest'}: ${show(app.strongest * unit.factor, 2)} ${unit.name}`;
}

/** What the displacement lines span; empty: there are none. */
export function pathWords(app: App): string {
  const { state } = app;
  const since = app.source.entries[state.strobe];
  return since && state.strobe !== app.index ? `displacement since ${show(since.time, 4)} s${state.magnify > 1 ? `, ×${state.magnify}` : ''}` : '';
}

export class Legend {
  readonly element = h('div', { class: 'tv-legend', 'aria-live': 'off' });
  private shown = '';

  constructor(private readonly app: App) {}

  update(): void {
    const { computed, state } = this.app;
    const scale = computed?.colouring.scale;
    const key = JSON.stringify([scale, state.layers, state.grains, state.forces, Boolean(computed?.contacts), state.part, this.app.strongest, pathWords(this.app)]);
    if (key === this.shown) return;
    this.shown = key;
    this.element.replaceChildren();
    if (!scale) return;
    if (state.grains) this.addScale(scale);
    const line = (kind: string, words: string) => words && this.element.append(h('p', { class: 'tv-forcekey' }, h('i', { class: kind }), words));
    line(state.part === 'friction' ? 'tv-friction' : '', forceWords(this.app));
    line('tv-path', pathWords(this.app));
  }

  private addScale(scale: Scale): void {
    const { computed, state } = this.app;
    if (state.colour === 'load' && !computed?.contacts) this.element.append(h('p', {}, 'No contacts in this frame: loads are not known.'));
    else if (state.colour === 'rotation' && this.app.meta.lean) this.element.append(h('p', {}, 'Rotations of balls are not in this page.'));
    else if (scale.kind === 'classes') {
      this.element.append(h('b', {}, scale.label), h('ul', {}, ...(scale.classes ?? []).slice(0, 10).map((entry) => h('li', {}, h('i', { style: `background:${entry.colour}` }), entry.name))));
    } else if (scale.kind !== 'plain') {
      const stops = state.colour === 'age' && state.layers > 0
        ? Array.from({ length: state.layers }, (_, k) => [k / state.layers, (k + 1) / state.layers].map((at) => `${css(colourAt(scale.map, k / Math.max(1, state.layers - 1)))} ${100 * at}%`).join(',')).join(',')
        : Array.from({ length: 17 }, (_, k) => css(colourAt(scale.map, k / 16))).join(',');
      this.element.append(h('b', {}, scale.label), h('div', { class: 'tv-ramp', style: `background:linear-gradient(90deg,${stops})` }),
        h('div', { class: 'tv-marks' }, ...scaleMarks(scale).map((mark) => h('span', { style: `left:${100 * mark.share}%` }, mark.text))));
    }
  }
}
