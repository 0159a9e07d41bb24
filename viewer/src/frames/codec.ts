// Reads what src/view/columns.cpp and geometry.cpp write; the layout is described in src/view/columns.h. Nothing read is trusted:
// counts are checked against the bytes that are there, rows against the number of bodies.

import type { Contacts, Frame } from './frame';

const REAL = 0;
const LINEAR = 1;
const ALONG = 1;
const BEFORE = 2;
const ONWARD = 3;
const NOT_A_NUMBER = -2147483648;

class Bytes {
  private at = 0;
  private readonly view: DataView;
  constructor(private readonly buffer: ArrayBuffer) {
    this.view = new DataView(buffer);
  }
  private take(size: number): number {
    const at = this.at;
    if (size < 0 || at + size > this.buffer.byteLength) throw new Error('the data end too early');
    this.at += size;
    return at;
  }
  u8(): number { return this.view.getUint8(this.take(1)); }
  u16(): number { return this.view.getUint16(this.take(2), true); }
  u32(): number { return this.view.getUint32(this.take(4), true); }
  i32(): number { return this.view.getInt32(this.take(4), true); }
  f64(): number { return this.view.getFloat64(this.take(8), true); }
  raw(size: number): Uint8Array { return new Uint8Array(this.buffer, this.take(size), size); }
  text(size: number): string { return String.fromCharCode(...this.raw(size)); }
  floats(count: number): Float32Array { return new Float32Array(this.raw(4 * count).slice().buffer); }
  words(count: number): Uint32Array { return new Uint32Array(this.raw(4 * count).slice().buffer); }
}

interface Column {
  components: number;
  rows: number;
  encoding: number;
  step: number;
  wholes?: Int32Array; // component by component
  onward?: Int32Array; // what the next frame is predicted to be, of columns that predict onward
  reals?: Float32Array;
}

const scratch = { float: new Float32Array(1), bits: new Uint32Array(0) };
scratch.bits = new Uint32Array(scratch.float.buffer);

/** The value of a whole number of the encoding `brief`. */
function fromBrief(k: number): number {
  const upper = k < 0 ? ((-k - 1) & 0x7fff) | 0x8000 : k & 0x7fff;
  scratch.bits[0] = (upper << 16) >>> 0;
  return scratch.float[0];
}

function placesBefore(ids: Int32Array, before: Int32Array | null): Int32Array {
  const places = new Int32Array(ids.length).fill(-1);
  if (!before) return places;
  let j = 0;
  for (let i = 0; i < ids.length; ++i) {
    while (j < before.length && before[j] < ids[i]) ++j;
    if (j < before.length && before[j] === ids[i]) places[i] = j;
  }
  return places;
}

function readPlanes(bytes: Bytes, column: Column, prediction: number, past: Column | undefined, places: Int32Array): void {
  const { rows, components } = column;
  const wholes = new Int32Array(rows * components);
  const onward = prediction === ONWARD ? new Int32Array(rows * components) : undefined;
  const old = past?.wholes;
  const expected = prediction === ONWARD ? past?.onward : old;
  const isFromBefore = prediction === BEFORE || prediction === ONWARD;
  for (let c = 0; c < components; ++c) {
    const planes = bytes.raw(4 * rows);
    const start = c * rows;
    const oldStart = past ? c * past.rows : 0;
    for (let i = 0; i < rows; ++i) {
      const folded = (planes[i] | (planes[rows + i] << 8) | (planes[2 * rows + i] << 16) | (planes[3 * rows + i] << 24)) >>> 0;
      const difference = (folded >>> 1) ^ -(folded & 1);
      let guess = 0;
      if (prediction === ALONG && i > 0) guess = wholes[start + i - 1];
      const isKnown = isFromBefore && expected && places[i] >= 0;
      if (isKnown) guess = expected[oldStart + places[i]];
      const whole = (difference + guess) | 0;
      wholes[start + i] = whole;
      if (onward) onward[start + i] = isKnown ? (2 * whole - old![oldStart + places[i]]) | 0 : whole;
    }
  }
  column.wholes = wholes;
  column.onward = onward;
}

/** Numbers of a column, those of one row together. */
function values(column: Column): Float32Array {
  const { components, rows } = column;
  const out = new Float32Array(rows * components);
  for (let c = 0; c < components; ++c) {
    for (let i = 0; i < rows; ++i) {
      const at = c * rows + i;
      let value: number;
      if (column.encoding === REAL) value = column.reals![at];
      else if (column.encoding === LINEAR) value = column.wholes![at] === NOT_A_NUMBER ? NaN : column.wholes![at] * column.step;
      else value = fromBrief(column.wholes![at]);
      out[i * components + c] = value;
    }
  }
  return out;
}

function wholes(column: Column): Int32Array {
  const { components, rows } = column;
  if (components === 1) return column.wholes!;
  const out = new Int32Array(rows * components);
  for (let c = 0; c < components; ++c) for (let i = 0; i < rows; ++i) out[i * components + c] = column.wholes![c * rows + i];
  return out;
}

/** Rows of bodies; what points at no body counts as gone. */
function bodyRows(column: Column, bodies: number): Int32Array {
  const rows = wholes(column);
  for (let i = 0; i < rows.length; ++i) if (rows[i] < -1 || rows[i] >= bodies) rows[i] = -1;
  return rows;
}

