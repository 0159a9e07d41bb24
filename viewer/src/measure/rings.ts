// Pressure on the ground by rings about the axis [moreau2003, sec. 9.3], as src/observe/rings.cpp has it: vertical forces at the contacts of grains
// with walls that project into a ring, over the ring's area; in the plane the two strips at that distance. The axis goes through the origin.

import { type Contacts, type Frame, isGrain, type Meta } from '../frames/frame';
import { upOf } from './plane';
import { add, at, dot, length, scale, sub, type Vec } from './vector';

export interface Ring {
  inner: number;
  outer: number;
  force: number;
  pressure: number;
  contacts: number;
}

export function ringPressures(frame: Frame, contacts: Contacts, meta: Meta, count: number, radius: number): Ring[] {
  const up = upOf(meta);
  const origin: Vec = [meta.origin[0], meta.origin[1], meta.origin[2] ?? 0];
  const rings: Ring[] = Array.from({ length: count }, (_, k) => ({ inner: (k * radius) / count, outer: ((k + 1) * radius) / count, force: 0, pressure: 0, contacts: 0 }));
  for (let k = 0; k < contacts.count; ++k) {
    let [grain, wall, sign] = [contacts.a[k], contacts.b[k], 1];
    if (grain < 0 || wall < 0) continue;
    if (frame.wall[grain]) [grain, wall, sign] = [wall, grain, -1];
    if (!frame.wall[wall] || !isGrain(frame, grain)) continue;
    const force = sign * dot(at(contacts.force, k), up);
    const d = add(at(contacts.point, k), origin);
    const ring = Math.floor((length(sub(d, scale(up, dot(d, up)))) / radius) * count);
    if (!(ring < count) || dot(at(contacts.force, k), at(contacts.force, k)) === 0) continue;
    rings[ring].force += force;
    rings[ring].contacts += 1;
  }
  for (const ring of rings) {
    const area = meta.dimension === 2 ? 2 * (ring.outer - ring.inner) : Math.PI * (ring.outer ** 2 - ring.inner ** 2);
    ring.pressure = ring.force / area;
  }
  return rings;
}
