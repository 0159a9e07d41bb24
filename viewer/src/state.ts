// What the reader has chosen. All of it can be written into the address of the page, so that a view can be shared.

import type { ColourMode, MapName } from './draw/colours';

export interface State {
  frame: number; // of the list that the page plays; -1: the last
  colour: ColourMode;
  map: MapName | 'auto'; // auto: greys for loads, as the papers have them, else Viridis
  layers: number; // of ages; 0: smooth
  scale: 'run' | 'frame'; // what the colour scale spans
  forces: 'off' | 'chains' | 'vectors';
  part: 'total' | 'normal' | 'friction';
  compressive: boolean;
  thick: number; // of force segments, 1 is ordinary
  mean: boolean; // forces averaged over the interval before the frame
  through: boolean; // forces show through the grains
  grains: boolean;
  walls: boolean;
  marks: boolean; // of rotation, on balls
  strobe: number; // displacement since that frame; -1: none
  magnify: number; // of displacements
  slab: number; // thickness in mean diameters; 0: none
  turn: number; // of slab, cut and probe about the axis [deg]
  clip: '' | 'x' | 'y' | 'z';
  clipAt: number; // share of the extent
  clipFlip: boolean;
  cut: number[]; // x1 y1 x2 y2 in the drawing plane [m]; empty: none
  cutWidth: number; // in mean diameters; 0: all
  probe: number[]; // x y radius [m]
  rose: boolean;
  rings: number; // how many; 0: none
  follow: number; // id of a body; -1: none
  select: number; // id of a body; -1: none
  contact: string; // "a-b-k": ids of its bodies and which of theirs
  perspective: boolean;
  camera: number[]; // position, target, zoom
  theme: 'auto' | 'light' | 'dark';
  rate: number; // frames a second
  tail: boolean; // jump to new frames of a run that is going on
}

export const DEFAULTS: State = {
  frame: -1, colour: 'speed', map: 'auto', layers: 0, scale: 'run', forces: 'off', part: 'total', compressive: false, thick: 1, mean: false, through: true,
  grains: true, walls: true, marks: false, strobe: -1, magnify: 1, slab: 0, turn: 0, clip: '', clipAt: 0.5, clipFlip: false, cut: [], cutWidth: 0, probe: [],
  rose: false, rings: 0, follow: -1, select: -1, contact: '', perspective: true, camera: [], theme: 'auto', rate: 12, tail: true,
};

/** Words that a choice may be; others in an address are ignored. */
const CHOICES: Partial<Record<keyof State, string[]>> = {
  colour: ['plain', 'speed', 'load', 'age', 'size', 'tag', 'material', 'rotation', 'spin', 'mass'], map: ['auto', 'viridis', 'cividis', 'batlow', 'grey'],
  scale: ['run', 'frame'], forces: ['off', 'chains', 'vectors'], part: ['total', 'normal', 'friction'], clip: ['', 'x', 'y', 'z'], theme: ['auto', 'light', 'dark'],
};

/** Least and greatest of numbers that an address may ask for. */
const LIMITS: Partial<Record<keyof State, [number, number]>> = {
  layers: [0, 64], thick: [0, 20], magnify: [0, 1e6], slab: [0, 1e6], turn: [-360, 360], clipAt: [0, 1], cutWidth: [0, 1e6], rings: [0, 200], rate: [1, 100],
};

const digits = (x: number): string => String(Number(x.toPrecision(6)));

export function toAddress(state: State, start: State): string {
  const words: string[] = [];
  for (const key of Object.keys(DEFAULTS) as (keyof State)[]) {
    const value = state[key];
    if (JSON.stringify(value) === JSON.stringify(start[key])) continue;
    const text = Array.isArray(value) ? value.map(digits).join(',') : typeof value === 'boolean' ? (value ? '1' : '0') : typeof value === 'number' ? digits(value) : value;
    words.push(`${key}=${encodeURIComponent(text)}`);
  }
  return words.length ? '#' + words.join('&') : '';
}

/** What an address says; anything that is not a value of its key is left out. */
export function fromAddress(hash: string): Partial<State> {
  const found: Record<string, unknown> = {};
  for (const [key, text] of new URLSearchParams(hash.replace(/^#/, ''))) {
    if (!Object.prototype.hasOwnProperty.call(DEFAULTS, key)) continue;
    const sample = DEFAULTS[key as keyof State];
    if (Array.isArray(sample)) {
      const numbers = text.split(',').map(Number);
      if (numbers.every(Number.isFinite) && [3, 4, 7].includes(numbers.length)) found[key] = numbers;
    } else if (typeof sample === 'boolean') {
      if (text === '0' || text === '1') found[key] = text === '1';
    } else if (typeof sample === 'number') {
      const [low, high] = LIMITS[key as keyof State] ?? [-1, 2 ** 31];
      if (text !== '' && Number.isFinite(Number(text))) found[key] = Math.min(high, Math.max(low, Number(text)));
    } else if (key === 'contact' ? /^\d+-\d+-\d+$/.test(text) : CHOICES[key as keyof State]?.includes(text)) found[key] = text;
  }
  return found as Partial<State>;
}
