import { NO_ROW } from './packParticles.js';
import { TILE, type TileWalk, type WalkRequest } from './TileWalk.js';
import type { TileVariant } from './tileVariant.js';

/** Pairs between two tests of the cutoff, and pairs at once where each is computed. */
const UNROLL = 4;
const DENSE_UNROLL = 8;

const stepsOf = (count: number) => Array.from({ length: count }, (_, k) => k);
const steps = stepsOf(UNROLL);

/** Everything in f32: sums over a tile, then over the tiles of a split. */
export function singleWalk({ lowered, written }: WalkRequest, variant: TileVariant): TileWalk {
  const { box, reach } = variant;
  return {
    params: {},
    declarations: `
var<workgroup> tile: array<vec4u, ${TILE}>;
${differenceText(variant)}
${nearestText(variant)}
fn meet(i: ptr<function, ${lowered.name}_i>, own: vec4u, other: vec4u, reach: f32) {
  let d = nearest(difference(own.xyz - other.xyz));
  let r2 = dot(d, d);
  if (r2 < reach && other.w != own.w && other.w != ${NO_ROW}u) { call(i, vec4f(d, r2), other.w); }
}
// Of a whole tile that cannot hold the particle itself.
fn meetOther(i: ptr<function, ${lowered.name}_i>, own: vec4u, other: vec4u, reach: f32) {
  let d = nearest(difference(own.xyz - other.xyz));
  let r2 = dot(d, d);
  ${reach === 'endless' ? '' : 'if (r2 < reach)'} { call(i, vec4f(d, r2), other.w); }
}`,
    before: `
  let reach = select(-1.0, P.rcut2, live);
  ${box === 'shifted' ? 'let doubtful = select(3.0e38, P.inner2, live);' : ''}
  ${written.map((_, n) => `var sum_${n} = 0.0;`).join(' ')}`,
    load: `tile[lane] = others[t * ${TILE}u + lane];`,
    tile: `
    ${written.map(({ member }) => `i.${member} = 0.0;`).join(' ')}
    ${reach === 'sparse' ? `for (var n = 0u; n < ${TILE}u; n += ${UNROLL}u) { ${sparseRun(variant)} }` : denseTile}
    ${written.map(({ member }, n) => `sum_${n} += i.${member};`).join(' ')}`,
    entry: 'meet(&i, own, others[n], reach);',
    afterEntries: written.map(({ member }, n) => `sum_${n} = i.${member};`).join(' '),
    sum: (field) => `sum_${written.indexOf(field)}`,
  };
}

/** Four distances at a time; what may be in reach is looked at again, one by one. */
function sparseRun({ box }: TileVariant): string {
  const least = steps.map((k) => `r${k}`).reduce((a, b) => `min(${a}, ${b})`);
  const most = steps.map((k) => `r${k}`).reduce((a, b) => `max(${a}, ${b})`);
  return `${steps.map((k) => `let r${k} = square(own, tile[n + ${k}u]);`).join(' ')}
      if (${least} < reach${box === 'shifted' ? ` || ${most} > doubtful` : ''}) {
        for (var m = n; m < n + ${UNROLL}u; m++) { meet(&i, own, tile[m], reach); }
      }`;
}

/** Pair by pair; only a tile that may hold the particle itself, or padding, is looked at row by row. */
const denseTile = `
    if (P.oneSet == 0u || t == own_group || t + 1u == P.tiles) {
      for (var n = 0u; n < ${TILE}u; n++) { meet(&i, own, tile[n], reach); }
    } else {
      for (var n = 0u; n < ${TILE}u; n += ${DENSE_UNROLL}u) {
        ${stepsOf(DENSE_UNROLL)
          .map((k) => `meetOther(&i, own, tile[n + ${k}u], reach);`)
          .join('\n        ')}
      }
    }`;

/** Differences of coordinates as vectors, and their squares; E_k are scaled by 2^−32. */
export function differenceText({ box }: TileVariant): string {
  const vector =
    box === 'orthorhombic'
      ? 'f * vec3f(P.e0.x, P.e1.y, P.e2.z)'
      : 'f.x * P.e0.xyz + f.y * P.e1.xyz + f.z * P.e2.xyz';
  return `
fn vectorOf(f: vec3f) -> vec3f { return ${vector}; }
fn difference(u: vec3u) -> vec3f { return vectorOf(vec3f(bitcast<vec3i>(u))); }
fn square(own: vec4u, other: vec4u) -> f32 {
  let d = difference(own.xyz - other.xyz);
  return dot(d, d);
}`;
}

/** The nearest image of a difference found by rounding. */
export function nearestText({ box }: TileVariant): string {
  if (box !== 'shifted') return 'fn nearest(d: vec3f) -> vec3f { return d; }';
  return `
fn nearest(d: vec3f) -> vec3f {
  var r2 = dot(d, d);
  if (r2 <= P.inner2) { return d; }
  var best = d;
  for (var q = 0u; q < 27u; q++) {
    let s = vec3f(f32(q % 3u), f32((q / 3u) % 3u), f32(q / 9u)) - 1.0;
    let c = d + 4294967296.0 * (s.x * P.e0.xyz + s.y * P.e1.xyz + s.z * P.e2.xyz);
    let c2 = dot(c, c);
    if (c2 < r2) { best = c; r2 = c2; }
  }
  return best;
}`;
}