function toQuaternions(column: Column | undefined, count: number): { rotation: Float32Array; angle?: Float32Array } {
  const rotation = new Float32Array(4 * count);
  if (!column) {
    for (let i = 0; i < count; ++i) rotation[4 * i + 3] = 1;
    return { rotation };
  }
  const raw = values(column);
  if (column.components === 1) {
    for (let i = 0; i < count; ++i) {
      rotation[4 * i + 2] = Math.sin(raw[i] / 2);
      rotation[4 * i + 3] = Math.cos(raw[i] / 2);
    }
    return { rotation, angle: raw };
  }
  for (let i = 0; i < count; ++i) {
    const norm = Math.hypot(raw[4 * i], raw[4 * i + 1], raw[4 * i + 2], raw[4 * i + 3]);
    for (let c = 0; c < 4; ++c) rotation[4 * i + c] = norm > 0 ? raw[4 * i + c] / norm : c === 3 ? 1 : 0;
  }
  return { rotation };
}

function contactsOf(columns: Map<string, Column>, prefix: string, bodies: number): Contacts | null {
  const find = (name: string) => columns.get(prefix + name);
  const a = find('a');
  const b = find('b');
  const point = find('point');
  const normal = find('normal');
  const force = find('force');
  if (!a || !b || !point || !normal || !force) return null;
  const real = (name: string) => (find(name) ? values(find(name)!) : undefined);
  const whole = (name: string) => (find(name) ? wholes(find(name)!) : undefined);
  return {
    count: a.rows, a: bodyRows(a, bodies), b: bodyRows(b, bodies), point: values(point), normal: values(normal), force: values(force),
    gap: real('gap'), friction: real('friction'), status: whole('status'), bond: whole('bond'), slip: real('slip'),
  };
}

function toFrame(number: number, count: number, columns: Map<string, Column>): Frame {
  const real = (name: string, components: number) => {
    const column = columns.get(name);
    return column && column.components === components ? values(column) : new Float32Array(count * components);
  };
  const whole = (name: string, components = 1) => {
    const column = columns.get(name);
    return column?.wholes && column.components === components ? wholes(column) : new Int32Array(count * components);
  };
  return {
    number, count, id: whole('id'), position: real('position', 3), image: whole('image', 3), ...toQuaternions(columns.get('rotation'), count),
    velocity: real('velocity', 3), spin: real('spin', 3), radius: real('radius', 1), mass: real('mass', 1), birth: real('birth', 1),
    material: whole('material'), tag: whole('tag'), shape: whole('shape'), driven: whole('driven'), wall: whole('wall'),
    contacts: contactsOf(columns, '', count), sums: contactsOf(columns, 'sum_', count),
  };
}

/** All frames of a block. */
export function decodeBlock(buffer: ArrayBuffer): Frame[] {
  const bytes = new Bytes(buffer);
  if (bytes.text(4) !== 'TLF1') throw new Error('this is no block of frames');
  const frames: Frame[] = [];
  let past = new Map<string, Column>();
  let idsBefore: Int32Array | null = null;
  const total = bytes.u32();
  for (let k = 0; k < total; ++k) {
    const number = bytes.u32();
    const counts = [bytes.u32(), bytes.u32(), bytes.u32()];
    const columns = new Map<string, Column>();
    let places: Int32Array = new Int32Array(0);
    const many = bytes.u16();
    for (let j = 0; j < many; ++j) {
      const name = bytes.text(bytes.u8());
      const rows = counts[bytes.u8()] ?? 0;
      const column: Column = { rows, components: bytes.u8(), encoding: bytes.u8(), step: 1 };
      const prediction = bytes.u8();
      column.step = bytes.f64();
      if (column.encoding === REAL) column.reals = bytes.floats(rows * column.components);
      else readPlanes(bytes, column, prediction, past.get(name), places);
      if (name === 'id') places = placesBefore(column.wholes!, idsBefore);
      columns.set(name, column);
    }
    frames.push(toFrame(number, counts[0], columns));
    idsBefore = columns.get('id')?.wholes ?? null;
    past = columns;
  }
  return frames;
}

export interface Mesh {
  points: Float32Array;
  triangles: Uint32Array;
  edges: Uint32Array;
}

export interface Geometry {
  shapes: Map<number, Mesh>;
  boundaries: Map<number, Mesh>;
}

function readMesh(bytes: Bytes): [number, Mesh] {
  const number = bytes.i32();
  const points = bytes.u32();
  const triangles = bytes.u32();
  const edges = bytes.u32();
  const mesh = { points: bytes.floats(3 * points), triangles: bytes.words(3 * triangles), edges: bytes.words(2 * edges) };
  for (const list of [mesh.triangles, mesh.edges]) for (const k of list) if (k >= points) throw new Error('a shape has no such point');
  return [number, mesh];
}

export function decodeGeometry(buffer: ArrayBuffer): Geometry {
  const bytes = new Bytes(buffer);
  if (bytes.text(4) !== 'TLG1') throw new Error('these are no shapes');
  const shapes = bytes.u32();
  const boundaries = bytes.u32();
  const geometry: Geometry = { shapes: new Map(), boundaries: new Map() };
  for (let k = 0; k < shapes; ++k) geometry.shapes.set(...readMesh(bytes));
  for (let k = 0; k < boundaries; ++k) geometry.boundaries.set(...readMesh(bytes));
  return geometry;
}
