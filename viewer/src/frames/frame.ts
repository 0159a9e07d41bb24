// A frame as the page holds it: plain arrays, one row a body or a contact. Positions are relative to the origin that the
// run's description states; all numbers are SI.

/** Contacts, or sums of contacts over the interval before the frame. `a` and `b` are rows of bodies, -1: gone. */
export interface Contacts {
  count: number;
  a: Int32Array;
  b: Int32Array;
  point: Float32Array; // x y z
  normal: Float32Array; // unit, towards a
  force: Float32Array; // what b gives a [N]
  gap?: Float32Array;
  friction?: Float32Array;
  status?: Int32Array; // 0 open, 1 sticking, 2 sliding
  bond?: Int32Array;
  slip?: Float32Array; // V_a - V_b after the step
}

export interface Frame {
  number: number; // in the run
  count: number;
  id: Int32Array;
  position: Float32Array;
  image: Int32Array;
  rotation: Float32Array; // quaternions x y z w
  angle?: Float32Array; // of the plane, whole turns included [rad]
  velocity: Float32Array;
  spin: Float32Array;
  radius: Float32Array; // 0: a boundary
  mass: Float32Array;
  birth: Float32Array;
  material: Int32Array;
  tag: Int32Array;
  shape: Int32Array; // 0: a ball
  driven: Int32Array;
  wall: Int32Array;
  contacts: Contacts | null; // null: not kept for this frame
  sums: Contacts | null;
}

export interface Unit {
  name: string;
  factor: number;
}

export type Quantity = 'length' | 'speed' | 'mass' | 'force' | 'pressure' | 'energy' | 'time' | 'spin';

export interface FrameRow {
  time: number;
  step: number;
  bodies: number;
  contacts: number;
  sums: number;
}

/** What a run says about itself, before any frame. */
export interface Meta {
  dimension: 2 | 3;
  title: string;
  state: string;
  units: Record<Quantity, Unit>;
  origin: number[];
  gravity: number[];
  space: { periodic: boolean[]; low: number[]; high: number[] } | null;
  extent: { low: number[]; high: number[]; smallest: number; largest: number; max_speed: number; max_force: number };
  materials: string[];
  has_contacts: boolean;
  has_sums: boolean;
  frames: FrameRow[];
  series: Record<string, (number | null)[]>;
  provenance: Record<string, string | number>;
  kept?: { number: number; block: number; slot: number; contacts: boolean }[];
  notes?: string[];
  lean?: boolean; // rotations of balls are not in the page
}

/** A grain that can move; walls and fixed grains are not. */
export function isGrain(frame: Frame, i: number): boolean {
  return frame.radius[i] > 0 && frame.wall[i] === 0;
}

/** The row of a body, or -1. Ids increase. */
export function rowOf(frame: Frame, id: number): number {
  let low = 0;
  let high = frame.count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (frame.id[middle] === id) return middle;
    if (frame.id[middle] < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Sum of the normal forces that each body bears: the loads of moreau2001, fig. 1 [N]. */
export function loads(frame: Frame, contacts: Contacts): Float64Array {
  const load = new Float64Array(frame.count);
  for (let k = 0; k < contacts.count; ++k) {
    const n = normalForce(contacts, k);
    if (contacts.a[k] >= 0) load[contacts.a[k]] += n;
    if (contacts.b[k] >= 0) load[contacts.b[k]] += n;
  }
  return load;
}

export function normalForce(contacts: Contacts, k: number): number {
  const f = contacts.force;
  const n = contacts.normal;
  return f[3 * k] * n[3 * k] + f[3 * k + 1] * n[3 * k + 1] + f[3 * k + 2] * n[3 * k + 2];
}
