import type { Grid, NeighborListKind, StorageType } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { FunctorIR, ValueType } from '@corpuscle/functor/ir';
import { fieldUse, parity, sumOutputs, withOutputs } from '@corpuscle/functor/passes';
import type { OutputTarget, ParameterValues } from '../../plan/calls.js';
import type { PairForm } from '../../plan/chooseBackend.js';
import { type Moment, momentsOf } from '../../plan/moments.js';
import { notASum, wrongFieldType } from '../../plan/refusals.js';
import { specialize } from '../../plan/specialize.js';
import type { CpuServices } from '../CpuServices.js';
import { type Packed, packTables } from './packTables.js';

/** How a kernel works: SIMD lanes across neighbors, one neighbor at a time in wasm, or generated JavaScript. */
export type PairScaffold = 'lanes2' | 'lanes4' | 'scalar' | 'javascript';

/** Where a field lies in a grid. */
export interface FieldPlace {
  readonly field: string;
  readonly type: ValueType;
  readonly block: string;
  readonly component: number;
  readonly width: number;
  readonly storage: StorageType;
}

/** One output of a call. `place` is null when it is only summed over all particles. */
export interface PairOutput {
  readonly field: string;
  readonly type: ValueType;
  readonly place: FieldPlace | null;
  readonly total: boolean;
  /** In half lists the neighbor receives the negative (odd) or the same (even). */
  readonly parity: 'odd' | 'even';
}

/** A parameter; tables of length 1 have become scalars. */
export interface PairParameter {
  readonly name: string;
  readonly type: ValueType;
  readonly table: boolean;
  /** Set when it lies in memory together with other tables. */
  readonly packed?: Packed;
}

/** Everything that a kernel's code depends on, and nothing else. */
export interface PairPlan {
  readonly name: string;
  readonly ir: FunctorIR;
  /** How the functor was specialized for its parameters. */
  readonly choices: string;
  readonly scaffold: PairScaffold;
  /** Width of the functor's arithmetic. */
  readonly real: 'f64' | 'f32';
  readonly form: PairForm;
  readonly list: NeighborListKind;
  /** Outputs are pure sums; otherwise the functor reads and writes the central particle's fields in place. */
  readonly sums: boolean;
  readonly outputs: readonly PairOutput[];
  /** Totals that follow from what particles receive, and are no outputs of the kernel. */
  readonly moments: readonly Moment[];
  readonly central: readonly FieldPlace[];
  readonly neighbor: readonly FieldPlace[];
  readonly parameters: readonly PairParameter[];
  /** Whether forces go through per-thread buffers that are added up afterwards. */
  readonly buffers: 'none' | 'f64' | 'f32';
  /** Whether multiply and add are fused. */
  readonly relaxed: boolean;
}

export interface PairRequest {
  readonly grid: Grid;
  readonly functor: Functor;
  readonly params: ParameterValues;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly rcut: number;
  readonly form: PairForm;
  /** Whether totals may be found as moments. */
  readonly moments?: boolean;
}

