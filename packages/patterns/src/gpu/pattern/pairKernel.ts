import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import type { FunctorIR } from '../../functor/ir.js';
import { sumOutputs } from '../../functor/passes/sumOutputs.js';
import type { LoweredWgsl, WgslField } from '../../lower/wgsl/WgslEnv.js';
import type { PairForm } from '../../pattern/chooseBackend.js';
import type { OutputTarget } from '../../pattern/PatternEngine.js';
import type { KernelBuffer, KernelSource } from '../device/GpuKernel.js';
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
import { absoluteWgsl, ParticleAccess } from './ParticleAccess.js';

export const PAIR_LANES = 128;
/** Neighbours in flight for each thread: as many as an entry of the lists has. */
const UNROLL = 4;
/** Pairs within the cutoff that the buffered form collects before it calls the functor. */
const CHUNK = 16;

export interface PairKernelRequest {
  readonly functor: Functor<'pair'>;
  readonly ir: FunctorIR;
  readonly lowered: LoweredWgsl;
  readonly tables: FunctorTables;
  readonly grid: Grid;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly form: PairForm;
  readonly orthorhombic: boolean;
}

export interface PairKernelText {
  readonly source: KernelSource;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly totals: readonly DeviceResult[];
  readonly usesCentre: boolean;
}

/**
 * The kernel of a pair functor: one thread a particle, which walks its column of the list four entries at a time.
 *
 *   bufferless   the functor is called for each neighbour within rcut as it is met
 *   buffered     neighbours within rcut go to a buffer in private memory, and the functor runs over it whenever it is
 *                full and at the end: threads of a wave then diverge in the cheap part only
 *
 *   d = (x_i − x_j) + (c_i + image · dims − c_j) · edges      relative vectors and whole cells: no large numbers
 */
export function pairKernel(request: PairKernelRequest): PairKernelText {
  const { functor, lowered, tables, grid, outputs, form, orthorhombic } = request;
  const access = new ParticleAccess(grid);
  access.use('position');
  const name = lowered.name;
  const totals: DeviceResult[] = [];
  const plan = planCentral(request, access);
  const neighbour = neighbourText(lowered, access);
  const own: string[] = [];
  for (const field of lowered.fields.i) {
    if (!field.written || !/^(total|both)$/.test(outputs[field.field]!)) continue;
    const total: DeviceResult = { name: field.field, type: field.type, op: 'sum' };
    own.push(`own_${totals.length} = ${packedWgsl(total, `i.${field.member}`)};`);
    totals.push(total);
  }
  const visit = form === 'buffered' ? 'keep' : 'meet';
  const entry = (k: number) => `
      let e${k} = next.${'xyzw'[k]};`;
  const row = (k: number) => `
      let q${k} = b_position[e${k} & ${2 ** ROW_BITS - 1}u];`;
  const call = (k: number) => `
      ${form === 'buffered' ? `keep(&i, &chunk, xi, ci, e${k}, q${k});` : `meet(&i, xi, ci, e${k}, q${k});`}`;
  const steps = Array.from({ length: UNROLL }, (_, k) => k);
  const usesCentre = access.usesFrame;
  const hasTotals = totals.length > 0;
  const source: KernelSource = {
    label: functor.name,
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
      ...tables.params,
      rcut2: 'f32',
      first: 'u32',
      end: 'u32',
      firstGroup: 'u32',
      stride: 'u32',
      groups: 'u32',
      one: 'f32',
    },
    declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}${imageWgsl}${usesCentre ? absoluteWgsl : ''}
${hasTotals ? treeMemoryWgsl(PAIR_LANES, totals.length) + combineWgsl(totals) : ''}
${lowered.structs}
${lowered.functions}
fn displacement(xi: vec3f, ci: vec3f, e: u32, q: vec4u) -> vec3f {
  var cells = ci - shiftedCell(q.w);
  let image = e >> ${ROW_BITS}u;
  if (image != 13u) { cells += vec3f(imageCells(image)); }
  return xi - relative(q) + cellVectorOf(cells);
}
fn call(i: ptr<function, ${name}_i>, d: vec4f, jrow: u32) {
  ${neighbour}
  ${name}(i, j, d);
}
${visit === 'keep' ? keepText(name) : meetText(name)}`,
    body: `
  ${totals.map((_, k) => `var own_${k} = vec2u(0u, 0u);`).join('\n  ')}
  let own = P.first + index;
  if (own < P.end) {
    let place = b_position[own];
    let xi = relative(place);
    let ci = shiftedCell(place.w);
    ${plan.load}
    ${form === 'buffered' ? 'var chunk: Chunk;' : ''}
    let listed = counts[own];
    var at = index;
    for (var k = 0u; k < listed; k += ${UNROLL}u) {
      let next = entries[at];${steps.map(entry).join('')}
      at += P.stride;${steps.map(row).join('')}${steps.map(call).join('')}
    }
    ${form === 'buffered' ? 'flush(&i, &chunk);' : ''}
    ${own.join('\n    ')}
    ${plan.store}
  }
  ${hasTotals ? treeWgsl(totals, PAIR_LANES, 'partials', 'P.groups', '(P.firstGroup + group)') : ''}`,
  };
  return { source, blocks: access.blocks, totals, usesCentre };
}

const buffer = (
  name: string,
  type: string,
  access: KernelBuffer['access'] = 'read',
): KernelBuffer => ({ name, type, access });

const meetText = (name: string): string => `
fn meet(i: ptr<function, ${name}_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let d = displacement(xi, ci, e, q);
  let r2 = dot(d, d);
  if (r2 < P.rcut2) { call(i, vec4f(d, r2), e & ${2 ** ROW_BITS - 1}u); }
}`;

const keepText = (name: string): string => `
struct Chunk { filled: u32, rows: array<u32, ${CHUNK}>, d: array<vec4f, ${CHUNK}> }
fn flush(i: ptr<function, ${name}_i>, chunk: ptr<function, Chunk>) {
  for (var k = 0u; k < (*chunk).filled; k++) { call(i, (*chunk).d[k], (*chunk).rows[k]); }
  (*chunk).filled = 0u;
}
fn keep(i: ptr<function, ${name}_i>, chunk: ptr<function, Chunk>, xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let d = displacement(xi, ci, e, q);
  let r2 = dot(d, d);
  if (r2 >= P.rcut2) { return; }
  if ((*chunk).filled == ${CHUNK}u) { flush(i, chunk); }
  let at = (*chunk).filled;
  (*chunk).d[at] = vec4f(d, r2);
  (*chunk).rows[at] = e & ${2 ** ROW_BITS - 1}u;
  (*chunk).filled = at + 1u;
}`;

/** Loading and storing of the central particle. Sums start from zero and are added to the field at the end. */
function planCentral(
  { functor, ir, lowered, outputs }: PairKernelRequest,
  access: ParticleAccess,
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
  const load = [before, `var i: ${lowered.name}_i;`];
  for (const field of loaded) load.push(`i.${field.member} = ${access.value(field, 'row')};`);
  const store = [access.loadRows(stored, 'out', 'own')];
  for (const field of stored) {
    const present = access.value(field, 'out');
    const value = `i.${field.member}`;
    store.push(access.put(field, 'out', isSum(field) ? `${present} + ${value}` : value));
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
