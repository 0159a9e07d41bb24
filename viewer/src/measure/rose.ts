// Directions of contacts: in the plane a rose of 24 sectors with the density fitted by cosines and sines of 2, 4 and 6 times the angle
// [moreau2001, sec. 3.3]; in space the density of inclinations over that of no preference, with Legendre polynomials of even degree.

import { type Contacts, type Frame, isGrain, normalForce } from '../frames/frame';
import { at, dot, principal, type Vec } from './vector';

export interface Rose {
  contacts: number;
  sectors: { low: number; high: number; density: number }[]; // angles [rad] from the horizontal; 1: no preference
  fit: (angle: number) => number;
  terms: string; // of the fit
  anisotropy: number; // of the fabric <n (x) n>, as src/observe/fabric.h has it
}

/** Contacts between grains that bear force, those of `keep`. */
function directions(frame: Frame, contacts: Contacts, keep: (k: number) => boolean): Vec[] {
  const normals: Vec[] = [];
  for (let k = 0; k < contacts.count; ++k) {
    const [a, b] = [contacts.a[k], contacts.b[k]];
    if (a < 0 || b < 0 || !isGrain(frame, a) || !isGrain(frame, b) || normalForce(contacts, k) === 0 || !keep(k)) continue;
    normals.push(at(contacts.normal, k));
  }
  return normals;
}

export function planeRose(frame: Frame, contacts: Contacts, keep: (k: number) => boolean, count = 24): Rose {
  const normals = directions(frame, contacts, keep);
  const sectors = Array.from({ length: count }, (_, k) => ({ low: (2 * Math.PI * k) / count, high: (2 * Math.PI * (k + 1)) / count, density: 0 }));
  const a = [0, 0, 0];
  const b = [0, 0, 0];
  for (const n of normals) {
    const angle = Math.atan2(n[1], n[0]);
    for (const theta of [angle, angle + Math.PI]) {
      const turn = ((theta / (2 * Math.PI)) % 1 + 1) % 1;
      sectors[Math.min(count - 1, Math.floor(turn * count))].density += count / (2 * normals.length);
    }
    for (let m = 0; m < 3; ++m) {
      a[m] += (2 * Math.cos(2 * (m + 1) * angle)) / normals.length;
      b[m] += (2 * Math.sin(2 * (m + 1) * angle)) / normals.length;
    }
  }
  const fit = (theta: number) => a.reduce((sum, _, m) => sum + a[m] * Math.cos(2 * (m + 1) * theta) + b[m] * Math.sin(2 * (m + 1) * theta), 1);
  return { contacts: normals.length, sectors, fit, terms: 'fit: 2θ, 4θ, 6θ', anisotropy: Math.hypot(a[0], b[0]) };
}

const P2 = (x: number) => (3 * x * x - 1) / 2;
const P4 = (x: number) => (35 * x ** 4 - 30 * x * x + 3) / 8;
const P6 = (x: number) => (231 * x ** 6 - 315 * x ** 4 + 105 * x * x - 5) / 16;

export function spaceRose(frame: Frame, contacts: Contacts, up: Vec, keep: (k: number) => boolean, bins = 9): Rose {
  const normals = directions(frame, contacts, keep);
  const counts = new Array<number>(bins).fill(0);
  const moments = [0, 0, 0];
  const fabric = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (const n of normals) {
    const c = Math.min(1, Math.abs(dot(n, up)));
    const rise = Math.asin(c); // from the horizontal
    counts[Math.min(bins - 1, Math.floor((rise / (Math.PI / 2)) * bins))] += 1;
    [P2, P4, P6].forEach((p, m) => (moments[m] += p(c) / normals.length));
    for (let p = 0; p < 3; ++p) for (let q = 0; q < 3; ++q) fabric[p][q] += (n[p] * n[q]) / normals.length;
  }
  const density = counts.map((n, k) => {
    const share = Math.sin(((k + 1) * Math.PI) / 2 / bins) - Math.sin((k * Math.PI) / 2 / bins);
    return normals.length ? n / normals.length / share : 0;
  });
  const sectors = [];
  for (let quarter = 0; quarter < 4; ++quarter) {
    for (let k = 0; k < bins; ++k) {
      const at = quarter % 2 === 0 ? k : bins - 1 - k;
      const low = (quarter + k / bins) * (Math.PI / 2);
      sectors.push({ low, high: low + Math.PI / 2 / bins, density: density[at] });
    }
  }
  const axes = principal(fabric);
  const fit = (theta: number) => {
    const c = Math.abs(Math.sin(theta));
    return 1 + 5 * moments[0] * P2(c) + 9 * moments[1] * P4(c) + 13 * moments[2] * P6(c);
  };
  return { contacts: normals.length, sectors, fit, terms: 'fit: P₂, P₄, P₆', anisotropy: 2.5 * (axes[0].value - axes[2].value) };
}