/** Decides how a compiled pair functor is run. */
export function pairPlan(services: CpuServices, request: PairRequest): PairPlan {
  const { functor, outputs, params, grid } = request;
  const kept = new Set(Object.keys(outputs).filter((field) => outputs[field] !== 'none'));
  const special = specialize(functor.ir!, params, request.rcut);
  const complete = withOutputs(special.ir, kept);
  const kinds = sumOutputs(complete);
  const sums = [...kept].every((field) => kinds.get(field) !== 'general');
  const half = functor.traits.newton3 === true && sums;
  const parities = half ? parity(complete) : null;
  const centralRole = complete.roles.i ?? {};
  const wanted = [...kept].map((field): PairOutput => {
    const target = outputs[field]!;
    if (!sums && target !== 'particles') throw notASum(functor.name, field, target);
    const type = centralRole[field]!.type;
    return {
      field,
      type,
      place: target === 'total' ? null : placeOf(grid, field, type),
      total: target !== 'particles',
      parity: parities?.get(field) ?? 'even',
    };
  });
  const scaffold = scaffoldFor(services, sums, wanted);
  const moments =
    request.moments && half && scaffold === 'lanes2' ? momentsOf(functor.spec, wanted) : [];
  const planned = wanted.filter(({ field }) => !moments.some((one) => one.field === field));
  const ir = moments.length === 0 ? complete : withOutputs(special.ir, fieldsOf(planned));
  const use = fieldUse(ir);
  const written = fieldsOf(planned);
  const places = (role: 'i' | 'j') =>
    [...(use.reads.get(role) ?? [])]
      .filter((field) => role === 'j' || !written.has(field))
      .map((field) => placeOf(grid, field, ir.roles[role]![field]!.type));
  const parameters = [...(use.reads.get('p') ?? [])].map((name): PairParameter => {
    const { type, array } = ir.roles.p![name]!;
    return { name, type, table: array };
  });
  const simd = scaffold === 'lanes2' || scaffold === 'lanes4';
  return {
    name: functor.name,
    ir,
    choices: special.choices,
    scaffold,
    real: scaffold === 'javascript' || services.precision === 'f64' ? 'f64' : 'f32',
    form: simd ? request.form : 'bufferless',
    list: half ? 'half' : 'full',
    sums,
    outputs: planned,
    moments,
    central: places('i'),
    neighbor: places('j'),
    parameters: simd ? packTables(parameters, params) : parameters,
    buffers:
      !half || !planned.some((output) => output.place)
        ? 'none'
        : scaffold === 'lanes4'
          ? 'f32'
          : services.parts > 1
            ? 'f64'
            : 'none',
    relaxed: services.relaxed && simd,
  };
}

const fieldsOf = (outputs: readonly PairOutput[]): Set<string> =>
  new Set(outputs.map(({ field }) => field));

/** Equal keys mean equal code for the same functor. */
export function planKey(plan: PairPlan): string {
  const place = (p: FieldPlace | null) =>
    p ? `${p.field}:${p.type}@${p.block}.${p.component}/${p.width}${p.storage}` : '-';
  return [
    plan.choices,
    plan.scaffold,
    plan.real,
    plan.form,
    plan.list,
    plan.buffers,
    plan.relaxed,
    ...plan.outputs.map((o) => `${o.field}=${place(o.place)}${o.total ? '+' : ''}${o.parity}`),
    ...plan.moments.map(({ field }) => `${field}~`),
    ...plan.central.map(place),
    '|',
    ...plan.neighbor.map(place),
    ...plan.parameters.map(
      (p) => `${p.name}:${p.type}${p.table ? `[${Object.values(p.packed ?? {})}]` : ''}`,
    ),
  ].join(' ');
}

// Lanes need pure sums of reals that are stored as f64; whatever else goes one neighbor at a time.
function scaffoldFor(
  { lowering, precision }: CpuServices,
  sums: boolean,
  outputs: readonly PairOutput[],
): PairScaffold {
  if (lowering === 'javascript') return 'javascript';
  const fits = outputs.every((o) => o.type === 'real' && (!o.place || o.place.storage === 'f64'));
  if (lowering === 'scalar' || !sums || !fits) return 'scalar';
  return precision === 'f64' ? 'lanes2' : 'lanes4';
}

/** Where a field of a functor lies in a grid. @throws CorpuscleError WRONG_TYPE */
export function placeOf(grid: Grid, field: string, type: ValueType): FieldPlace {
  const { block, component } = grid.field(field);
  const { type: storage, width } = grid.block(block).spec;
  const isReal = storage === 'f64' || storage === 'f32';
  if ((type === 'real') !== isReal) {
    throw wrongFieldType(field, type, storage);
  }
  return { field, type, block, component, width, storage };
}
