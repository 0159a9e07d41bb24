// The plane in which cuts and probes are drawn: that of the picture in 2D; in 3D the vertical plane through a given depth that
// faces the front. A point has coordinates along (to the right) and up; the third direction is depth (away from the reader).

import type { Meta } from '../frames/frame';
import { add, cross, dot, scale, unit, type Vec } from './vector';

export interface DrawingPlane {
  origin: Vec; // relative to the run's origin
  along: Vec;
  up: Vec;
  depth: Vec;
}

/** Against gravity, or along the last axis without gravity: as in src/observe/space.h. */
export function upOf(meta: Meta): Vec {
  const g: Vec = [meta.gravity[0] ?? 0, meta.gravity[1] ?? 0, meta.gravity[2] ?? 0];
  if (Math.hypot(...g) > 0) return scale(unit(g), -1);
  return meta.dimension === 2 ? [0, 1, 0] : [0, 0, 1];
}

/** The vertical plane through the axis (0, 0) of the scene, turned about it by `turn` [deg]. */
export function drawingPlane(meta: Meta, turn: number): DrawingPlane {
  if (meta.dimension === 2) return { origin: [0, 0, 0], along: [1, 0, 0], up: [0, 1, 0], depth: [0, 0, -1] };
  const up: Vec = Math.abs(upOf(meta)[2]) > 0.5 ? [0, 0, Math.sign(upOf(meta)[2])] : upOf(meta);
  const start: Vec = Math.abs(up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
  const e = unit(add(start, scale(up, -dot(start, up))));
  const f = cross(up, e);
  const angle = (turn * Math.PI) / 180;
  const along = add(scale(e, Math.cos(angle)), scale(f, Math.sin(angle)));
  const depth = cross(up, along);
  const toAxis: Vec = [-meta.origin[0], -meta.origin[1], -(meta.origin[2] ?? 0)];
  return { origin: scale(depth, dot(toAxis, depth)), along, up, depth };
}

export const onPlane = (plane: DrawingPlane, x: number, y: number): Vec => add(plane.origin, add(scale(plane.along, x), scale(plane.up, y)));
