import type { ListedSweeps } from '../allPairs/listedSweep.js';
import { strainOf } from '../box/DeviceStrain.js';
import { withinWgsl } from '../double/pairDoubles.js';
import { type EntryFormat, imagePartsWgsl } from '../neighbors/EntryFormat.js';
import { LOW_POSITIONS } from './ParticleAccess.js';
import type { PairKernelRequest } from './pairKernel.js';
import type { MomentsText } from './pairMoments.js';

/** Pairs within the cutoff that the buffered form collects before it calls the functor. */
const CHUNK = 16;

/** Type of the functor's argument `d`. */
export const vectorOf = ({ reals }: PairKernelRequest): string =>
  reals.pair === 'f64' ? 'mat2x4f' : 'vec4f';

/** A vector of the reference box as it is in the present one. */
const inBox = ({ grid }: PairKernelRequest, d: string): string =>
  strainOf(grid) ? `strained(${d})` : d;

/** The buffer of the buffered form. */
export const chunkText = (request: PairKernelRequest): string => `
// Neighbors within the cutoff, kept until the buffer is full.
struct Chunk { filled: u32, rows: array<u32, ${CHUNK}>, d: array<${vectorOf(request)}, ${CHUNK}> }
fn flush(i: ptr<function, ${request.lowered.name}_i>, chunk: ptr<function, Chunk>) {
  for (var left = (*chunk).filled; left > 0u; left--) {
    let k = (*chunk).filled - left;
    call(i, (*chunk).d[k], (*chunk).rows[k]);
  }
  (*chunk).filled = 0u;
}
fn keep(i: ptr<function, ${request.lowered.name}_i>, chunk: ptr<function, Chunk>, d: ${vectorOf(request)}, row: u32) {
  let at = (*chunk).filled;
  (*chunk).d[at] = d;
  (*chunk).rows[at] = row;
  (*chunk).filled = at + 1u;
}`;

/** Makes room for the four entries of a vector. Drivers inline the functor wherever the buffer may be full: once, not for each entry. */
const roomText = ({ form }: PairKernelRequest): string =>
  form === 'buffered'
    ? `
        if (chunk.filled > ${CHUNK - 4}u) { flush(&i, &chunk); }`
    : '';

/**
 * How many vectors of a column a thread walks along. Loops count down to zero: where the driver's compiler guards against
 * loops without end, these are known to end, and others get a counter of 64 bits.
 */
const vectorsText = ({ lanes }: PairKernelRequest): string =>
  lanes > 1
    ? `(((listed + 3u) >> 2u) + ${lanes - 1}u - thread) / ${lanes}u`
    : '(listed + 3u) >> 2u';

const firstText = ({ lanes }: PairKernelRequest): string =>
  `slot${lanes > 1 ? ' + thread * P.stride' : ''}`;

/** The first vector of a thread. Threads without one read nothing: theirs would lie beyond the lists. */
const nextText = ({ lanes }: PairKernelRequest): string =>
  lanes > 1
    ? 'var next = vec4u(); if (4u * thread < listed) { next = entries[at]; }'
    : 'var next = entries[at];';

const PLACES = ['x', 'y', 'z', 'w'] as const;

/**
 * Whether the functor is called for all listed neighbors while the state is double-single: their low parts are on the way with the high
 * ones then, and no thread waits for others.
 */
const seesAll = ({ flat, reals }: PairKernelRequest): boolean => flat && reals.state === 'f64';

/** The walk along a column, the next vector read while the present one is worked on; `plain` where no neighbor is an image. */
export function loopText(
  request: PairKernelRequest,
  plain: boolean,
  swept: ListedSweeps | null,
): string {
  const { form, lanes } = request;
  const isWhole = seesAll(request);
  const each = (text: (place: string) => string): string =>
    PLACES.map((place) => `\n        ${text(place)}`).join('');
  const meet = plain ? 'meetPlain' : 'meet';
  const chunk = `${form === 'buffered' ? '&chunk, ' : ''}${swept?.argument ?? ''}`;
  const row = (place: string): string => (plain ? `v.${place}` : `rowOf(v.${place})`);
  return `
      var at = ${firstText(request)};
      ${nextText(request)}
      for (var left = ${vectorsText(request)}; left > 0u; left--) {${roomText(request)}
        let v = next;
        at += ${lanes}u * P.stride;
        if (left > 1u) { next = entries[at]; }${swept ? each((p) => swept.neighbor(p, row(p))) : ''}${each((p) => `let q${p} = b_position[${row(p)}];`)}${isWhole ? each((p) => `let l${p} = ${LOW_POSITIONS}[${row(p)}];`) : ''}${each(
          (p) =>
            `${meet}(&i, ${chunk}xi, ci, v.${p}, q${p}${isWhole ? `, l${p}` : ''}${swept?.neighborArgument(p) ?? ''});`,
        )}
      }`;
}

/** Vectors that are tested before those near are met: their bits fill a word. */
const TESTED = 8;

/**
 * The walk with a single call of the functor. Some vectors are tested first, and those neighbors that are near are met
 * afterwards: threads of a wave then wait for the one with most of 32, not of every four.
 */
