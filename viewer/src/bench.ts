// Cost of drawing 1 000, 10 000 and 100 000 bodies, for benchmarks/viewer.mjs: balls and tetrahedra in a box, the same picture size. In software
// rendering the times say little about a graphics card; their ratios say whether the cost grows as it should.

import { Stage } from './draw/stage';
import type { Geometry } from './frames/codec';
import type { Frame, Meta } from './frames/frame';

function makeMeta(side: number): Meta {
  const unit = { name: '', factor: 1 };
  return {
    dimension: 3, title: 'benchmark', state: 'finished', origin: [0, 0, 0], gravity: [0, 0, -1], space: null, materials: [], has_contacts: false, has_sums: false, frames: [], series: {}, provenance: {},
    units: { length: unit, speed: unit, mass: unit, force: unit, pressure: unit, energy: unit, time: unit, spin: unit },
    extent: { low: [-side, -side, -side], high: [side, side, side], smallest: 0.5, largest: 0.5, max_speed: 1, max_force: 1 },
  };
}

function makeFrame(count: number, shape: number): Frame {
  const side = Math.ceil(Math.cbrt(count));
  const frame: Frame = {
    number: 0, count, id: new Int32Array(count), position: new Float32Array(3 * count), image: new Int32Array(3 * count), rotation: new Float32Array(4 * count), velocity: new Float32Array(3 * count), spin: new Float32Array(3 * count),
    radius: new Float32Array(count).fill(0.5), mass: new Float32Array(count), birth: new Float32Array(count), material: new Int32Array(count), tag: new Int32Array(count), shape: new Int32Array(count).fill(shape),
    driven: new Int32Array(count), wall: new Int32Array(count), contacts: null, sums: null,
  };
  for (let i = 0; i < count; ++i) {
    frame.id[i] = i;
    frame.rotation[4 * i + 3] = 1;
    const cell = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    for (let k = 0; k < 3; ++k) frame.position[3 * i + k] = cell[k] - side / 2;
  }
  return frame;
}

/** Median time of a frame [ms]: new poses and colours to the card, drawing, waiting for it. */
function measure(count: number, shape: number, repeats: number): number {
  const stage = new Stage(makeMeta(Math.cbrt(count) / 2));
  document.body.replaceChildren(stage.canvas);
  stage.canvas.style.cssText = 'width:960px;height:640px';
  stage.resize(960, 640);
  stage.setTheme('#ffffff', '#000000');
  const frame = makeFrame(count, shape);
  const tetrahedron = { points: new Float32Array([0.3, 0.3, 0.3, -0.3, -0.3, 0.3, -0.3, 0.3, -0.3, 0.3, -0.3, -0.3]), triangles: new Uint32Array([0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2]), edges: new Uint32Array([]) };
  const geometry: Geometry = { shapes: new Map([[1, tetrahedron]]), boundaries: new Map() };
  const colours = new Float32Array(3 * count).map((_, i) => ((i * 7919) % 97) / 97);
  const seen = new Uint8Array(count).fill(1);
  stage.look('oblique', frame);
  const times: number[] = [];
  for (let k = 0; k <= repeats; ++k) {
    const began = performance.now();
    frame.position[0] += 1e-3;
    stage.showBodies(frame, colours, seen, geometry);
    stage.render();
    stage.finish();
    if (k > 0) times.push(performance.now() - began); // the first one compiles shaders
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
}

(window as unknown as { bench: typeof measure }).bench = measure;
