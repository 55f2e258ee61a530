import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { sumOutputs } from '@corpuscle/functor/passes';
import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import type { OutputTarget } from '../../plan/calls.js';
import type { PairForm } from '../../plan/chooseBackend.js';
import type { Moment } from '../../plan/moments.js';
import { movesParticles, notASum } from '../../plan/refusals.js';
import { callText } from '../allPairs/callText.js';
import { listedSweeps } from '../allPairs/listedSweep.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { KernelSource } from '../device/GpuKernel.js';
import { type DeviceReals, realType } from '../double/DeviceReals.js';
import { gatheredSums, type PairSums, settledSums } from '../double/PairSums.js';
import { pairDoubleParams } from '../double/pairDoubles.js';
import type { EntryFormat } from '../neighbors/EntryFormat.js';
import { frameParams } from '../wgsl/frameWgsl.js';
import { type DeviceResult, packedWgsl } from '../wgsl/reduceWgsl.js';
import { threadPlaces } from './addThreads.js';
import type { FunctorTables } from './FunctorTables.js';
import { type FusedCells, followingPart } from './followingPart.js';
import { markedNames } from './functorText.js';
import { joinedParts, LANES, treeOf } from './KernelPart.js';
import { ParticleAccess } from './ParticleAccess.js';
import { momentsText } from './pairMoments.js';
import { aboutPairs, bodyText, declarationsText, labelOf } from './pairText.js';
import { sumsPart } from './sumsPart.js';
import type { UsedBlocks } from './usedBlocks.js';

export interface PairKernelRequest {
  readonly functor: Functor;
  readonly ir: FunctorIR;
  readonly lowered: LoweredWgsl;
  readonly tables: FunctorTables;
  readonly grid: Grid;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly form: PairForm;
  readonly orthorhombic: boolean;
  readonly format: EntryFormat;
  /** Threads that share a particle's neighbors; more than one only where all outputs are sums. */
  readonly lanes: number;
  /** The functor itself leaves out what is beyond the cutoff. */
  readonly flat: boolean;
  readonly reals: DeviceReals;
  /** Sums that the functor gathers (`WgslEnv.gathered`). */
  readonly gathered: ReadonlySet<string>;
  /** Blocks that are zero before the call: sums are stored there, and nothing is read. */
  readonly fresh: ReadonlySet<string>;
  /** Totals that are found from positions: `ir` does not compute them. */
  readonly moments: readonly Moment[];
  /** Only where the state is in f32. */
  readonly fusedCells: FusedCells | null;
}

export interface PairKernelText {
  readonly source: KernelSource;
  readonly blocks: UsedBlocks;
  readonly totals: readonly DeviceResult[];
  /** Of the fused cell functors. */
  readonly cellTables: readonly FunctorTables[];
}

/**
 * The kernel of a pair functor: each thread walks its column of the list, four entries at a time.
 *
 *   bufferless   the functor is called for each neighbor within rcut as it is met
 *   buffered     neighbors within rcut go to a buffer in private memory, and the functor runs over it whenever it is
 *                full and at the end: threads of a wave then diverge in the cheap part only
 *
 *   d = (x_i − x_j) + (c_i + image · dims − c_j) · edges      relative vectors and whole cells: no large numbers
 *
 * Particles without neighbors in another image, most of them in a large box, have a loop of their own that decodes none.
 * With `lanes` > 1, that many threads share a particle: thread s takes vectors s, s + lanes, … and the sums of all are
 * added in the order of s.
 *
 * Where the state is double-single, high parts of positions tell which neighbors may be within the cutoff, and those
 * alone are looked at in full (`differenceWgsl`). Functors in double-single are long: their loop calls them at one place,
 * which costs 5 % of speed and saves seconds of compilation.
 */
