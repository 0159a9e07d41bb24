// Keys, and the list of them.

import type { App } from '../app';
import type { ColourMode } from '../draw/colours';
import { button, h } from './dom';

export interface Actions {
  png(): void;
  webm(): void;
  share(): void;
  full(): void;
  theme(): void;
  panel(): void;
}

const COLOURS: ColourMode[] = ['plain', 'speed', 'load', 'age', 'size', 'tag', 'rotation', 'spin', 'material'];

export class Keys {
  readonly dialog: HTMLDialogElement;
  private list: [string, string, (event: KeyboardEvent) => void][];

  constructor(app: App, actions: Actions) {
    const is3D = app.meta.dimension === 3;
    const cycle = <T>(all: T[], now: T): T => all[(all.indexOf(now) + 1) % all.length];
    this.list = [
      [' ', 'play, pause', () => app.play()],
      ['ArrowLeft', 'one frame back (with shift: ten)', (e) => app.step(e.shiftKey ? -10 : -1)],
      ['ArrowRight', 'one frame on (with shift: ten)', (e) => app.step(e.shiftKey ? 10 : 1)],
      ['Home', 'first frame', () => app.seek(0)],
      ['End', 'last frame', () => app.seek(app.last)],
      ['c', 'next colouring', () => app.set({ colour: cycle(COLOURS, app.state.colour) })],
      ['f', 'forces: none, chains, vectors', () => app.set({ forces: cycle(['off', 'chains', 'vectors'], app.state.forces) as typeof app.state.forces })],
      ['p', 'part of the force: whole, normal, friction', () => app.set({ part: cycle(['total', 'normal', 'friction'], app.state.part) as typeof app.state.part })],
      ['g', 'grains', () => app.set({ grains: !app.state.grains })],
      ['w', 'walls', () => app.set({ walls: !app.state.walls })],
      ['m', 'marks of rotation', () => app.set({ marks: !app.state.marks })],
      ['d', 'displacement since this frame, or none', () => app.set({ strobe: app.state.strobe >= 0 ? -1 : app.index })],
      ['x', 'cut', () => app.toggleCut()],
      ['o', 'stress probe', () => app.toggleProbe()],
      ['r', 'contact rose', () => app.set({ rose: !app.state.rose })],
      ['u', 'ring pressures', () => app.set({ rings: app.state.rings ? 0 : 12 })],
      ...(is3D ? ([
        ['s', 'slab of five diameters', () => app.set({ slab: app.state.slab ? 0 : 5 })], ['1', 'from the front', () => app.fit('front')], ['2', 'from the side', () => app.fit('side')],
        ['3', 'from above', () => app.fit('top')], ['4', 'oblique', () => app.fit('oblique')], ['v', 'perspective or parallel', () => app.set({ perspective: !app.state.perspective })],
      ] as [string, string, () => void][]) : []),
      ['0', 'see everything', () => app.fit()],
      ['+', 'nearer', () => app.stage.zoom(1.2)],
      ['-', 'farther', () => app.stage.zoom(1 / 1.2)],
      ['h', is3D ? 'h j k l: turn' : 'h j k l: move', () => app.stage.orbit(-1, 0)],
      ['l', '', () => app.stage.orbit(1, 0)],
      ['k', '', () => app.stage.orbit(0, 1)],
      ['j', '', () => app.stage.orbit(0, -1)],
      ['Escape', 'let go of what was chosen', () => app.set({ select: -1, contact: '', follow: -1 })],
      ['i', 'picture (PNG)', () => actions.png()],
      ['e', 'film (WebM)', () => actions.webm()],
      ['y', 'copy the address of this view', () => actions.share()],
      ['t', 'dark, light', () => actions.theme()],
      ['n', 'controls', () => actions.panel()],
      ['Enter', 'whole screen', () => actions.full()],
      ['?', 'these keys', () => this.toggle()],
    ];
    const names: Record<string, string> = { ' ': 'space', ArrowLeft: '←', ArrowRight: '→', Escape: 'esc', Enter: 'enter', Home: 'home', End: 'end' };
    this.dialog = h('dialog', { class: 'tv-help', 'aria-label': 'Keys' }, h('header', {}, h('h3', {}, 'Keys'), button('Close', 'close', () => this.dialog.close())),
      h('dl', {}, ...this.list.filter(([, words]) => words).map(([key, words]) => h('div', {}, h('dt', {}, h('kbd', {}, names[key] ?? key)), h('dd', {}, words)))),
      h('p', {}, is3D ? 'Drag to turn, with the right button or two fingers to move, wheel or pinch to zoom.' : 'Drag to move, wheel or pinch to zoom.', ' Click a grain or a force for its numbers. Handles of cuts and probes move with the arrow keys too.'));
  }

  toggle(): void {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }

  /** Acts on a key unless it is meant for a field. */
  handle(event: KeyboardEvent): void {
    const target = event.target as HTMLElement | null;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target?.closest('select, textarea, input:not([type=checkbox]):not([type=range]), summary')) return;
    if (target?.closest('input[type=range]') && event.key.startsWith('Arrow')) return;
    if (target?.closest('button, a, input[type=checkbox]') && (event.key === ' ' || event.key === 'Enter')) return;
    if (this.dialog.open && event.key !== '?') return;
    const entry = this.list.find(([key]) => key === event.key || (event.key === '=' && key === '+'));
    if (!entry) return;
    event.preventDefault();
    entry[2](event);
  }
}
