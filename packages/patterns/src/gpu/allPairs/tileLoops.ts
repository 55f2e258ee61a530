/** Central particles of a workgroup, one a thread, and neighbours of a tile. */
export const TILE = 128;
/** Pairs between two tests of the cutoff, and pairs at once where each is computed. */
export const UNROLL = 4;
const DENSE_UNROLL = 8;

/**
 * How nearest images are found, and what the cutoff is good for: `sparse`: it rules out most runs of pairs, which are
 * tested first; `dense`: pairs are tested one by one; `endless`: there is none.
 */
export interface TileVariant {
  readonly box: 'orthorhombic' | 'rounded' | 'shifted';
  readonly reach: 'sparse' | 'dense' | 'endless';
}

const stepsOf = (count: number) => Array.from({ length: count }, (_, k) => k);
const steps = stepsOf(UNROLL);

/** Four distances at a time; what may be in reach is looked at again, one by one. */
export function sparseRun({ box }: TileVariant): string {
  const least = steps.map((k) => `r${k}`).reduce((a, b) => `min(${a}, ${b})`);
  const most = steps.map((k) => `r${k}`).reduce((a, b) => `max(${a}, ${b})`);
  return `${steps.map((k) => `let r${k} = square(own, tile[n + ${k}u]);`).join(' ')}
      if (${least} < reach${box === 'shifted' ? ` || ${most} > doubtful` : ''}) {
        for (var m = n; m < n + ${UNROLL}u; m++) { meet(&i, own, tile[m], reach); }
      }`;
}

/** Pair by pair; only a tile that may hold the particle itself, or padding, is looked at row by row. */
export const denseTile = `
    if (P.oneSet == 0u || t == own_group || t + 1u == P.tiles) {
      for (var n = 0u; n < ${TILE}u; n++) { meet(&i, own, tile[n], reach); }
    } else {
      for (var n = 0u; n < ${TILE}u; n += ${DENSE_UNROLL}u) {
        ${stepsOf(DENSE_UNROLL)
          .map((k) => `meetOther(&i, own, tile[n + ${k}u], reach);`)
          .join('\n        ')}
      }
    }`;

/** E_k are scaled by 2^−32. */
export function differenceText({ box }: TileVariant): string {
  const vector =
    box === 'orthorhombic'
      ? 'f * vec3f(P.e0.x, P.e1.y, P.e2.z)'
      : 'f.x * P.e0.xyz + f.y * P.e1.xyz + f.z * P.e2.xyz';
  const nearest =
    box === 'shifted'
      ? `
  var r2 = dot(d, d);
  if (r2 <= P.inner2) { return d; }
  var best = d;
  for (var q = 0u; q < 27u; q++) {
    let s = vec3f(f32(q % 3u), f32((q / 3u) % 3u), f32(q / 9u)) - 1.0;
    let c = d + 4294967296.0 * (s.x * P.e0.xyz + s.y * P.e1.xyz + s.z * P.e2.xyz);
    let c2 = dot(c, c);
    if (c2 < r2) { best = c; r2 = c2; }
  }
  return best;`
      : 'return d;';
  return `
fn difference(u: vec3u) -> vec3f {
  let f = vec3f(bitcast<vec3i>(u));
  return ${vector};
}
fn nearest(d: vec3f) -> vec3f { ${nearest} }`;
}
