// The picture: renderer, cameras, what is in the scene, and what lies under the pointer.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Geometry } from '../frames/codec';
import type { Contacts, Frame, Meta } from '../frames/frame';
import { upOf } from '../measure/plane';
import type { Vec } from '../measure/vector';
import { Balls, type SharedUniforms } from './balls';
import { Boundaries } from './boundaries';
import { Links } from './links';
import { Solids } from './solids';

export type Preset = 'front' | 'side' | 'top' | 'oblique';

/** Whether pictures are drawn by the processor: smooth edges would then cost more than they are worth. */
function isSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly forces: Links;
  readonly paths: Links;
  readonly boundaries = new Boundaries();
  onView?: () => void; // the camera moved
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private perspective = new THREE.PerspectiveCamera(32, 1, 0.1, 1000);
  private orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.1, 1000);
  private camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  private controls: OrbitControls;
  private balls: Balls;
  private solids: Solids;
  private uniforms: SharedUniforms;
  private readonly up: THREE.Vector3;
  private pending = false;
  private readonly slow: boolean;
  private size: number; // of the extent
  private middle: THREE.Vector3;
  drawn = 0; // pictures so far

  constructor(private readonly meta: Meta) {
    this.slow = isSoftware();
    this.renderer = new THREE.WebGLRenderer({ antialias: !this.slow, alpha: false, powerPreference: 'high-performance' });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // the shaders give screen colours themselves
    this.canvas = this.renderer.domElement;
    this.uniforms = {
      uPerspective: { value: 1 }, uFlat: { value: meta.dimension === 2 ? 1 : 0 }, uMarks: { value: 0 }, uClip: { value: new THREE.Vector4() },
      uInk: { value: new THREE.Color() }, uPaper: { value: new THREE.Color() }, uToWorld: { value: new THREE.Matrix4() },
    };
    this.balls = new Balls(this.uniforms, !this.slow);
    this.solids = new Solids(this.uniforms);
    this.forces = new Links(this.uniforms, true);
    this.paths = new Links(this.uniforms, meta.dimension === 2);
    this.scene.add(this.boundaries.group, this.solids.group, this.balls.mesh, this.paths.mesh, this.forces.mesh);
    const { low, high } = meta.extent;
    const half = [0, 1, 2].map((k) => Math.max(0, (high[k] - low[k]) / 2) || 0);
    this.size = Math.max(1e-12, Math.hypot(...half));
    this.middle = new THREE.Vector3(); // positions are relative to the middle of the extent
    const up = upOf(meta);
    this.up = meta.dimension === 2 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(...up);
    this.camera = meta.dimension === 2 ? this.orthographic : this.perspective;
    for (const camera of [this.perspective, this.orthographic]) camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.screenSpacePanning = true;
    if (meta.dimension === 2) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
      this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    }
    this.controls.addEventListener('change', () => {
      this.onView?.();
      this.invalidate();
    });
  }

  get isPerspective(): boolean { return this.camera === this.perspective; }
  get renderedSize(): { width: number; height: number } { return { width: this.canvas.clientWidth, height: this.canvas.clientHeight }; }

  setTheme(paper: string, ink: string): void {
    const clear = new THREE.Color(paper);
    const p = new THREE.Color(paper);
    this.renderer.setClearColor(clear.convertLinearToSRGB(), 1);
    this.uniforms.uPaper.value.copy(p);
    this.uniforms.uInk.value.copy(new THREE.Color(ink));
    this.boundaries.setColour(new THREE.Color(ink).convertLinearToSRGB(), this.meta.dimension === 2);
    this.invalidate();
  }

  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    this.renderer.setPixelRatio(this.slow ? 1 : Math.min(2, window.devicePixelRatio || 1));
    this.renderer.setSize(width, height, false);
    this.project();
    this.invalidate();
  }

  private project(): void {
    const { width, height } = this.renderedSize;
    const aspect = width / Math.max(1, height);
    this.perspective.aspect = aspect;
    const half = this.size;
    this.orthographic.left = -half * aspect;
    this.orthographic.right = half * aspect;
    this.orthographic.top = half;
    this.orthographic.bottom = -half;
    const distance = this.camera.position.distanceTo(this.controls.target);
    for (const camera of [this.perspective, this.orthographic]) {
      camera.near = Math.max(distance * 1e-3, distance - 20 * this.size);
      camera.far = distance + 20 * this.size;
      camera.updateProjectionMatrix();
    }
    this.uniforms.uPerspective.value = this.isPerspective ? 1 : 0;
    // A pixel's half width, as thin as a segment may get.
    const least = this.isPerspective ? Math.tan((this.perspective.fov * Math.PI) / 360) / Math.max(1, height) : half / this.orthographic.zoom / Math.max(1, height);
    this.forces.least.value = this.paths.least.value = least * 0.9;
  }

  setPerspective(on: boolean): void {
    if (this.meta.dimension === 2 || on === this.isPerspective) return;
    const next = on ? this.perspective : this.orthographic;
    const old = this.camera;
    const distance = old.position.distanceTo(this.controls.target);
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
    next.position.copy(old.position);
    next.quaternion.copy(old.quaternion);
    if (!on) this.orthographic.zoom = this.size / (distance * tangent);
    else {
      const away = this.size / this.orthographic.zoom / tangent;
      next.position.copy(this.controls.target).add(old.position.clone().sub(this.controls.target).setLength(away));
    }
    this.camera = next;
    this.controls.object = next;
    this.controls.update();
    this.invalidate();
  }

  /** Looks from a side at everything. */
  look(preset: Preset, frame: Frame | null): void {
    const direction = this.direction(preset);
    const right = this.up.clone().cross(direction).normalize();
    const up = direction.clone().cross(right).normalize();
    const { width, height } = this.renderedSize;
    const aspect = width / Math.max(1, height);
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
    // Centre and size of what a camera at `distance` would see; a second look corrects for perspective.
    const target = this.middle.clone();
    let half = this.size;
    let distance = 4 * this.size;
    for (let look = 0; look < 6; ++look) {
      const box = this.boxSeen(frame, target, right, up, direction, this.isPerspective && look > 0 ? distance : Infinity);
      if (!box) break;
      target.addScaledVector(right, (box.left + box.right) / 2).addScaledVector(up, (box.bottom + box.top) / 2);
      // Tools cover a strip at the top of the picture, the legend a corner at the bottom.
      const [above, below] = height > 360 ? [54, 70] : [10, 10];
      half = Math.max(1e-12, ((box.top - box.bottom) / 2) * (height / Math.max(1, height - above - below)), (box.right - box.left) / 2 / aspect / 0.94);
      target.addScaledVector(up, -((below - above) / height) * half);
      if (look === 0) target.addScaledVector(direction, box.depth);
      distance = this.isPerspective ? half / tangent : 4 * this.size;
    }
    this.orthographic.zoom = this.size / half;
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
    this.invalidate();
  }

  /** Borders of the grains about a target as a camera at a distance sees them, in lengths at the target; null without grains. */
  private boxSeen(frame: Frame | null, target: THREE.Vector3, right: THREE.Vector3, up: THREE.Vector3, direction: THREE.Vector3, distance: number): { left: number; right: number; top: number; bottom: number; depth: number } | null {
    const box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity, depth: 0 };
    const p = new THREE.Vector3();
    let [near, far] = [-Infinity, Infinity];
    for (let i = 0; frame && i < frame.count; ++i) {
      const r = frame.radius[i];
      if (!(r > 0) || !Number.isFinite(frame.position[3 * i])) continue;
      p.set(frame.position[3 * i], frame.position[3 * i + 1], frame.position[3 * i + 2]).sub(target);
      const depth = p.dot(direction);
      const grow = distance === Infinity ? 1 : distance / Math.max(0.05 * distance, distance - depth);
      const [x, y] = [p.dot(right) * grow, p.dot(up) * grow];
      box.left = Math.min(box.left, x - r * grow);
      box.right = Math.max(box.right, x + r * grow);
      box.bottom = Math.min(box.bottom, y - r * grow);
      box.top = Math.max(box.top, y + r * grow);
      near = Math.max(near, depth);
      far = Math.min(far, depth);
    }
    if (box.left > box.right) return null;
    box.depth = (near + far) / 2;
    return box;
  }

  private across(): THREE.Vector3 {
    const start = Math.abs(this.up.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
    return start.addScaledVector(this.up, -start.dot(this.up)).normalize();
  }

  /** From the scene to the reader. */
  private direction(preset: Preset): THREE.Vector3 {
    if (this.meta.dimension === 2) return new THREE.Vector3(0, 0, 1);
    const x = this.across();
    const front = x.clone().cross(this.up).normalize();
    if (preset === 'front') return front;
    if (preset === 'side') return x;
    if (preset === 'top') return this.up.clone().addScaledVector(front, 1e-3).normalize();
    return front.multiplyScalar(1).addScaledVector(x, 0.62).addScaledVector(this.up, 0.52).normalize();
  }

  getCamera(): number[] {
    const t = this.controls.target;
    return [...this.camera.position.toArray(), t.x, t.y, t.z, this.camera.zoom];
  }
  setCamera(numbers: number[]): void {
    if (numbers.length !== 7) return;
    this.camera.position.set(numbers[0], numbers[1], numbers[2]);
    this.controls.target.set(numbers[3], numbers[4], numbers[5]);
    this.camera.zoom = numbers[6];
    this.controls.update();
    this.invalidate();
  }
  /** Moves camera and target together. */
  shift(by: Vec): void {
    const d = new THREE.Vector3(...by);
    this.camera.position.add(d);
    this.controls.target.add(d);
    this.controls.update();
  }
  /** Turns about the target, by angles of the keyboard; in the plane moves instead. */
  orbit(right: number, up: number): void {
    const offset = this.camera.position.clone().sub(this.controls.target);
    if (this.meta.dimension === 2) {
      const step = (0.1 * this.size) / this.orthographic.zoom;
      return this.shift([right * step, up * step, 0]);
    }
    const sphere = new THREE.Spherical();
    const toY = new THREE.Quaternion().setFromUnitVectors(this.up, new THREE.Vector3(0, 1, 0));
    sphere.setFromVector3(offset.applyQuaternion(toY));
    sphere.theta += 0.12 * right;
    sphere.phi = Math.max(0.01, Math.min(Math.PI - 0.01, sphere.phi - 0.12 * up));
    offset.setFromSpherical(sphere).applyQuaternion(toY.invert());
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
    this.invalidate();
  }
  zoom(factor: number): void {
    if (this.isPerspective) {
      const offset = this.camera.position.clone().sub(this.controls.target).divideScalar(factor);
      this.camera.position.copy(this.controls.target).add(offset);
    } else this.camera.zoom *= factor;
    this.controls.update();
    this.onView?.();
    this.invalidate();
  }

  setClip(normal: Vec | null, offset: number): void {
    this.uniforms.uClip.value.set(...(normal ?? [0, 0, 0]), offset);
  }
  setMarks(on: boolean): void {
    this.uniforms.uMarks.value = on ? 1 : 0;
  }

  showBodies(frame: Frame, colours: Float32Array, seen: Uint8Array, geometry: Geometry): void {
    const round = new Int32Array(frame.count);
    const other = new Int32Array(frame.count);
    let [rounds, others] = [0, 0];
    for (let i = 0; i < frame.count; ++i) {
      if (!(frame.radius[i] > 0)) continue;
      if (frame.shape[i] !== 0) other[others++] = i;
      else if (seen[i]) round[rounds++] = i;
    }
    this.balls.update(round, rounds, frame.position, frame.radius, frame.rotation, colours);
    this.solids.update(other, others, frame, colours, seen, geometry);
    this.solids.setEdgeStrength(this.meta.dimension === 2 ? 0.6 : 0.35);
  }

  invalidate(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.render();
    });
  }
  /** Ends with the next picture, or after so many milliseconds. */
  drawnOr(milliseconds: number): Promise<unknown> {
    return Promise.race([new Promise(requestAnimationFrame), new Promise((done) => setTimeout(done, milliseconds))]);
  }
  render(): void {
    this.sync();
    this.uniforms.uToWorld.value.copy(this.camera.matrixWorld);
    this.renderer.render(this.scene, this.camera);
    ++this.drawn;
  }
  /** For measuring: waits until what was asked of the card is drawn. */
  finish(): void {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  /** Brings the camera's matrices in step with its place, before the next picture does. */
  sync(): void {
    this.project();
    this.camera.updateMatrixWorld();
  }

  /** Where a point stands in the picture [px], or null behind the reader. */
  toScreen(p: Vec): [number, number] | null {
    const v = new THREE.Vector3(...p).project(this.camera);
    if (!(v.z <= 1 && v.z >= -1) || !Number.isFinite(v.x + v.y)) return null; // also when the camera has no place yet
    const { width, height } = this.renderedSize;
    return [((v.x + 1) / 2) * width, ((1 - v.y) / 2) * height];
  }
  private ray(x: number, y: number): THREE.Ray {
    const { width, height } = this.renderedSize;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
    return caster.ray;
  }
  /** Where the line of sight through a pixel meets a plane. */
  onPlane(x: number, y: number, origin: Vec, normal: Vec): Vec | null {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(new THREE.Vector3(...normal), new THREE.Vector3(...origin));
    const hit = this.ray(x, y).intersectPlane(plane, new THREE.Vector3());
    return hit ? [hit.x, hit.y, hit.z] : null;
  }
  /** Pixels of a length at the target. */
  pixelsPer(): number {
    const { height } = this.renderedSize;
    if (!this.isPerspective) return (height / 2 / this.size) * this.orthographic.zoom;
    const distance = this.camera.position.distanceTo(this.controls.target);
    return height / 2 / (distance * Math.tan((this.perspective.fov * Math.PI) / 360));
  }

  /** The row of the nearest body under a pixel, or -1. */
  pickBody(x: number, y: number, frame: Frame, seen: Uint8Array, geometry: Geometry): number {
    const ray = this.ray(x, y);
    const clip = this.uniforms.uClip.value;
    const sphere = new THREE.Sphere();
    const hit = new THREE.Vector3();
    let best = -1;
    let nearest = Infinity;
    for (let i = 0; i < frame.count; ++i) {
      if (!seen[i] || !(frame.radius[i] > 0)) continue;
      sphere.center.set(frame.position[3 * i], frame.position[3 * i + 1], frame.position[3 * i + 2]);
      sphere.radius = frame.radius[i];
      if (clip.lengthSq() > 0 && clip.x * sphere.center.x + clip.y * sphere.center.y + clip.z * sphere.center.z - clip.w > 0) continue;
      if (!ray.intersectSphere(sphere, hit)) continue;
      const isHit = frame.shape[i] === 0 || this.hitsSolid(ray, frame, i, geometry, hit);
      const distance = hit.distanceTo(ray.origin);
      if (isHit && distance < nearest) [best, nearest] = [i, distance];
    }
    return best;
  }

  private hitsSolid(ray: THREE.Ray, frame: Frame, i: number, geometry: Geometry, hit: THREE.Vector3): boolean {
    const mesh = geometry.shapes.get(frame.shape[i]);
    if (!mesh) return false;
    const turn = new THREE.Quaternion(...(frame.rotation.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number]));
    const place = new THREE.Vector3(frame.position[3 * i], frame.position[3 * i + 1], frame.position[3 * i + 2]);
    const back = turn.clone().invert();
    const local = new THREE.Ray(ray.origin.clone().sub(place).applyQuaternion(back), ray.direction.clone().applyQuaternion(back));
    const corner = (k: number) => new THREE.Vector3(mesh.points[3 * k], mesh.points[3 * k + 1], mesh.points[3 * k + 2]);
    const point = new THREE.Vector3();
    let best = Infinity;
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      if (!local.intersectTriangle(corner(mesh.triangles[t]), corner(mesh.triangles[t + 1]), corner(mesh.triangles[t + 2]), false, point)) continue;
      const distance = point.distanceTo(local.origin);
      if (distance < best) {
        best = distance;
        hit.copy(point).applyQuaternion(turn).add(place);
      }
    }
    return best < Infinity;
  }

  /** The contact whose point is drawn nearest to a pixel, within a few pixels; -1: none. */
  pickContact(x: number, y: number, contacts: Contacts, seen: (k: number) => boolean): number {
    let best = -1;
    let nearest = 9;
    for (let k = 0; k < contacts.count; ++k) {
      if (!seen(k)) continue;
      const p = this.toScreen([contacts.point[3 * k], contacts.point[3 * k + 1], contacts.point[3 * k + 2]]);
      const distance = p ? Math.hypot(p[0] - x, p[1] - y) : Infinity;
      if (distance < nearest) [best, nearest] = [k, distance];
    }
    return best;
  }
}
