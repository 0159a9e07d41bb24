// Walls, planes, vessels: outlines, and in space faint faces that do not hide the grains.

import * as THREE from 'three';
import type { Geometry, Mesh } from '../frames/codec';
import type { Frame } from '../frames/frame';

export class Boundaries {
  readonly group = new THREE.Group();
  private objects = new Map<number, THREE.Group>();
  private lineMaterial = new THREE.LineBasicMaterial({ transparent: true });
  private faceMaterial = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.07, side: THREE.DoubleSide, depthWrite: false });
  private known: Geometry | null = null;

  setColour(colour: THREE.Color, isPlane: boolean): void {
    this.lineMaterial.color.copy(colour);
    this.faceMaterial.color.copy(colour);
    this.lineMaterial.opacity = isPlane ? 0.85 : 0.16;
  }

  private make(id: number, geometry: Geometry): THREE.Group | null {
    const mesh = geometry.boundaries.get(id);
    if (!mesh) return null;
    const group = new THREE.Group();
    const points = new THREE.BufferAttribute(mesh.points, 3);
    if (mesh.triangles.length > 0) {
      const faces = new THREE.BufferGeometry();
      faces.setAttribute('position', points);
      faces.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
      group.add(new THREE.Mesh(faces, this.faceMaterial));
    }
    group.add(new THREE.LineSegments(this.outline(mesh, points), this.lineMaterial));
    this.group.add(group);
    return group;
  }

  /** Borders and sharp edges; the sides that a round wall is cut into are none. */
  private outline(mesh: Mesh, points: THREE.BufferAttribute): THREE.BufferGeometry {
    const lines = new THREE.BufferGeometry();
    lines.setAttribute('position', points);
    if (mesh.triangles.length > 0) {
      lines.setIndex(new THREE.BufferAttribute(mesh.triangles, 1));
      return new THREE.EdgesGeometry(lines, 30);
    }
    lines.setIndex(new THREE.BufferAttribute(mesh.edges, 1));
    return lines;
  }

  update(frame: Frame, geometry: Geometry): void {
    if (geometry !== this.known) {
      this.group.clear();
      this.objects.clear();
      this.known = geometry;
    }
    for (const object of this.objects.values()) object.visible = false;
    for (let i = 0; i < frame.count; ++i) {
      if (frame.radius[i] > 0) continue;
      const id = frame.id[i];
      if (!this.objects.has(id)) {
        const made = this.make(id, geometry);
        if (!made) continue;
        this.objects.set(id, made);
      }
      const object = this.objects.get(id)!;
      object.visible = true;
      object.position.set(frame.position[3 * i], frame.position[3 * i + 1], frame.position[3 * i + 2]);
      object.quaternion.set(frame.rotation[4 * i], frame.rotation[4 * i + 1], frame.rotation[4 * i + 2], frame.rotation[4 * i + 3]);
    }
  }
}
