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

export class Legend {
  readonly element = h('div', { class: 'tv-legend', 'aria-live': 'off' });
  private shown = '';

  constructor(private readonly app: App) {}

  update(): void {
    const { computed, state } = this.app;
    const scale = computed?.colouring.scale;
    const key = JSON.stringify([scale, state.layers, state.forces, Boolean(computed?.contacts), state.part, this.app.strongest]);
    if (key === this.shown) return;
    this.shown = key;
    this.element.replaceChildren();
    if (!scale) return;
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
    if (state.forces !== 'off') {
      const words = !computed?.contacts ? 'no contacts kept for this frame' : state.part === 'friction' ? 'friction part' : state.part === 'normal' ? 'normal part' : 'whole force';
      const unit = this.app.meta.units.force;
      const size = state.forces === 'chains' ? 'full thickness' : 'longest';
      const most = computed?.contacts ? `, ${size}: ${show(this.app.strongest * unit.factor, 2)} ${unit.name}` : '';
      this.element.append(h('p', { class: 'tv-forcekey' }, h('i', { class: state.part === 'friction' ? 'tv-friction' : '' }), words + most));
    }
  }
}
