// Segments with thickness and colour: forces, displacements.

import * as THREE from 'three';
import type { SharedUniforms } from './balls';
import { linkFragment, linkVertex } from './shaders';

/** Room for segments that grows; filled anew for each frame. */
export class Links {
  readonly mesh: THREE.Mesh;
  private geometry = new THREE.InstancedBufferGeometry();
  private capacity = 0;
  private attributes: THREE.InstancedBufferAttribute[] = [];
  private count = 0;
  readonly least = { value: 0 };

  constructor(shared: SharedUniforms, onTop: boolean) {
    this.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new THREE.ShaderMaterial({
      uniforms: { ...shared, uLeast: this.least }, vertexShader: linkVertex, fragmentShader: linkFragment, transparent: true, side: THREE.DoubleSide, depthTest: !onTop, depthWrite: !onTop,
    });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = onTop ? 2 : 1;
    this.begin(64);
  }

  /** Whether segments show through the grains. */
  setOnTop(onTop: boolean): void {
    const material = this.mesh.material as THREE.ShaderMaterial;
    material.depthTest = !onTop;
    material.depthWrite = !onTop;
    this.mesh.renderOrder = onTop ? 2 : 1;
  }

  begin(most: number): void {
    this.count = 0;
    if (most <= this.capacity) return;
    this.capacity = Math.ceil(most * 1.3);
    this.geometry.dispose();
    this.attributes = (['from', 'to', 'thick', 'tint'] as const).map((name) => {
      const size = name === 'thick' ? 1 : name === 'tint' ? 4 : 3;
      const attribute = new THREE.InstancedBufferAttribute(new Float32Array(this.capacity * size), size);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
      return attribute;
    });
  }

  add(ax: number, ay: number, az: number, bx: number, by: number, bz: number, thick: number, colour: ArrayLike<number>, alpha = 1): void {
    const k = this.count++;
    const [from, to, width, tint] = this.attributes.map((attribute) => attribute.array as Float32Array);
    from[3 * k] = ax; from[3 * k + 1] = ay; from[3 * k + 2] = az;
    to[3 * k] = bx; to[3 * k + 1] = by; to[3 * k + 2] = bz;
    width[k] = thick;
    tint[4 * k] = colour[0]; tint[4 * k + 1] = colour[1]; tint[4 * k + 2] = colour[2]; tint[4 * k + 3] = alpha;
  }

  end(): void {
    this.geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    for (const attribute of this.attributes) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, this.count * attribute.itemSize);
      attribute.needsUpdate = true;
    }
  }
}
