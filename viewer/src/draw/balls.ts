// All balls of a frame in one draw call.

import * as THREE from 'three';
import { ballFragment, ballVertex } from './shaders';

export interface SharedUniforms {
  [name: string]: THREE.IUniform;
  uPerspective: THREE.IUniform<number>;
  uFlat: THREE.IUniform<number>;
  uMarks: THREE.IUniform<number>;
  uClip: THREE.IUniform<THREE.Vector4>;
  uInk: THREE.IUniform<THREE.Color>;
  uPaper: THREE.IUniform<THREE.Color>;
  uToWorld: THREE.IUniform<THREE.Matrix4>;
}

export class Balls {
  readonly mesh: THREE.Mesh;
  private geometry = new THREE.InstancedBufferGeometry();
  private capacity = 0;
  private centre!: THREE.InstancedBufferAttribute;
  private radius!: THREE.InstancedBufferAttribute;
  private turn!: THREE.InstancedBufferAttribute;
  private tint!: THREE.InstancedBufferAttribute;

  constructor(uniforms: SharedUniforms, smooth: boolean) {
    this.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.reserve(64);
    const material = new THREE.ShaderMaterial({ uniforms, vertexShader: ballVertex, fragmentShader: ballFragment, alphaToCoverage: smooth });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
  }

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.capacity = Math.ceil(count * 1.3);
    const make = (name: string, size: number) => {
      const attribute = new THREE.InstancedBufferAttribute(new Float32Array(this.capacity * size), size);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
      return attribute;
    };
    this.geometry.dispose(); // the buffers on the card have the old size
    this.centre = make('centre', 3);
    this.radius = make('radius', 1);
    this.turn = make('turn', 4);
    this.tint = make('tint', 4);
  }

  /** `rows` of bodies that are balls and are to be seen; `colours` are linear r g b of all bodies. */
  update(rows: Int32Array, count: number, position: Float32Array, radius: Float32Array, rotation: Float32Array, colours: Float32Array): void {
    this.reserve(count);
    const [c, r, q, t] = [this.centre.array, this.radius.array, this.turn.array, this.tint.array];
    for (let k = 0; k < count; ++k) {
      const i = rows[k];
      for (let x = 0; x < 3; ++x) {
        c[3 * k + x] = position[3 * i + x];
        t[4 * k + x] = colours[3 * i + x];
      }
      r[k] = radius[i];
      t[4 * k + 3] = 1;
      for (let x = 0; x < 4; ++x) q[4 * k + x] = rotation[4 * i + x];
    }
    this.geometry.instanceCount = count;
    for (const attribute of [this.centre, this.radius, this.turn, this.tint]) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
    this.mesh.visible = count > 0;
  }
}
