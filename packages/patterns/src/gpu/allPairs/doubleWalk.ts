import type { DeviceReals } from '../double/DeviceReals.js';
import type { PairSums } from '../double/PairSums.js';
import { NO_ROW } from './packParticles.js';
import { differenceText, nearestText } from './singleWalk.js';
import { TILE, type TileWalk, type WalkRequest } from './TileWalk.js';
import type { TileVariant } from './tileVariant.js';

/** Pairs that are tested together. */
const UNROLL = 4;

/**
 * Coordinates of 64 bits, whose differences are exact; sums in double-single. High words alone tell, in f32, which
 * particles may be in reach. The functor is called at one place, since in double-single it is long to compile.
 */
export function doubleWalk(
  { lowered }: WalkRequest,
  variant: TileVariant,
  reals: DeviceReals,
  sums: PairSums,
): TileWalk {
  const { box, reach } = variant;
  const isLong = reals.pair === 'f64';
  const within = isLong ? 'ds_less(vec2f(d[0].w, d[1].w), P.rcut2)' : 'd.w < P.rcut2';
  return {
    params: { e0Low: 'vec4f', e1Low: 'vec4f', e2Low: 'vec4f', near2: 'f32', doubtful2: 'f32' },
    declarations: `
var<workgroup> tile: array<vec4u, ${TILE}>;
var<workgroup> tile_low: array<vec4u, ${TILE}>;
${differenceText(variant)}
${isLong ? apartLong(variant) : apartShort(variant)}
fn interact(i: ptr<function, ${lowered.name}_i>, own: vec4u, own_low: vec4u, other: vec4u, low: vec4u) {
  if (other.w == own.w || other.w == ${NO_ROW}u) { return; }
  let d = apart(own, own_low, other, low);
  ${reach === 'endless' ? '' : `if (${within})`} { call(i, d, other.w); }
}`,
    before: `
  let own_low = centrals[P.centralPadded + k];
  let reach = select(-1.0, P.near2, live);
  ${box === 'shifted' ? 'let doubtful = select(3.0e38, P.doubtful2, live);' : ''}`,
    load: `
    tile[lane] = others[t * ${TILE}u + lane];
    tile_low[lane] = others[P.otherPadded + t * ${TILE}u + lane];`,
    tile: reach === 'endless' ? endlessTile : nearTile(box),
    entry: 'interact(&i, own, own_low, others[n], others[P.otherPadded + n]);',
    afterEntries: '',
    sum: ({ member }) => `${sums.variable}.${member}`,
  };
}

const endlessTile = `
    if (live) {
      for (var n = 0u; n < ${TILE}u; n++) { interact(&i, own, own_low, tile[n], tile_low[n]); }
    }`;

function nearTile(box: TileVariant['box']): string {
  const test = (k: number) => {
    const near = `r${k} < reach${box === 'shifted' ? ` || r${k} > doubtful` : ''}`;
    return `select(0u, ${2 ** k}u, ${near})`;
  };
  const steps = Array.from({ length: UNROLL }, (_, k) => k);
  return `
    for (var n = 0u; n < ${TILE}u; n += ${UNROLL}u) {
      ${steps.map((k) => `let r${k} = square(own, tile[n + ${k}u]);`).join('\n      ')}
      var near = ${steps.map(test).join(' | ')};
      while (near != 0u) {
        let m = n + firstTrailingBit(near);
        near &= near - 1u;
        interact(&i, own, own_low, tile[m], tile_low[m]);
      }
    }`;
}

/**
 * Signed differences of 64 bits in units of 2^32, in three parts: a multiple of 256, 24 bits, and 16 bits after them.
 */
const partsText = `
fn parts(high: u32, low: u32) -> vec3f {
  return vec3f(
    f32(bitcast<i32>(high & 0xffffff00u)),
    f32(((high & 255u) << 16u) | (low >> 16u)) * 0.0000152587890625,
    f32(low & 65535u) * 0.00000000023283064365386962890625);
}`;
const differenceWords = `
  let low = ownLow.xyz - otherLow.xyz;
  let high = own.xyz - other.xyz - select(vec3u(0u), vec3u(1u), ownLow.xyz < otherLow.xyz);`;

/** In f32, off by 2^-24 of the difference and by 2^-57 of the box. */
const apartShort = (variant: TileVariant): string => `
${nearestText(variant)}
fn apart(own: vec4u, ownLow: vec4u, other: vec4u, otherLow: vec4u) -> vec4f {${differenceWords}
  let f = fma(vec3f(low), vec3f(0.00000000023283064365386962890625), vec3f(bitcast<vec3i>(high)));
  let d = nearest(vectorOf(f));
  return vec4f(d, dot(d, d));
}`;

/** In double-single; which of several images is nearest is decided there too. */
function apartLong({ box, strain }: TileVariant): string {
  const term = (k: number, axis: string) =>
    `ds_mul(f${k}, vec2f(P.e${k}.${axis}, P.e${k}Low.${axis}))`;
  const component = (axis: 'x' | 'y' | 'z', k: number) =>
    box === 'orthorhombic'
      ? term(k, axis)
      : `ds_add(ds_add(${term(0, axis)}, ${term(1, axis)}), ${term(2, axis)})`;
  const inReference = [component('x', 0), component('y', 1), component('z', 2)];
  const shifted = [0, 1, 2].map((k) => `ds_add_f32(f${k}, 4294967296.0 * s[${k}])`).join(', ');
  const nearest =
    box === 'shifted'
      ? `
  var best = vectorLong(f0, f1, f2);
  if (best[0].w <= P.doubtful2) { return best; }
  let d = best[0].xyz;
  for (var q = 0u; q < 27u; q++) {
    let s = vec3f(f32(q % 3u), f32((q / 3u) % 3u), f32(q / 9u)) - 1.0;
    let c = d + 4294967296.0 * vectorOf(s);
    if (dot(c, c) > best[0].w * 1.00001) { continue; }
    let candidate = vectorLong(${shifted});
    if (ds_less(vec2f(candidate[0].w, candidate[1].w), vec2f(best[0].w, best[1].w))) { best = candidate; }
  }
  return best;`
      : `
  return vectorLong(f0, f1, f2);`;
  return `${partsText}
fn joined(p: vec3f) -> vec2f {
  let s = ds_fast(p.x, p.y);
  return ds_fast(s.x, fma(s.y, P.one, p.z));
}
fn vectorLong(f0: vec2f, f1: vec2f, f2: vec2f) -> mat2x4f {
  ${
    strain
      ? `let r = strainedReals(${inReference.join(', ')});
  let x = r[0];
  let y = r[1];
  let z = r[2];`
      : `let x = ${inReference[0]};
  let y = ${inReference[1]};
  let z = ${inReference[2]};`
  }
  let r2 = ds_length2(x, y, z);
  return mat2x4f(vec4f(x.x, y.x, z.x, r2.x), vec4f(x.y, y.y, z.y, r2.y));
}
fn apart(own: vec4u, ownLow: vec4u, other: vec4u, otherLow: vec4u) -> mat2x4f {${differenceWords}
  let f0 = joined(parts(high.x, low.x));
  let f1 = joined(parts(high.y, low.y));
  let f2 = joined(parts(high.z, low.z));${nearest}
}`;
}
