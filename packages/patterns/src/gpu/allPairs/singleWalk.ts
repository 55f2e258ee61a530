import type { WgslField } from '@corpuscle/functor/wgsl';
import { strainText } from '../box/strainText.js';
import { NO_ROW } from './packParticles.js';
import { TILE, type TileWalk, type WalkRequest } from './TileWalk.js';
import type { TileVariant } from './tileVariant.js';

/** Pairs between two tests of the cutoff, and pairs at once where each is computed. */
const UNROLL = 4;
const DENSE_UNROLL = 8;

const stepsOf = (count: number) => Array.from({ length: count }, (_, k) => k);

/**
 * Everything in f32: sums over a tile, then over the tiles of a split. A tile lies in runs of particles that are met at once,
 * so that bounds are checked once for a run.
 */
export function singleWalk(request: WalkRequest, variant: TileVariant): TileWalk {
  const { lowered, written, light } = request;
  const { box, reach } = variant;
  const run = reach === 'sparse' ? UNROLL : DENSE_UNROLL;
  return {
    params: {},
    declarations: `
var<workgroup> tile: array<array<vec4u, ${run}>, ${TILE / run}>;
${differenceText(variant)}
${nearestText(variant)}
fn interact(i: ptr<function, ${lowered.name}_i>, own: vec4u, other: vec4u, reach: f32) {
  let d = nearest(difference(own.xyz - other.xyz));
  let r2 = dot(d, d);
  if (r2 < reach && other.w != own.w && other.w != ${NO_ROW}u) { call(i, vec4f(d, r2), other.w); }
}
${interactWith('', lowered.name, variant)}${light ? interactWith('_light', light.name, variant) : ''}`,
    before: `
  let reach = select(-1.0, P.rcut2, live);
  ${box === 'shifted' ? 'let doubtful = select(3.0e38, P.inner2, live);' : ''}
  ${written.map((_, n) => `var sum_${n} = 0.0;`).join(' ')}`,
    load: `tile[lane / ${run}u][lane % ${run}u] = others[t * ${TILE}u + lane];`,
    tile: reach === 'sparse' ? sparseTile(request, variant) : denseTile(request),
    entry: 'interact(&i, own, others[n], reach);',
    afterEntries: written.map(({ member }, n) => `sum_${n} = i.${member};`).join(' '),
    sum: (field) => `sum_${written.indexOf(field)}`,
  };
}

/** Of a whole tile that cannot hold the particle itself. */
const interactWith = (suffix: string, name: string, { reach }: TileVariant): string => `
fn interactWith${suffix}(i: ptr<function, ${name}_i>, own: vec4u, other: vec4u, reach: f32) {
  let d = nearest(difference(own.xyz - other.xyz));
  let r2 = dot(d, d);
  ${reach === 'endless' ? '' : 'if (r2 < reach)'} { call${suffix}(i, vec4f(d, r2), other.w); }
}`;

const clear = (variable: string, fields: readonly WgslField[]): string =>
  fields.map(({ member }) => `${variable}.${member} = 0.0;`).join(' ');

/** Four distances at a time; what may be in reach is looked at again, one by one. */
function sparseTile({ written }: WalkRequest, { box }: TileVariant): string {
  const squares = stepsOf(UNROLL).map((k) => `r${k}`);
  const least = squares.reduce((a, b) => `min(${a}, ${b})`);
  const most = squares.reduce((a, b) => `max(${a}, ${b})`);
  return `
    ${clear('i', written)}
    for (var run = 0u; run < ${TILE / UNROLL}u; run++) {
      ${squares.map((r, k) => `let ${r} = square(own, tile[run][${k}]);`).join(' ')}
      if (${least} < reach${box === 'shifted' ? ` || ${most} > doubtful` : ''}) {
        for (var n = 0u; n < ${UNROLL}u; n++) { interact(&i, own, tile[run][n], reach); }
      }
    }
    ${written.map(({ member }, n) => `sum_${n} += i.${member};`).join(' ')}`;
}

/**
 * Pair by pair; only a tile that may hold the particle itself, or padding, is looked at row by row. With a light functor,
 * totals that only the whole one adds to count twice from tiles after the particle's own.
 */
function denseTile({ written, light }: WalkRequest): string {
  const runs = (suffix: string, variable: string): string => `
      for (var run = 0u; run < ${TILE / DENSE_UNROLL}u; run++) {
        ${stepsOf(DENSE_UNROLL)
          .map((k) => `interactWith${suffix}(&${variable}, own, tile[run][${k}], reach);`)
          .join('\n        ')}
      }`;
  const shared = new Set(light?.fields.i.filter((field) => field.written).map((f) => f.member));
  const add = written.map(({ member }, n) => {
    const times = light && !shared.has(member) ? 'times * ' : '';
    return `sum_${n} += ${times}i.${member};`;
  });
  const addLight = written.map(({ member }, n) =>
    shared.has(member) ? `sum_${n} += light.${member};` : '',
  );
  const whole = `
    ${clear('i', written)}
    if (P.oneSet == 0u || t == own_group || t + 1u == P.tiles) {
      for (var n = 0u; n < ${TILE}u; n++) {
        interact(&i, own, tile[n / ${DENSE_UNROLL}u][n % ${DENSE_UNROLL}u], reach);
      }
    } else {${runs('', 'i')}
    }
    ${light ? 'let times = select(2.0, 1.0, t == own_group);' : ''}
    ${add.join(' ')}`;
  if (!light) return whole;
  return `
    if (t < own_group) {
    ${[...shared].map((member) => `light.${member} = 0.0;`).join(' ')}${runs('_light', 'light')}
    ${addLight.join(' ')}
    } else {${whole}
    }`;
}

/** Differences of coordinates as vectors, and their squares; E_k are scaled by 2^−32. The box may be strained. */
export function differenceText({ box, strain }: TileVariant): string {
  const inReference =
    box === 'orthorhombic'
      ? 'f * vec3f(P.e0.x, P.e1.y, P.e2.z)'
      : 'f.x * P.e0.xyz + f.y * P.e1.xyz + f.z * P.e2.xyz';
  const vector = strain ? `strained(${inReference})` : inReference;
  return `${strainText(strain, true)}
fn vectorOf(f: vec3f) -> vec3f { return ${vector}; }
fn difference(u: vec3u) -> vec3f { return vectorOf(vec3f(bitcast<vec3i>(u))); }
fn square(own: vec4u, other: vec4u) -> f32 {
  let d = difference(own.xyz - other.xyz);
  return dot(d, d);
}`;
}

/** The nearest image of a difference found by rounding. */
export function nearestText({ box, strain }: TileVariant): string {
  if (box !== 'shifted') return 'fn nearest(d: vec3f) -> vec3f { return d; }';
  const shift = strain
    ? 'vectorOf(4294967296.0 * s)'
    : '4294967296.0 * (s.x * P.e0.xyz + s.y * P.e1.xyz + s.z * P.e2.xyz)';
  return `
fn nearest(d: vec3f) -> vec3f {
  var r2 = dot(d, d);
  if (r2 <= P.inner2) { return d; }
  var best = d;
  for (var q = 0u; q < 27u; q++) {
    let s = vec3f(f32(q % 3u), f32((q / 3u) % 3u), f32(q / 9u)) - 1.0;
    let c = d + ${shift};
    let c2 = dot(c, c);
    if (c2 < r2) { best = c; r2 = c2; }
  }
  return best;
}`;
}