export function pairKernel(request: PairKernelRequest): PairKernelText {
  const { lowered, tables, grid, outputs, lanes, reals, moments, fusedCells } = request;
  const access = new ParticleAccess(grid, reals.state, strainOf(grid));
  access.use('position');
  const totals: DeviceResult[] = [];
  const sums = sumsOf(request);
  const plan = planCentral(request, access, sums);
  const call = callText(request, lowered, access, sums);
  const own: string[] = [];
  for (const field of lowered.fields.i) {
    if (!field.written || !/^(total|both)$/.test(outputs[field.field]!)) continue;
    const total: DeviceResult = { name: field.field, type: sums.stored(field).type, op: 'sum' };
    own.push(`own_${totals.length} = ${packedWgsl(total, `${sums.variable}.${field.member}`)};`);
    totals.push(total);
  }
  const member = (name: string) => lowered.fields.i.find(({ field }) => field === name)!.member;
  const found = momentsText(moments, member, {
    isStrained: access.strain !== undefined,
    isDiagonal: request.orthorhombic && !access.strain?.isSheared,
    format: request.format,
    places: threadPlaces(lanes),
  });
  if (found.particle) own.push(found.particle);
  for (const [total, text] of found.totals) {
    own.push(`own_${totals.length} = ${text};`);
    totals.push(total);
  }
  const reductions = fusedCells?.sums ?? [];
  const workgroups = { group: '(P.firstGroup + group)', shape: treeOf(lanes) };
  const ends = sumsPart(reductions, access, 's', workgroups, totals);
  const isMine = `own < P.end${lanes > 1 ? ' && thread == 0u' : ''}`;
  const sweeps = fusedCells?.sweeps ?? [];
  const swept = sweeps.length > 0 ? listedSweeps(sweeps, access, lanes, workgroups) : null;
  const ending = { stored: plan.stored, sums: ends, isMine, swept };
  const following = fusedCells ? followingPart(fusedCells, access, ending) : joinedParts([]);
  const parts = { access, sums, plan, call, own, isMine, following, swept, ends, moments: found };
  const source: KernelSource = {
    label: labelOf(request),
    about: aboutPairs(request),
    functors: {
      ...markedNames('e', fusedCells?.functors ?? []),
      ...markedNames('s', reductions),
    },
    workgroupSize: LANES,
    lanes,
    results: ends.results.length + following.results.length,
    buffers: [
      ...access.buffers,
      { name: 'counts', type: 'array<u32>', access: 'read' },
      { name: 'entries', type: 'array<vec4u>', access: 'read' },
      ...tables.buffers,
      ...ends.buffers,
      ...following.buffers,
    ],
    params: {
      ...frameParams,
      center: 'vec4f',
      ...(reals.state === 'f64' ? pairDoubleParams : {}),
      ...tables.params,
      ...following.params,
      rcut2: realType(reals.pair),
      first: 'u32',
      end: 'u32',
      firstGroup: 'u32',
      stride: 'u32',
      groups: 'u32',
      one: 'f32',
    },
    declarations: declarationsText(request, parts),
    body: bodyText(request, parts),
    ...(following.late && { late: following.late }),
  };
  return { source, blocks: access.blocks, totals, cellTables: following.tables };
}

/** Sums of pairs in f32 are kept in double-single where the state is. */
function sumsOf({ functor, ir, lowered, reals, gathered }: PairKernelRequest): PairSums {
  const onlySums =
    functor.spec.wgsl !== undefined || [...sumOutputs(ir).values()].every((kind) => kind === 'sum');
  return reals.state === reals.pair || !onlySums
    ? settledSums(lowered, gathered)
    : gatheredSums(lowered);
}

/** Loading and storing of the central particle. Sums start from zero and are added to the field at the end. */
function planCentral(
  { functor, ir, lowered, outputs, fresh }: PairKernelRequest,
  access: ParticleAccess,
  sums: PairSums,
): { load: string; store: string; stored: readonly WgslField[] } {
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
      throw notASum(functor.name, field.field, outputs[field.field]!);
    }
    if (goesToParticles(field) && access.isPosition(field)) {
      throw movesParticles(functor.name, field.field);
    }
  }
  const before = access.loadRows(loaded, 'row', 'own');
  const load = [before];
  for (const field of loaded) load.push(`i.${field.member} = ${access.value(field, 'row')};`);
  const store = [access.loadRows(stored, 'out', 'own', fresh)];
  for (const field of stored) {
    store.push(
      isSum(field)
        ? access.add(sums.stored(field), 'out', `${sums.variable}.${field.member}`)
        : access.put(field, 'out', `i.${field.member}`),
    );
  }
  store.push(access.storeRows(stored, 'out', 'own'));
  return { load: load.join('\n    '), store: store.join('\n    '), stored };
}
