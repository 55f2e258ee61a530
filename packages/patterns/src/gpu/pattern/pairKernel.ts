import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import type { FunctorIR } from '../../functor/ir.js';
import { sumOutputs } from '../../functor/passes/sumOutputs.js';
import type { LoweredWgsl, WgslField } from '../../lower/wgsl/WgslEnv.js';
import type { PairForm } from '../../pattern/chooseBackend.js';
import type { OutputTarget } from '../../pattern/PatternEngine.js';
import type { KernelBuffer, KernelSource } from '../device/GpuKernel.js';
import { type DeviceReals, realType, updateText } from '../double/DeviceReals.js';
import { gatheredSums, type PairSums, plainSums } from '../double/PairSums.js';
import { differenceWgsl, loadOwnLow, pairDoubleParams, withinWgsl } from '../double/pairDoubles.js';
import { ROW_BITS } from '../neighbours/DeviceLists.js';
import { cellVectorWgsl, cellWgsl, frameParams, imageWgsl } from '../wgsl/frameWgsl.js';
import {
  combineWgsl,
  type DeviceResult,
  packedWgsl,
  treeMemoryWgsl,
  treeWgsl,
} from '../wgsl/reduceWgsl.js';
import type { FunctorTables } from './FunctorTables.js';
import { ParticleAccess } from './ParticleAccess.js';

/** Threads of a workgroup. */
export const PAIR_LANES = 128;
/** Neighbours in flight for each thread, a multiple of the four that one vector of a list holds. */
const AT_ONCE = 4;
/** Whether the next vector is read before the present one is worked on. */
const AHEAD = 1;
/** Pairs within the cutoff that the buffered form collects before it calls the functor. */
const CHUNK = 16;

export interface PairKernelRequest {
  readonly functor: Functor;
  readonly ir: FunctorIR;
  readonly lowered: LoweredWgsl;
  readonly tables: FunctorTables;
  readonly grid: Grid;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly form: PairForm;
  readonly orthorhombic: boolean;
  /** Threads that share a particle's neighbours; more than one only where all outputs are sums. */
  readonly lanes: number;
  /** The functor itself leaves out what is beyond the cutoff. */
  readonly flat: boolean;
  readonly reals: DeviceReals;
}

export interface PairKernelText {
  readonly source: KernelSource;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly totals: readonly DeviceResult[];
  readonly usesCentre: boolean;
}

/**
 * The kernel of a pair functor: each thread walks its column of the list, four entries at a time.
 *
 *   bufferless   the functor is called for each neighbour within rcut as it is met
 *   buffered     neighbours within rcut go to a buffer in private memory, and the functor runs over it whenever it is
 *                full and at the end: threads of a wave then diverge in the cheap part only
 *
 *   d = (x_i − x_j) + (c_i + image · dims − c_j) · edges      relative vectors and whole cells: no large numbers
 *
 * Particles without neighbours in another image, most of them in a large box, have a loop of their own that decodes none.
 * With `lanes` > 1, that many threads share a particle: thread s takes vectors s, s + lanes, … and the sums of all are
 * added in the order of s.
 *
 * Where the state is double-single, high parts of positions tell which neighbours may be within the cutoff, and those
 * alone are looked at in full (`differenceWgsl`).
 */