export function shortLoopText(request: PairKernelRequest): string {
  const { form, lanes } = request;
  const chunk = form === 'buffered' ? '&chunk, ' : '';
  const tests = PLACES.map((p, k) => `select(0u, ${2 ** k}u, isNear(xi, ci, v.${p}, q${p}))`);
  return `var at = ${firstText(request)};
    let step = ${lanes}u * P.stride;
    ${nextText(request)}
    var vectors = ${vectorsText(request)};
    for (var parts = (vectors + ${TESTED - 1}u) / ${TESTED}u; parts > 0u; parts--) {
      let few = min(vectors, ${TESTED}u);
      vectors -= few;
      // Four bits a vector, those of the last one lowest.
      var near = 0u;
      for (var left = few; left > 0u; left--) {
        let v = next;
        at += step;
        if (left > 1u || vectors > 0u) { next = entries[at]; }
        ${PLACES.map((p) => `let q${p} = b_position[rowOf(v.${p})];`).join('\n        ')}
        near = (near << 4u)
          | ${tests.join('\n          | ')};
      }
      for (var some = countOneBits(near); some > 0u; some--) {${roomText(request)}
        let bit = firstTrailingBit(near);
        near &= near - 1u;
        let e = entries[at - ((bit >> 2u) + 1u) * step][bit & 3u];
        meet(&i, ${chunk}xi, ci, e, b_position[rowOf(e)]);
      }
    }`;
}

export function meetNearText(request: PairKernelRequest): string {
  const { lowered, form, reals } = request;
  const buffered = form === 'buffered';
  const chunk = buffered ? 'chunk: ptr<function, Chunk>, ' : '';
  return `
// Whether a neighbor may be within the cutoff, from the high parts of positions.
fn isNear(xi: vec3f, ci: vec3f, e: u32, q: vec4u) -> bool {
  let apart = ci - cellParts(q.w);
  let d = ${inBox(request, 'between(xi, q, apart + imageParts(e, apart))')};
  return dot(d, d) < P.near2;
}
fn meet(i: ptr<function, ${lowered.name}_i>, ${chunk}xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let apart = ci - cellParts(q.w);
  let cells = (apart + imageParts(e, apart)) * vec3f(1.0, 0.0009765625, 1.0);
  let d = difference(q, ${LOW_POSITIONS}[rowOf(e)], cells);
  if (${withinWgsl(reals.pair)}) { ${buffered ? 'keep(i, chunk, d, ' : 'call(i, d, '}rowOf(e)); }
}`;
}

/** Row and image of entries, and displacements; needs `cellVectorWgsl`. */
export const displacementWgsl = (format: EntryFormat): string => `
// Row of a list entry.
fn rowOf(e: u32) -> u32 { return e & ${2 ** format.rowBits - 1}u; }
// Cells as whole numbers in the mantissa, the second one 1024 times too large: no shift, no conversion. Differences are
// exact.
fn cellParts(w: u32) -> vec3f {
  return bitcast<vec3f>(vec3u(w & 1023u, w & 0xffc00u, w >> 20u) | vec3u(0x4b000000u));
}
// Vector from q to xi, so many cells apart.
fn between(xi: vec3f, q: vec4u, cells: vec3f) -> vec3f {
  return xi - relative(q) + cellVectorOf(cells * vec3f(1.0, 0.0009765625, 1.0));
}
${imagePartsWgsl(format)}
`;

/** What is done with a listed neighbor: entry e, position q. @param moments null where no neighbor is an image. */
export function meetText(
  request: PairKernelRequest,
  moments: MomentsText | null,
  swept: ListedSweeps | null,
): string {
  const { lowered, form, flat, reals } = request;
  const plain = moments === null;
  const isWhole = seesAll(request);
  const { name } = lowered;
  const buffered = form === 'buffered';
  const chunk = `${buffered ? 'chunk: ptr<function, Chunk>, ' : ''}${swept?.parameter ?? ''}`;
  const row = plain ? 'e' : 'rowOf(e)';
  const head = `
// A listed neighbor${plain ? '' : ', perhaps a periodic image'}.
fn ${plain ? 'meetPlain' : 'meet'}(i: ptr<function, ${name}_i>, ${chunk}xi: vec3f, ci: vec3f, e: u32, q: vec4u${isWhole ? ', low: vec4f' : ''}${swept?.neighborParameter ?? ''})`;
  const image = plain ? '' : ' + imageParts(e, apart)';
  if (isWhole)
    return `${head} {
  let apart = ci - cellParts(q.w);
  call(i, difference(q, low, (apart${image}) * vec3f(1.0, 0.0009765625, 1.0)), ${row});
}`;
  if (reals.state === 'f64')
    return `${head} {
  let apart = ci - cellParts(q.w);
  let parts = apart${image};
  let about = ${inBox(request, 'between(xi, q, parts)')};
  if (dot(about, about) < P.near2) {
    let d = difference(q, ${LOW_POSITIONS}[${row}], parts * vec3f(1.0, 0.0009765625, 1.0));
    if (${withinWgsl(reals.pair)}) { ${buffered ? 'keep(i, chunk, d, ' : 'call(i, d, '}${row}); }
  }
}`;
  const callOf = buffered ? 'keep(i, chunk, vec4f(d, r2), ' : 'call(i, vec4f(d, r2), ';
  const { before = '', after = '' } = moments ?? {};
  const act = [before, `${callOf}${row});`, after].filter(Boolean).join('\n    ');
  const cells = before ? 'cells' : 'imageParts(e, apart)';
  return `${head} {
  let apart = ci - cellParts(q.w);${before ? '\n  let cells = imageParts(e, apart);' : ''}
  let d = ${inBox(request, `between(xi, q, apart${plain ? '' : ` + ${cells}`})`)};
  let r2 = dot(d, d);
  ${flat ? act : `if (r2 < P.rcut2) { ${act} }`}${swept ? `\n  ${swept.meet}` : ''}
}`;
}
