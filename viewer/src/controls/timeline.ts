// Playing, seeking, and the plots over time that go with it.

import type { App } from '../app';
import { TimeChart } from './charts';
import { button, h, icon, show } from './dom';

export class Timeline {
  readonly bar: HTMLElement;
  readonly plots = h('div', { class: 'tv-plots' });
  private slider: HTMLInputElement;
  private readout = h('output', { class: 'tv-time' });
  private playButton: HTMLButtonElement;
  private charts: TimeChart[] = [];
  private drawn: unknown = null;
  private wasPlaying: boolean | null = null;

  constructor(private readonly app: App) {
    this.slider = h('input', { type: 'range', min: 0, step: 1, class: 'tv-slider', 'aria-label': 'Time', 'data-key': 'frame', oninput: () => {
      app.play(false);
      app.seek(Number(this.slider.value));
    } });
    this.playButton = button('Play (space)', 'play', () => app.play(), 'play');
    const rate = h('select', { 'aria-label': 'Frames a second', title: 'Frames a second', 'data-key': 'rate', onchange: () => app.set({ rate: Number(rate.value) }) },
      ...[2, 5, 12, 25, 50].map((value) => h('option', { value, selected: value === app.state.rate }, `${value}/s`)));
    const tail = app.source.isServed && app.meta.state === 'running'
      ? h('label', { class: 'tv-flag tv-live' }, h('input', { type: 'checkbox', checked: app.state.tail, 'data-key': 'tail', onchange: (event: Event) => app.set({ tail: (event.target as HTMLInputElement).checked, frame: (event.target as HTMLInputElement).checked ? -1 : app.index }) }), h('span', {}, 'Live'))
      : null;
    this.bar = h('div', { class: 'tv-timeline' }, button('One frame back (←)', 'back', () => app.step(-1), 'back'), this.playButton, button('One frame on (→)', 'next', () => app.step(1), 'next'), this.slider, this.readout, rate, tail);
  }

  private draw(): void {
    const { meta } = this.app;
    if (this.drawn === meta.series) return;
    this.drawn = meta.series;
    const { series, units } = meta;
    const time = series.time ?? [];
    if (time.length < 2) return void this.plots.replaceChildren();
    const joules = (name: string) => (series[name] ?? []).map((v) => (v === null ? null : v * units.energy.factor));
    const seek = (t: number) => this.app.seekTime(t);
    const base = Math.min(...joules('potential').filter((v): v is number => v !== null));
    this.charts = [
      new TimeChart('Energy', time, [{ name: 'kinetic', values: joules('kinetic') }, { name: 'potential, from its least', values: joules('potential').map((v) => (v === null ? null : v - base)) }, { name: 'lost by friction', values: joules('friction') }, { name: 'lost in impacts', values: joules('impact') }], { unit: units.energy.name, seek }),
      new TimeChart('Contacts', time, [{ name: 'potential', values: series.contacts }, { name: 'bearing', values: series.working }, { name: 'bodies', values: series.bodies }], { seek }),
      new TimeChart('Law error', time, [{ name: 'mean', values: series.law_error }, { name: 'worst contact', values: series.law_error_max }], { log: true, seek }),
    ];
    this.plots.replaceChildren(...this.charts.map((chart) => chart.element));
  }

  update(): void {
    const { app } = this;
    this.draw();
    if (app.last < 0) return;
    this.slider.max = String(app.last);
    this.slider.value = String(app.index);
    const { entry } = app;
    this.slider.setAttribute('aria-valuetext', `t = ${show(entry.time, 5)} s, frame ${app.index + 1} of ${app.last + 1}`);
    this.readout.replaceChildren(h('b', {}, `${show(entry.time, 5)} s`), h('span', {}, `${app.index + 1} / ${app.last + 1}`));
    for (const chart of this.charts) chart.setTime(entry.time);
    if (this.wasPlaying !== app.isPlaying) {
      this.wasPlaying = app.isPlaying;
      this.playButton.replaceChildren(icon(app.isPlaying ? 'pause' : 'play'));
      this.playButton.setAttribute('aria-label', app.isPlaying ? 'Pause (space)' : 'Play (space)');
    }
  }
}
