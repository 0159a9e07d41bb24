// Shaders of balls, solids and force segments. Light comes from over the reader's left shoulder, the same for all.

const LIGHT = /* glsl */ `
uniform vec3 uPaper;
vec3 shade(vec3 colour, vec3 n, float flatness) {
  vec3 light = normalize(vec3(-0.42, 0.55, 0.72));
  float diffuse = max(dot(n, light), 0.0);
  float fill = 0.5 + 0.5 * n.y;
  float rim = pow(1.0 - max(n.z, 0.0), 3.0);
  vec3 h = normalize(light + vec3(0.0, 0.0, 1.0));
  float gloss = pow(max(dot(n, h), 0.0), 40.0) * 0.16;
  vec3 lit = colour * (0.34 + 0.2 * fill + 0.58 * diffuse) + gloss;
  return mix(mix(lit, uPaper, rim * 0.12), colour, flatness);
}
vec3 toScreen(vec3 c) { return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }
`;

const CLIP = /* glsl */ `
uniform vec4 uClip;   // n.x > w is cut away; n = 0: nothing
`;

/** Balls as quads on which the ball is found by its equation: exact silhouettes and depths at four corners a ball. */
export const ballVertex = /* glsl */ `
attribute vec3 centre;
attribute float radius;
attribute vec4 turn;
attribute vec4 tint;
varying vec3 vCentre, vPoint;
varying float vRadius;
varying vec4 vTurn, vTint;
uniform float uPerspective;
void main() {
  vec4 c = modelViewMatrix * vec4(centre, 1.0);
  vec3 toEye = uPerspective > 0.5 ? normalize(-c.xyz) : vec3(0.0, 0.0, 1.0);
  float d = length(c.xyz);
  float grow = uPerspective > 0.5 && d > radius * 1.01 ? 1.0 / sqrt(1.0 - radius * radius / (d * d)) : 1.0;
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), toEye));
  vec3 up = cross(toEye, right);
  vCentre = c.xyz;
  vRadius = radius;
  vTurn = turn;
  vTint = tint;
  vPoint = c.xyz + (right * position.x + up * position.y) * radius * grow * 1.01;
  gl_Position = projectionMatrix * vec4(vPoint, 1.0);
}`;

export const ballFragment = /* glsl */ `
precision highp float;
varying vec3 vCentre, vPoint;
varying float vRadius;
varying vec4 vTurn, vTint;
uniform float uPerspective, uFlat, uMarks;
uniform mat4 projectionMatrix, uToWorld;
uniform vec3 uInk;
${CLIP}${LIGHT}
vec3 unturn(vec4 q, vec3 v) { return v - 2.0 * cross(q.xyz, q.w * v - cross(q.xyz, v)); }
void main() {
  vec3 origin = uPerspective > 0.5 ? vec3(0.0) : vec3(vPoint.xy, 0.0);
  vec3 ray = uPerspective > 0.5 ? normalize(vPoint) : vec3(0.0, 0.0, -1.0);
  vec3 oc = origin - vCentre;
  float b = dot(oc, ray);
  float disc = b * b - dot(oc, oc) + vRadius * vRadius;
  float soft = max(fwidth(disc), 1e-12 * vRadius * vRadius);
  if (disc < -0.5 * soft) discard;
  float cover = clamp(0.5 + disc / soft, 0.0, 1.0);
  float root = sqrt(max(disc, 0.0));
  vec3 hit = origin + ray * (-b - root);
  vec3 n = (hit - vCentre) / vRadius;
  float cap = 0.0;
  vec3 clip = mat3(viewMatrix) * uClip.xyz;
  if (dot(uClip.xyz, uClip.xyz) > 0.0) {
    vec3 world = (uToWorld * vec4(hit, 1.0)).xyz;
    float over = dot(uClip.xyz, world) - uClip.w;
    if (over > 0.0) {
      float along = dot(clip, ray);
      if (along >= 0.0) discard;
      vec3 on = hit + ray * (-over / along);
      if (length(on - vCentre) > vRadius) discard;
      hit = on;
      n = clip;
      cap = 1.0;
    }
  }
  vec3 colour = vTint.rgb;
  if (uFlat > 0.5) {
    vec2 at = (vPoint.xy - vCentre.xy) / vRadius;
    float d = length(at), w = fwidth(d);
    float rim = smoothstep(1.0 - 2.2 * w - 0.02, 1.0 - 1.2 * w - 0.02, d);
    colour *= 1.0 - 0.6 * rim;
    if (uMarks > 0.5) {
      vec2 along = vec2(1.0 - 2.0 * vTurn.z * vTurn.z, 2.0 * vTurn.z * vTurn.w);
      float side = abs(along.x * at.y - along.y * at.x), forward = dot(along, at);
      float line = (1.0 - smoothstep(0.05, 0.05 + 1.5 * w, side)) * step(0.0, forward) * step(d, 0.93);
      colour = mix(colour, uInk, line * 0.75);
    }
  } else {
    if (uMarks > 0.5 && cap < 0.5) {
      vec3 own = unturn(vTurn, mat3(uToWorld) * n);
      float band = smoothstep(0.13, 0.11, abs(own.z));
      float pole = smoothstep(0.9, 0.92, own.x);
      colour = mix(colour, mix(colour, uInk, 0.65), max(band, pole));
    }
    colour = cap > 0.5 ? mix(colour, uInk, 0.18) : shade(colour, n, 0.0);
  }
  gl_FragColor = vec4(toScreen(colour), cap > 0.5 ? 1.0 : cover);
  vec4 clipped = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = clamp(0.5 + 0.5 * clipped.z / clipped.w, 0.0, 1.0);
}`;

