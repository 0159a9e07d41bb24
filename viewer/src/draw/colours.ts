// Colour maps that readers with any colour vision can read, and what the colour of a grain says.

import { type Frame, isGrain, type Meta, type Quantity } from '../frames/frame';

export type MapName = 'viridis' | 'cividis' | 'grey' | 'batlow';
/** What is drawn: a map of the reader's choice, or the one that a quantity or the paper asks for. */
export type Ramp = MapName | 'cycle' | 'night';
export type ColourMode = 'plain' | 'speed' | 'load' | 'age' | 'size' | 'tag' | 'material' | 'rotation' | 'spin' | 'mass';

// Places on the published maps, evenly spaced; straight lines between them stay within what an eye can tell.
const STOPS: Record<MapName, string> = {
  viridis: '440154 472d7b 3b528b 2c728e 21918c 28ae80 5ec962 addc30 fde725',
  cividis: '00224e 123570 3b496c 575d6d 707173 8a8678 a59c74 c3b369 e1cc55 fee838',
  batlow: '011959 103f60 1c5a62 3c6d56 687b3e 9d892b d29343 f8a17b fdb7bc faccfa',
  grey: 'f4f4f2 d4d4d2 b0b0ae 8b8b89 666664 424241 1f1f1e',
};
const CYCLE = 'a8503a b8a03c 5f9d4d 4aa3a0 4d6fb3 8a5aa8 a8503a'; // for angles: ends meet
const NIGHT = '34383c 55595d 7b7f82 a3a6a8 cbcdce f4f4f2'; // greys on dark paper: what bears most stands out there too
/** Okabe and Ito's colours: eight that everybody can tell apart. */
export const HUES = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#8c8c8c'];

type Rgb = [number, number, number];
export const toLinear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
export function rgbOf(hex: string): Rgb {
  const h = hex.replace('#', '');
  return [0, 2, 4].map((k) => parseInt(h.slice(k, k + 2), 16) / 255) as Rgb;
}
export const linearOf = (hex: string): Rgb => rgbOf(hex).map(toLinear) as Rgb;

function table(stops: string): Float32Array {
  const colours = stops.split(' ').map(rgbOf);
  const out = new Float32Array(256 * 3);
  for (let k = 0; k < 256; ++k) {
    const at = (k / 255) * (colours.length - 1);
    const i = Math.min(Math.floor(at), colours.length - 2);
    for (let c = 0; c < 3; ++c) out[3 * k + c] = colours[i][c] + (at - i) * (colours[i + 1][c] - colours[i][c]);
  }
  return out;
}
const tables = new Map<string, Float32Array>();
function mapTable(name: Ramp): Float32Array {
  if (!tables.has(name)) tables.set(name, table(name === 'cycle' ? CYCLE : name === 'night' ? NIGHT : STOPS[name]));
  return tables.get(name)!;
}

/** Colour of a share in [0, 1], as screen colours r g b in [0, 1]. */
export function colourAt(name: Ramp, share: number): Rgb {
  const t = mapTable(name);
  const k = Math.max(0, Math.min(255, Math.round(255 * (Number.isFinite(share) ? share : 0))));
  return [t[3 * k], t[3 * k + 1], t[3 * k + 2]];
}

export interface Scale {
  label: string; // with unit
  kind: 'even' | 'log' | 'classes' | 'plain';
  low: number; // in the shown unit
  high: number;
  map: Ramp;
  classes?: { name: string; colour: string }[];
}

export interface Colouring {
  colours: Float32Array; // linear r g b of every body
  scale: Scale;
  values: Float64Array; // in the shown unit
}

const norm = (v: Float32Array, i: number): number => Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]);

/** What a mode says of body i, SI. */
function valueOf(mode: ColourMode, frame: Frame, i: number, load: Float64Array | null): number {
  switch (mode) {
    case 'speed': return norm(frame.velocity, i);
    case 'load': return load ? load[i] : NaN;
    case 'age': return frame.birth[i];
    case 'size': return 2 * frame.radius[i];
    case 'tag': return frame.tag[i];
    case 'material': return frame.material[i];
    case 'mass': return frame.mass[i];
    case 'spin': return norm(frame.spin, i);
    case 'rotation': return turnOf(frame, i);
    default: return 0;
  }
}

/** How far a body has turned [deg]: in the plane from -180 to 180, in space the angle of its rotation, 0 to 180. */
export function turnOf(frame: Frame, i: number): number {
  if (frame.angle) {
    const turns = frame.angle[i] / (2 * Math.PI);
    return 360 * (turns - Math.round(turns));
  }
  const w = Math.min(1, Math.abs(frame.rotation[4 * i + 3]));
  return (2 * Math.acos(w) * 180) / Math.PI;
}