export function pairKernel(request: PairKernelRequest): PairKernelText {
  const { lowered, tables, grid, outputs, form, orthorhombic, lanes, reals } = request;
  const isDouble = reals.state === 'f64';
  const access = new ParticleAccess(grid, reals.state);
  access.use('position');
  const totals: DeviceResult[] = [];
  const sums = sumsOf(request);
  const plan = planCentral(request, access, sums);
  const neighbour = neighbourText(lowered, access);
  const own: string[] = [];
  for (const field of lowered.fields.i) {
    if (!field.written || !/^(total|both)$/.test(outputs[field.field]!)) continue;
    const total: DeviceResult = { name: field.field, type: sums.stored(field).type, op: 'sum' };
    own.push(`own_${totals.length} = ${packedWgsl(total, `${sums.variable}.${field.member}`)};`);
    totals.push(total);
  }
  const usesCentre = access.usesFrame;
  const hasTotals = totals.length > 0;
  const buffered = form === 'buffered';
  const source: KernelSource = {
    label: request.functor.name,
    workgroupSize: PAIR_LANES,
    buffers: [
      ...access.buffers,
      buffer('counts', 'array<u32>'),
      buffer('entries', 'array<vec4u>'),
      ...(tables.hasTables ? [buffer('tables', 'array<u32>')] : []),
      ...(hasTotals ? [buffer('partials', 'array<vec2u>', 'read_write')] : []),
    ],
    params: {
      ...frameParams,
      centre: 'vec4f',
      ...(isDouble ? pairDoubleParams : {}),
      ...tables.params,
      rcut2: realType(reals.pair),
      first: 'u32',
      end: 'u32',
      firstGroup: 'u32',
      stride: 'u32',
      groups: 'u32',
      one: 'f32',
    },
    declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}${imageWgsl}${access.declarations}
${hasTotals ? treeMemoryWgsl(PAIR_LANES, totals.length) + combineWgsl(totals) : ''}
${lowered.structs}
${lowered.functions}
${displacementWgsl}${isDouble ? differenceWgsl(reals.pair, orthorhombic) : ''}
${sums.declarations}
fn call(i: ptr<function, ${lowered.name}_i>, d: ${vectorOf(request)}, jrow: u32) {
  ${neighbour}
  ${lowered.name}(i, j, d);
  ${sums.afterCall}
}
${buffered ? chunkText(request) : ''}
${meetText(request, true)}
${meetText(request, false)}
${lanes > 1 ? `var<workgroup> shares: array<${sums.type}, ${PAIR_LANES - PAIR_LANES / lanes}>;` : ''}`,
    body: `
  ${totals.map((_, k) => `var own_${k} = vec2u(0u, 0u);`).join('\n  ')}
  ${lanes > 1 ? `let slot = group * ${PAIR_LANES / lanes}u + lane % ${PAIR_LANES / lanes}u;` : 'let slot = index;'}
  ${lanes > 1 ? `let share = lane / ${PAIR_LANES / lanes}u;` : ''}
  let own = P.first + slot;
  var i: ${lowered.name}_i;
  if (own < P.end) {
    let place = b_position[own];
    let xi = relative(place);
    let ci = cellParts(place.w);
    ${isDouble ? loadOwnLow('own') : ''}
    ${plan.load}
    ${buffered ? 'var chunk: Chunk;' : ''}
    let word = counts[own];
    let listed = word & 0x7fffffffu;
    if (word == listed) {${loopText(request, true)}
    } else {${loopText(request, false)}
    }
    ${buffered ? 'flush(&i, &chunk);' : ''}
  }
  ${lanes > 1 ? sharesText(lowered, sums, lanes) : ''}
  if (own < P.end${lanes > 1 ? ' && share == 0u' : ''}) {
    ${own.join('\n    ')}
    ${plan.store}
  }
  ${hasTotals ? treeWgsl(totals, PAIR_LANES, 'partials', 'P.groups', '(P.firstGroup + group)') : ''}`,
  };
  return { source, blocks: access.blocks, totals, usesCentre };
}

/** The walk along a column; `plain` where no neighbour is an image. */
function loopText({ form, lanes }: PairKernelRequest, plain: boolean): string {
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

/** Adds what the other threads of a particle have found, always in the same order. */
function sharesText(lowered: LoweredWgsl, sums: PairSums, lanes: number): string {
  const step = PAIR_LANES / lanes;
  const { variable } = sums;
  const written = lowered.fields.i.filter((field) => field.written).map(sums.stored);
  return `
  if (share > 0u) { shares[lane - ${step}u] = ${variable}; }
  workgroupBarrier();
  if (share == 0u) {
    for (var s = 0u; s < ${lanes - 1}u; s++) {
      let other = s * ${step}u + lane;
      ${written
        .map(({ member, type }) =>
          updateText(type, `${variable}.${member}`, '+=', `shares[other].${member}`),
        )
        .join('\n      ')}
    }
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

const buffer = (
  name: string,
  type: string,
  access: KernelBuffer['access'] = 'read',
): KernelBuffer => ({ name, type, access });

/** What is done with a listed neighbour: entry e, position q. */
function meetText(request: PairKernelRequest, plain: boolean): string {
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

/** Type of the functor's argument `d`. */
const vectorOf = ({ reals }: PairKernelRequest): string =>
  reals.pair === 'f64' ? 'mat2x4f' : 'vec4f';

/** The buffer of the buffered form. */
const chunkText = (request: PairKernelRequest): string => `
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

/** Sums of pairs in f32 are kept in double-single where the state is. */
function sumsOf({ functor, ir, lowered, reals }: PairKernelRequest): PairSums {
  const onlySums =
    functor.spec.wgsl !== undefined || [...sumOutputs(ir).values()].every((kind) => kind === 'sum');
  return reals.state === reals.pair || !onlySums ? plainSums(lowered) : gatheredSums(lowered);
}

/** Loading and storing of the central particle. Sums start from zero and are added to the field at the end. */
function planCentral(
  { functor, ir, lowered, outputs }: PairKernelRequest,
  access: ParticleAccess,
  sums: PairSums,
): { load: string; store: string } {
  const kinds = sumOutputs(ir);
  const goesToParticles = (field: WgslField) =>
    field.written && /^(particles|both)$/.test(outputs[field.field]!);
  const loaded = lowered.fields.i.filter(
    (field) => !field.written || (goesToParticles(field) && !isSum(field)),
  );
  const stored = lowered.fields.i.filter(goesToParticles);
  function isSum(field: WgslField): boolean {
    return functor.spec.wgsl !== undefined || kinds.get(field.field) === 'sum';
  }
  const general = lowered.fields.i.some((field) => field.written && !isSum(field));
  for (const field of lowered.fields.i) {
    if (!field.written) continue;
    if (general && outputs[field.field] !== 'particles') {
      throw new CorpuscleError(
        'INVALID_VALUE',
        `output '${field.field}' of functor '${functor.name}' cannot go to '${outputs[field.field]}', because the functor does more than add to its outputs: send it to 'particles'`,
      );
    }
    if (goesToParticles(field) && access.isPosition(field)) {
      throw new CorpuscleError(
        'INVALID_VALUE',
        `functor '${functor.name}' moves particles ('${field.field}') while their neighbours are read: write to another field and move them with a cell functor`,
      );
    }
  }
  const before = access.loadRows(loaded, 'row', 'own');
  const load = [before];
  for (const field of loaded) load.push(`i.${field.member} = ${access.value(field, 'row')};`);
  const store = [access.loadRows(stored, 'out', 'own')];
  for (const field of stored) {
    store.push(
      isSum(field)
        ? access.add(sums.stored(field), 'out', `${sums.variable}.${field.member}`)
        : access.put(field, 'out', `i.${field.member}`),
    );
  }
  store.push(access.storeRows(stored, 'out', 'own'));
  return { load: load.join('\n    '), store: store.join('\n    ') };
}

/** The neighbour's attributes, read only for pairs within the cutoff. */
function neighbourText(lowered: LoweredWgsl, access: ParticleAccess): string {
  const fields = lowered.fields.j.map((field) => ({ ...field, written: false }));
  const rows = access.loadRows(fields, 'other', 'jrow');
  const load = fields.map((field) => `j.${field.member} = ${access.value(field, 'other')};`);
  return [rows, `var j: ${lowered.name}_j;`, ...load].join('\n  ');
}
