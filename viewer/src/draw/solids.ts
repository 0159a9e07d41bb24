// Bodies of other shapes: one merged mesh, remade only when bodies come or go, and a texture of their poses for each frame.

import * as THREE from 'three';
import type { Geometry } from '../frames/codec';
import type { SharedUniforms } from './balls';
import { edgeFragment, solidFragment, solidVertex } from './shaders';

export class Solids {
  readonly group = new THREE.Group();
  private mesh: THREE.Mesh;
  private edges: THREE.LineSegments;
  private texture = new THREE.DataTexture(new Float32Array(4), 1, 1, THREE.RGBAFormat, THREE.FloatType);
  private uniforms: { uPoses: THREE.IUniform<THREE.Texture>; uWidth: THREE.IUniform<number>; uStrength: THREE.IUniform<number> };
  private made = ''; // which bodies the mesh was made for

  constructor(shared: SharedUniforms) {
    this.uniforms = { uPoses: { value: this.texture }, uWidth: { value: 1 }, uStrength: { value: 0.55 } };
    const uniforms = { ...shared, ...this.uniforms };
    this.mesh = new THREE.Mesh(
      new THREE.BufferGeometry(),
      new THREE.ShaderMaterial({ uniforms, vertexShader: solidVertex, fragmentShader: solidFragment, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
    this.edges = new THREE.LineSegments(
      new THREE.BufferGeometry(), new THREE.ShaderMaterial({ uniforms, vertexShader: solidVertex, fragmentShader: edgeFragment, transparent: true }));
    this.mesh.frustumCulled = this.edges.frustumCulled = false;
    this.group.add(this.mesh, this.edges);
  }

  setEdgeStrength(strength: number): void {
    this.uniforms.uStrength.value = strength;
  }

  private rebuild(rows: Int32Array, count: number, id: Int32Array, shape: Int32Array, geometry: Geometry): void {
    let key = '';
    for (let k = 0; k < count; ++k) key += `${id[rows[k]]}:${shape[rows[k]]} `;
    if (key === this.made) return;
    this.made = key;
    let [points, triangles, edges] = [0, 0, 0];
    for (let k = 0; k < count; ++k) {
      const mesh = geometry.shapes.get(shape[rows[k]]);
      if (!mesh) continue;
      points += mesh.points.length / 3;
      triangles += mesh.triangles.length;
      edges += mesh.edges.length;
    }
    const position = new Float32Array(3 * points);
    const slot = new Float32Array(points);
    const faces = new Uint32Array(triangles);
    const lines = new Uint32Array(edges);
    let [p, t, e] = [0, 0, 0];
    for (let k = 0; k < count; ++k) {
      const mesh = geometry.shapes.get(shape[rows[k]]);
      if (!mesh) continue;
      position.set(mesh.points, 3 * p);
      slot.fill(k, p, p + mesh.points.length / 3);
      for (const i of mesh.triangles) faces[t++] = i + p;
      for (const i of mesh.edges) lines[e++] = i + p;
      p += mesh.points.length / 3;
    }
    const attributes = { position: new THREE.BufferAttribute(position, 3), slot: new THREE.BufferAttribute(slot, 1) };
    for (const [object, index] of [[this.mesh, faces], [this.edges, lines]] as const) {
      object.geometry.dispose();
      object.geometry = new THREE.BufferGeometry();
      object.geometry.setAttribute('position', attributes.position);
      object.geometry.setAttribute('slot', attributes.slot);
      object.geometry.setIndex(new THREE.BufferAttribute(index, 1));
    }
  }

  /** `rows` of all bodies that are neither balls nor boundaries; those not `seen` get no colour and are not drawn. */
  update(rows: Int32Array, count: number, frame: { id: Int32Array; shape: Int32Array; position: Float32Array; rotation: Float32Array },
         colours: Float32Array, seen: Uint8Array, geometry: Geometry): void {
    this.group.visible = count > 0;
    if (count === 0) return;
    this.rebuild(rows, count, frame.id, frame.shape, geometry);
    const width = Math.max(1, Math.ceil(Math.sqrt(3 * count)));
    if (this.texture.image.width !== width) {
      this.texture.dispose();
      this.texture = new THREE.DataTexture(new Float32Array(4 * width * width), width, width, THREE.RGBAFormat, THREE.FloatType);
      this.uniforms.uPoses.value = this.texture;
      this.uniforms.uWidth.value = width;
    }
    const data = this.texture.image.data as Float32Array;
    for (let k = 0; k < count; ++k) {
      const i = rows[k];
      const at = 12 * k;
      for (let x = 0; x < 3; ++x) {
        data[at + x] = frame.position[3 * i + x];
        data[at + 8 + x] = colours[3 * i + x];
      }
      for (let x = 0; x < 4; ++x) data[at + 4 + x] = frame.rotation[4 * i + x];
      data[at + 11] = seen[i];
    }
    this.texture.needsUpdate = true;
  }
}
