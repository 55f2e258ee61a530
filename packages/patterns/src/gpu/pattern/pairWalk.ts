import { withinWgsl } from '../double/pairDoubles.js';
import { ROW_BITS } from '../neighbours/DeviceLists.js';
import type { PairKernelRequest } from './pairKernel.js';

/** Neighbours in flight for each thread, a multiple of the four that one vector of a list holds. */
const AT_ONCE = 4;
/** Whether the next vector is read before the present one is worked on. */
const AHEAD = 1;
/** Pairs within the cutoff that the buffered form collects before it calls the functor. */
const CHUNK = 16;

/** Type of the functor's argument `d`. */
export const vectorOf = ({ reals }: PairKernelRequest): string =>
  reals.pair === 'f64' ? 'mat2x4f' : 'vec4f';

/** The buffer of the buffered form. */
export const chunkText = (request: PairKernelRequest): string => `
struct Chunk { filled: u32, rows: array<u32, ${CHUNK}>, d: array<${vectorOf(request)}, ${CHUNK}> }
fn flush(i: ptr<function, ${request.lowered.name}_i>, chunk: ptr<function, Chunk>) {
  for (var k = 0u; k < (*chunk).filled; k++) { call(i, (*chunk).d[k], (*chunk).rows[k]); }
  (*chunk).filled = 0u;
}
fn keep(i: ptr<function, ${request.lowered.name}_i>, chunk: ptr<function, Chunk>, d: ${vectorOf(request)}, row: u32) {
  if ((*chunk).filled == ${CHUNK}u) { flush(i, chunk); }
  let at = (*chunk).filled;
  (*chunk).d[at] = d;
  (*chunk).rows[at] = row;
  (*chunk).filled = at + 1u;
}`;

/** The walk along a column; `plain` where no neighbour is an image. */
export function loopText({ form, lanes }: PairKernelRequest, plain: boolean): string {
  const vectors = AT_ONCE / 4;
  const each = (text: (k: number) => string): string =>
    Array.from({ length: AT_ONCE }, (_, k) => `\n        ${text(k)}`).join('');
  const eachVector = (text: (k: number) => string): string =>
    Array.from({ length: vectors }, (_, k) => `\n        ${text(k)}`).join('');
  const meet = plain ? 'meetPlain' : 'meet';
  const chunk = form === 'buffered' ? '&chunk, ' : '';
  const start = lanes > 1 ? '4u * share' : '0u';
  const read = (k: number): string =>
    k === 0 ? 'entries[at]' : `entries[at + ${k * lanes}u * P.stride]`;
  return `
      var at = slot${lanes > 1 ? ' + share * P.stride' : ''};
      ${AHEAD ? eachVector((k) => `var next${k} = ${read(k)};`) : ''}
      for (var k = ${start}; k < listed; k += ${AT_ONCE * lanes}u) {${
        AHEAD
          ? `${eachVector((k) => `let v${k} = next${k};`)}
        at += ${vectors * lanes}u * P.stride;
        if (k + ${AT_ONCE * lanes}u < listed) {${eachVector((k) => `next${k} = ${read(k)};`)}
        }`
          : `${eachVector((k) => `let v${k} = ${read(k)};`)}
        at += ${vectors * lanes}u * P.stride;`
      }${each((k) => `let e${k} = v${k >> 2}.${'xyzw'[k & 3]};`)}${each(
        (k) => `let q${k} = b_position[${plain ? `e${k}` : `rowOf(e${k})`}];`,
      )}${each((k) =>
        k < 4
          ? `${meet}(&i, ${chunk}xi, ci, e${k}, q${k});`
          : `if (k + ${4 * lanes * (k >> 2)}u < listed) { ${meet}(&i, ${chunk}xi, ci, e${k}, q${k}); }`,
      )}
      }`;
}