/** Other shapes: one mesh of all bodies; a texture tells each body's place, turn and colour. */
export const solidVertex = /* glsl */ `
attribute float slot;
varying vec3 vView, vWorld;
varying vec4 vTint;
uniform sampler2D uPoses;
uniform float uWidth;
vec4 pose(float k) { float i = slot * 3.0 + k; float y = floor(i / uWidth); return texture2D(uPoses, (vec2(i - y * uWidth, y) + 0.5) / uWidth); }
void main() {
  vec4 place = pose(0.0), q = pose(1.0);
  vTint = pose(2.0);
  vec3 world = position + 2.0 * cross(q.xyz, cross(q.xyz, position) + q.w * position) + place.xyz;
  vWorld = world;
  vec4 view = modelViewMatrix * vec4(world, 1.0);
  vView = view.xyz;
  gl_Position = vTint.a > 0.0 ? projectionMatrix * view : vec4(2.0, 2.0, 2.0, 0.0);
}`;

export const solidFragment = /* glsl */ `
precision highp float;
varying vec3 vView, vWorld;
varying vec4 vTint;
uniform float uFlat;
uniform vec3 uInk;
${CLIP}${LIGHT}
void main() {
  if (dot(uClip.xyz, uClip.xyz) > 0.0 && dot(uClip.xyz, vWorld) > uClip.w) discard;
  vec3 n = normalize(cross(dFdx(vView), dFdy(vView)));
  if (n.z < 0.0) n = -n;
  vec3 colour = gl_FrontFacing || uFlat > 0.5 ? shade(vTint.rgb, n, uFlat) : mix(vTint.rgb, uInk, 0.18);
  gl_FragColor = vec4(toScreen(colour), 1.0);
}`;

export const edgeFragment = /* glsl */ `
precision highp float;
varying vec3 vView, vWorld;
varying vec4 vTint;
uniform vec3 uInk;
uniform float uStrength;
${CLIP}
void main() {
  if (dot(uClip.xyz, uClip.xyz) > 0.0 && dot(uClip.xyz, vWorld) > uClip.w) discard;
  gl_FragColor = vec4(pow(uInk, vec3(1.0 / 2.2)), uStrength);
}`;

/** Segments with a thickness, as strips that face the reader and look round. */
export const linkVertex = /* glsl */ `
attribute vec3 from;
attribute vec3 to;
attribute float thick;
attribute vec4 tint;
varying vec2 vAcross;
varying vec4 vTint;
varying vec3 vWorld, vSide, vFront;
uniform float uPerspective, uLeast;
void main() {
  vec4 a = modelViewMatrix * vec4(from, 1.0), b = modelViewMatrix * vec4(to, 1.0);
  float at = position.y * 0.5 + 0.5;
  vec3 p = mix(a.xyz, b.xyz, at);
  vec3 along = b.xyz - a.xyz;
  vec3 toEye = uPerspective > 0.5 ? -p : vec3(0.0, 0.0, 1.0);
  vec3 side = cross(along, toEye);
  side = length(side) > 0.0 ? normalize(side) : vec3(1.0, 0.0, 0.0);
  float pixel = uPerspective > 0.5 ? uLeast * max(-p.z, 0.0) : uLeast;
  float half_ = max(0.5 * thick, pixel);
  vTint = vec4(tint.rgb, tint.a * min(1.0, 0.25 + 0.75 * 0.5 * thick / pixel));
  vAcross = vec2(position.x, at);
  vSide = side;
  vFront = normalize(toEye);
  vWorld = mix(from, to, at);
  gl_Position = projectionMatrix * vec4(p + side * position.x * half_, 1.0);
}`;

export const linkFragment = /* glsl */ `
precision highp float;
varying vec2 vAcross;
varying vec4 vTint;
varying vec3 vWorld, vSide, vFront;
uniform float uFlat;
${CLIP}${LIGHT}
void main() {
  if (dot(uClip.xyz, uClip.xyz) > 0.0 && dot(uClip.xyz, vWorld) > uClip.w) discard;
  float x = vAcross.x;
  vec3 n = normalize(vSide * x + vFront * sqrt(max(0.0, 1.0 - x * x)));
  gl_FragColor = vec4(toScreen(shade(vTint.rgb, n, max(uFlat, 0.35))), vTint.a);
}`;