const LABELS: Record<ColourMode, [string, Quantity | 'deg' | '']> = {
  plain: ['', ''], speed: ['speed', 'speed'], load: ['load: sum of normal forces', 'force'], age: ['time of birth', 'time'], size: ['diameter', 'length'],
  tag: ['tag', ''], material: ['material', ''], rotation: ['turned by', 'deg'], spin: ['spin', 'spin'], mass: ['mass', 'mass'],
};
export const MODE_NAMES: Record<ColourMode, string> = {
  plain: 'Plain', speed: 'Speed', load: 'Load', age: 'Age (layers)', size: 'Size', tag: 'Tag', material: 'Material', rotation: 'Rotation', spin: 'Spin', mass: 'Mass',
};

function quantile(sorted: number[], share: number): number {
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] : 0;
}

function scaleOf(mode: ColourMode, meta: Meta, shown: number[], map: Ramp, layers: number): Scale {
  const [word, quantity] = LABELS[mode];
  const unit = quantity === 'deg' ? 'deg' : quantity ? meta.units[quantity].name : '';
  const scale: Scale = { label: unit ? `${word} [${unit}]` : word, kind: 'even', low: 0, high: 1, map };
  const sorted = shown.filter(Number.isFinite).sort((a, b) => a - b);
  if (mode === 'plain') return { ...scale, kind: 'plain' };
  if (mode === 'tag' || mode === 'material') {
    const values = [...new Set(sorted)];
    scale.kind = 'classes';
    scale.classes = values.map((value, k) => ({ name: mode === 'material' ? meta.materials[value] ?? String(value) : String(value), colour: HUES[k % HUES.length] }));
    return scale;
  }
  if (mode === 'rotation') {
    const isPlane = meta.dimension === 2;
    return { ...scale, low: isPlane ? -180 : 0, high: 180, map: isPlane ? 'cycle' : map };
  }
  scale.low = mode === 'speed' || mode === 'load' || mode === 'spin' ? 0 : quantile(sorted, 0);
  scale.high = mode === 'load' ? quantile(sorted, 0.995) : sorted[sorted.length - 1] ?? 1;
  // Where most rest and few move, equal steps of speed would show nothing of the rest.
  if ((mode === 'speed' || mode === 'spin') && scale.high > 0 && quantile(sorted, 0.5) < 0.05 * scale.high) {
    scale.kind = 'log';
    scale.low = scale.high * 1e-4;
  }
  if (!(scale.high > scale.low)) scale.high = scale.low + (Math.abs(scale.low) || 1) * 1e-3;
  if (mode === 'age' && layers > 0) scale.label += `, ${layers} layers`;
  return scale;
}

export function shareOf(scale: Scale, value: number): number {
  if (scale.kind === 'log') return value <= scale.low ? 0 : Math.log(value / scale.low) / Math.log(scale.high / scale.low);
  return (value - scale.low) / (scale.high - scale.low);
}

export interface ColourOptions {
  mode: ColourMode;
  map: MapName | 'auto';
  isDark: boolean; // the paper
  layers: number; // of age: 0 is a smooth ramp
  plain: string; // colour of grains without one
  fixed: string; // colour of grains that are held
  range?: [number, number] | null; // in the shown unit
}

export function colourise(frame: Frame, meta: Meta, load: Float64Array | null, options: ColourOptions): Colouring {
  const { mode } = options;
  const quantity = LABELS[mode][1];
  const factor = quantity && quantity !== 'deg' ? meta.units[quantity].factor : 1;
  const values = new Float64Array(frame.count).fill(NaN);
  const shown: number[] = [];
  for (let i = 0; i < frame.count; ++i) {
    if (!isGrain(frame, i)) continue;
    values[i] = valueOf(mode, frame, i, load) * factor;
    shown.push(values[i]);
  }
  const map = options.map === 'auto' ? (mode === 'load' ? 'grey' : 'viridis') : options.map;
  const scale = scaleOf(mode, meta, shown, map === 'grey' && options.isDark ? 'night' : map, options.layers);
  if (options.range && scale.kind !== 'classes' && scale.kind !== 'plain') [scale.low, scale.high] = options.range;
  const colours = new Float32Array(3 * frame.count);
  const plain = linearOf(options.plain);
  const fixed = linearOf(options.fixed);
  const named = scale.classes ? [...new Set(shown)].sort((a, b) => a - b) : []; // in the order of the classes
  const classes = new Map((scale.classes ?? []).map((entry, k) => [named[k], linearOf(entry.colour)]));
  for (let i = 0; i < frame.count; ++i) {
    let rgb: ArrayLike<number> = fixed;
    if (isGrain(frame, i)) {
      if (scale.kind === 'plain' || !Number.isFinite(values[i])) rgb = plain;
      else if (scale.kind === 'classes') rgb = classes.get(values[i]) ?? plain;
      else {
        let share = shareOf(scale, values[i]);
        if (mode === 'age' && options.layers > 0) share = Math.min(options.layers - 1, Math.floor(share * options.layers)) / Math.max(1, options.layers - 1);
        rgb = colourAt(scale.map, share).map(toLinear);
      }
    }
    colours[3 * i] = rgb[0];
    colours[3 * i + 1] = rgb[1];
    colours[3 * i + 2] = rgb[2];
  }
  return { colours, scale, values };
}