/** The walk with a single call of the functor: four neighbours are tested, those that are near are met one by one. */
export function shortLoopText({ form, lanes }: PairKernelRequest): string {
  const chunk = form === 'buffered' ? '&chunk, ' : '';
  const rows = ['x', 'y', 'z', 'w'];
  const tests = rows.map((c, k) => `select(0u, ${2 ** k}u, isNear(xi, ci, v.${c}, q${k}))`);
  return `var at = slot${lanes > 1 ? ' + share * P.stride' : ''};
    for (var k = ${lanes > 1 ? '4u * share' : '0u'}; k < listed; k += ${4 * lanes}u) {
      let v = entries[at];
      at += ${lanes}u * P.stride;
      ${rows.map((c, k) => `let q${k} = b_position[rowOf(v.${c})];`).join('\n      ')}
      var near = ${tests.join('\n        | ')};
      while (near != 0u) {
        let e = v[firstTrailingBit(near)];
        near &= near - 1u;
        meet(&i, ${chunk}xi, ci, e, b_position[rowOf(e)]);
      }
    }`;
}

export function meetNearText({ lowered, form, reals }: PairKernelRequest): string {
  const buffered = form === 'buffered';
  const chunk = buffered ? 'chunk: ptr<function, Chunk>, ' : '';
  return `
fn isNear(xi: vec3f, ci: vec3f, e: u32, q: vec4u) -> bool {
  let d = between(xi, q, ci - cellParts(q.w) + imageParts(e));
  return dot(d, d) < P.near2;
}
fn meet(i: ptr<function, ${lowered.name}_i>, ${chunk}xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let cells = (ci - cellParts(q.w) + imageParts(e)) * vec3f(1.0, 0.0009765625, 1.0);
  let d = difference(xi, q, rowOf(e), cells);
  if (${withinWgsl(reals.pair)}) { ${buffered ? 'keep(i, chunk, d, ' : 'call(i, d, '}rowOf(e)); }
}`;
}

export const displacementWgsl = `
fn rowOf(e: u32) -> u32 { return e & ${2 ** ROW_BITS - 1}u; }
// Cells as whole numbers in the mantissa, the second one 1024 times too large: no shift, no conversion. Differences are
// exact.
fn cellParts(w: u32) -> vec3f {
  return bitcast<vec3f>(vec3u(w & 1023u, w & 0xffc00u, w >> 20u) | vec3u(0x4b000000u));
}
fn between(xi: vec3f, q: vec4u, cells: vec3f) -> vec3f {
  return xi - relative(q) + cellVectorOf(cells * vec3f(1.0, 0.0009765625, 1.0));
}
fn imageParts(e: u32) -> vec3f {
  if (e < ${2 ** ROW_BITS}u) { return vec3f(0.0); }
  return vec3f(imageCells(e >> ${ROW_BITS}u)) * vec3f(1.0, 1024.0, 1.0);
}
`;

/** What is done with a listed neighbour: entry e, position q. */
export function meetText(request: PairKernelRequest, plain: boolean): string {
  const { lowered, form, flat, reals } = request;
  const { name } = lowered;
  const buffered = form === 'buffered';
  const chunk = buffered ? 'chunk: ptr<function, Chunk>, ' : '';
  const row = plain ? 'e' : 'rowOf(e)';
  const head = `
fn ${plain ? 'meetPlain' : 'meet'}(i: ptr<function, ${name}_i>, ${chunk}xi: vec3f, ci: vec3f, e: u32, q: vec4u)`;
  if (reals.state === 'f64')
    return `${head} {
  let parts = ci - cellParts(q.w)${plain ? '' : ' + imageParts(e)'};
  let about = between(xi, q, parts);
  if (dot(about, about) < P.near2) {
    let d = difference(xi, q, ${row}, parts * vec3f(1.0, 0.0009765625, 1.0));
    if (${withinWgsl(reals.pair)}) { ${buffered ? 'keep(i, chunk, d, ' : 'call(i, d, '}${row}); }
  }
}`;
  const act = buffered ? 'keep(i, chunk, vec4f(d, r2), ' : 'call(i, vec4f(d, r2), ';
  return `${head} {
  let d = between(xi, q, ci - cellParts(q.w)${plain ? '' : ' + imageParts(e)'});
  let r2 = dot(d, d);
  ${flat ? `${act}${row});` : `if (r2 < P.rcut2) { ${act}${row}); }`}
}`;
}
