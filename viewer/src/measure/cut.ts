// The force across an imagined cut, as src/observe's `cut` defines it: over the contacts between bodies whose centres lie on
// both sides of the cut's plane and whose contact point lies in the cut, the sum of what the side behind the normal gives the
// side it points to. Boundaries have no centre and do not count; grains that are held do.

import type { Contacts, Frame, Meta } from '../frames/frame';
import { onPlane, type DrawingPlane } from './plane';
import { at, dot, length, scale, sub, unit, type Vec } from './vector';

/** In the coordinates of the drawing plane, relative to the run's origin [m]. */
export interface CutSpec {
  from: [number, number];
  to: [number, number];
  width: number; // of the rectangle across the drawing plane, in space [m]; Infinity: all of it
}

export interface CutForce {
  force: Vec;
  normal: number; // component along the cut's normal, > 0 in compression [N]
  tangential: number; // magnitude of the rest, with the sign of its component along the cut
  contacts: number;
  area: number; // length of the segment [m], area of the rectangle [m2]
  direction: Vec; // the normal
}

/** The way from one point to another, across a periodic border if that is nearer. */
export function nearest(meta: Meta, d: Vec): Vec {
  if (!meta.space) return d;
  const out: Vec = [...d];
  meta.space.periodic.forEach((is, k) => {
    const size = meta.space!.high[k] - meta.space!.low[k];
    if (is && size > 0) out[k] -= size * Math.round(out[k] / size);
  });
  return out;
}

export function cutForce(frame: Frame, contacts: Contacts, plane: DrawingPlane, cut: CutSpec, meta: Meta): CutForce {
  const from = onPlane(plane, ...cut.from);
  const to = onPlane(plane, ...cut.to);
  const span = length(sub(to, from));
  const tangent = unit(sub(to, from));
  const dx = cut.to[0] - cut.from[0];
  const dy = cut.to[1] - cut.from[1];
  const normal = unit([0, 1, 2].map((k) => dy * plane.along[k] - dx * plane.up[k]) as Vec); // to the right of the way
  let count = 0;
  const force: Vec = [0, 0, 0];
  for (let k = 0; k < contacts.count; ++k) {
    const [a, b] = [contacts.a[k], contacts.b[k]];
    if (a < 0 || b < 0 || !(frame.radius[a] > 0) || !(frame.radius[b] > 0)) continue;
    const f = at(contacts.force, k);
    if (f[0] === 0 && f[1] === 0 && f[2] === 0) continue;
    const p = at(contacts.point, k);
    const ofPoint = sub(p, from);
    const x = dot(ofPoint, tangent);
    if (x < 0 || x > span) continue;
    if (Math.abs(dot(sub(p, plane.origin), plane.depth)) > cut.width / 2) continue;
    const height = dot(ofPoint, normal);
    const sideA = height + dot(nearest(meta, sub(at(frame.position, a), p)), normal);
    const sideB = height + dot(nearest(meta, sub(at(frame.position, b), p)), normal);
    if (sideA >= 0 === sideB >= 0) continue;
    const sign = sideA >= 0 ? 1 : -1;
    for (let c = 0; c < 3; ++c) force[c] += sign * f[c];
    ++count;
  }
  const n = dot(force, normal);
  const rest = sub(force, scale(normal, n));
  const along = dot(rest, tangent);
  return { force, normal: n, tangential: Math.sign(along || 1) * length(rest), contacts: count, area: meta.dimension === 2 ? span : span * cut.width, direction: normal };
}
