// Mean stress in a disk or ball, from internal moments as src/observe/stress.cpp has it: minus the sum of f (x) r over the contacts of the
// grains whose centres lie inside, over its area or volume; positive in compression [moreau2001, sec. 3.4]. And the tension on its diameters,
// measured, beside what the tensor says: the sinusoids of moreau2001, fig. 3.

import { type Contacts, type Frame, isGrain, type Meta } from '../frames/frame';
import { cutForce, nearest } from './cut';
import { onPlane, type DrawingPlane } from './plane';
import { at, dot, length, principal, sub, type Vec } from './vector';

export interface ProbeSpec {
  centre: [number, number]; // in the drawing plane [m]
  radius: number; // [m]
}

export interface Stress {
  tensor: number[][]; // symmetric part, in the run's axes
  pressure: number;
  axes: { value: number; axis: Vec }[]; // principal, largest first
  asymmetry: number;
  grains: number;
}

export function probeStress(frame: Frame, contacts: Contacts, plane: DrawingPlane, probe: ProbeSpec, meta: Meta): Stress {
  const centre = onPlane(plane, ...probe.centre);
  const dim = meta.dimension;
  const inside = new Uint8Array(frame.count);
  let grains = 0;
  for (let i = 0; i < frame.count; ++i) {
    if (isGrain(frame, i) && length(sub(at(frame.position, i), centre)) <= probe.radius) {
      inside[i] = 1;
      ++grains;
    }
  }
  const sum = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  const take = (i: number, k: number, sign: number) => {
    if (i < 0 || !inside[i]) return;
    const arm = nearest(meta, sub(at(contacts.point, k), at(frame.position, i)));
    for (let p = 0; p < 3; ++p) for (let q = 0; q < 3; ++q) sum[p][q] -= sign * contacts.force[3 * k + p] * arm[q];
  };
  for (let k = 0; k < contacts.count; ++k) {
    take(contacts.a[k], k, 1);
    take(contacts.b[k], k, -1);
  }
  const measure = dim === 2 ? Math.PI * probe.radius ** 2 : (4 / 3) * Math.PI * probe.radius ** 3;
  const tensor = sum.map((row, p) => row.map((_, q) => (0.5 * (sum[p][q] + sum[q][p])) / measure));
  const pressure = (tensor[0][0] + tensor[1][1] + (dim === 3 ? tensor[2][2] : 0)) / dim;
  let skew = 0;
  for (let p = 0; p < 3; ++p) for (let q = 0; q < 3; ++q) skew += ((sum[p][q] - sum[q][p]) / measure) ** 2;
  const axes = principal(tensor).filter((entry) => dim === 3 || Math.abs(entry.axis[2]) < 0.5);
  return { tensor, pressure, axes, asymmetry: Math.sqrt(skew) / (2 * Math.abs(pressure)), grains };
}

export interface Tension {
  angle: number; // of the cut [deg]
  normal: number;
  tangential: number;
}

/** Normal and tangential tension on a cut of direction `angle` [deg] in the drawing plane, by the tensor. */
export function tensorTension(stress: Stress, plane: DrawingPlane, angle: number): Tension {
  const a = (angle * Math.PI) / 180;
  const tangent = [0, 1, 2].map((k) => Math.cos(a) * plane.along[k] + Math.sin(a) * plane.up[k]) as Vec;
  const normal = [0, 1, 2].map((k) => Math.sin(a) * plane.along[k] - Math.cos(a) * plane.up[k]) as Vec;
  const t = stress.tensor.map((row) => row[0] * normal[0] + row[1] * normal[1] + row[2] * normal[2]) as Vec;
  return { angle, normal: dot(t, normal), tangential: dot(t, tangent) };
}

/** The same measured on diameters, 31 as in the paper: resultant over length. In the plane only. */
export function measuredTensions(frame: Frame, contacts: Contacts, plane: DrawingPlane, probe: ProbeSpec, meta: Meta, count = 31): Tension[] {
  const tensions: Tension[] = [];
  for (let k = 0; k < count; ++k) {
    const angle = (180 * k) / count;
    const a = (angle * Math.PI) / 180;
    const [x, y] = probe.centre;
    const [dx, dy] = [probe.radius * Math.cos(a), probe.radius * Math.sin(a)];
    const cut = cutForce(frame, contacts, plane, { from: [x - dx, y - dy], to: [x + dx, y + dy], width: Infinity }, meta);
    const tangent = [0, 1, 2].map((i) => Math.cos(a) * plane.along[i] + Math.sin(a) * plane.up[i]) as Vec;
    tensions.push({ angle, normal: cut.normal / (2 * probe.radius), tangential: dot(cut.force, tangent) / (2 * probe.radius) });
  }
  return tensions;
}
