import type { Functor } from '@corpuscle/functor';
import type { FunctorIR, ValueType } from '@corpuscle/functor/ir';
import { fieldUse, sumOutputs, withOutputs } from '@corpuscle/functor/passes';
import type { PairCall } from '../../plan/calls.js';
import { specialize } from '../../plan/specialize.js';
import type { CpuServices } from '../CpuServices.js';
import { type FieldPlace, type PairParameter, placeOf } from '../pair/PairPlan.js';
import { givenOnce } from './givenOnce.js';

/** One output of a call. */
export interface NeighborhoodOutput {
  readonly field: string;
  readonly type: ValueType;
  /** Null when it is only summed over all particles. */
  readonly place: FieldPlace | null;
  readonly total: boolean;
  /** The central particle receives some of it; `general` when the functor does more than add to it. */
  readonly central: 'none' | 'sum' | 'general';
  /** Neighbors receive some of it: kept for them until the row is done, or `atOnce` (see `givenOnce`). */
  readonly scattered: 'none' | 'kept' | 'atOnce';
}

/** Everything that the code of a kernel over whole neighborhoods depends on. */
export interface NeighborhoodPlan {
  readonly name: string;
  readonly ir: FunctorIR;
  /**
   * `whole`: the functor runs once, over the buffer. Functors of pairs with a context run for each neighbor, between their
   * start and their stop: `packed` over the buffer, `each` as neighbors are met, where lanes need not wait for each other.
   */
  readonly visit: 'whole' | 'packed' | 'each';
  readonly start: FunctorIR | null;
  readonly stop: FunctorIR | null;
  /** Values of the context. */
  readonly context: readonly { readonly field: string; readonly type: ValueType }[];
  readonly choices: string;
  readonly language: 'wasm' | 'javascript';
  /** Width of the functor's arithmetic; sums are f64. */
  readonly real: 'f64' | 'f32';
  /** Particles that one vector takes side by side. */
  readonly lanes: 1 | 2 | 4;
  readonly outputs: readonly NeighborhoodOutput[];
  /** Fields of the particle, and of its neighbors, that are read. */
  readonly central: readonly FieldPlace[];
  readonly neighbor: readonly FieldPlace[];
  /** Decides which neighbors are packed, and how; null for all within the cutoff. */
  readonly pack: FunctorIR | null;
  /** Fields of neighbors that it reads. */
  readonly looked: readonly FieldPlace[];
  /** Values that the functor keeps for each neighbor. */
  readonly work: readonly { readonly field: string; readonly type: ValueType }[];
  readonly parameters: readonly PairParameter[];
  /** Blocks that neighbors' outputs go to. */
  readonly scatterBlocks: readonly string[];
}

/** Decides how a compiled functor of neighborhoods is run. */
export function neighborhoodPlan(services: CpuServices, call: PairCall): NeighborhoodPlan {
  const { functor, grid, outputs: targets, params } = call;
  const kept = new Set(Object.keys(targets).filter((field) => targets[field] !== 'none'));
  const special = specialize(functor.ir!, params);
  const ir = withOutputs(special.ir, kept);
  const [start, stop] = [
    hookOf(special.ir.start, params, kept),
    hookOf(special.ir.stop, params, kept),
  ];
  const pack = ir.pack ?? null;
  const packUse = pack ? fieldUse(pack) : null;
  // What the parts read and write together.
  const parts = [start, ir, stop].flatMap((part) => (part ? [part] : []));
  const all: FunctorIR = {
    ...ir,
    body: parts.flatMap(({ body }) => body),
    helpers: parts.flatMap(({ helpers }) => helpers),
  };
  const use = fieldUse(all);
  const kinds = sumOutputs(all);
  const scattered = use.writes.get('n') ?? new Set<string>();
  const once = services.lowering === 'javascript' ? new Set<string>() : givenOnce(all);
  const outputs = [...kept].map((field): NeighborhoodOutput => {
    const { type } = (ir.roles.i?.[field] ?? ir.roles.n?.[field])!;
    const target = targets[field]!;
    return {
      field,
      type,
      place: target === 'total' ? null : placeOf(grid, field, type),
      total: target !== 'particles',
      central: kinds.get(field) ?? 'none',
      scattered: !scattered.has(field) ? 'none' : once.has(field) ? 'atOnce' : 'kept',
    };
  });
  const written = new Set(kinds.keys());
  const fieldsOf = (names: Iterable<string>, role: 'i' | 'j' | 'n') =>
    [...names].map((field) => placeOf(grid, field, ir.roles[role]![field]!.type));
  const isPair = functor.kind === 'pair';
  const role = isPair ? 'j' : 'n';
  const packed = Object.keys(neighborFields(functor));
  const real = services.lowering === 'javascript' || services.precision === 'f64' ? 'f64' : 'f32';
  // What a particle has received is looked at again: particles come one after the other.
  const looksBack = outputs.some(
    (output) => output.scattered !== 'none' && output.central === 'general',
  );
  const lanes = services.lowering !== 'simd' || looksBack ? 1 : real === 'f64' ? 2 : 4;
  return {
    name: functor.name,
    ir,
    visit: !isPair ? 'whole' : call.form === 'buffered' || lanes > 1 ? 'packed' : 'each',
    start,
    stop,
    context: Object.entries(ir.roles.x ?? {}).map(([field, { type }]) => ({ field, type })),
    choices: `${special.choices} ${isPair ? call.form : ''}`,
    language: services.lowering === 'javascript' ? 'javascript' : 'wasm',
    real,
    lanes,
    outputs,
    central: fieldsOf(
      union(use.reads.get('i'), packUse?.reads.get('i')).filter((field) => !written.has(field)),
      'i',
    ),
    pack,
    looked: [...(packUse?.reads.get('j') ?? [])].map((field) =>
      placeOf(grid, field, pack!.roles.j![field]!.type),
    ),
    neighbor: fieldsOf(
      packed.filter((field) => use.reads.get(role)?.has(field)),
      role,
    ),
    work: Object.entries(workOf(functor))
      .filter(([field]) => use.reads.get('n')?.has(field) || use.writes.get('n')?.has(field))
      .map(([field, type]) => ({ field, type })),
    parameters: union(use.reads.get('p'), packUse?.reads.get('p')).map((name) => {
      const { type, array } = ir.roles.p![name]!;
      return { name, type, table: array };
    }),
    scatterBlocks: [
      ...new Set(
        outputs.flatMap((o) => (o.scattered !== 'none' && o.place ? [o.place.block] : [])),
      ),
    ],
  };
}

const union = (...sets: readonly (ReadonlySet<string> | undefined)[]): string[] => [
  ...new Set(sets.flatMap((set) => [...(set ?? [])])),
];

/** A hook as the call specializes it. */
function hookOf(
  hook: FunctorIR | undefined,
  params: PairCall['params'],
  kept: ReadonlySet<string>,
): FunctorIR | null {
  return hook && hook.body.length > 0 ? withOutputs(specialize(hook, params).ir, kept) : null;
}

const neighborFields = ({ spec }: Functor) =>
  spec.kind === 'neighborhood' || spec.kind === 'pair' ? spec.neighbor : {};

const workOf = ({ spec }: Functor) => (spec.kind === 'neighborhood' ? spec.work : {});

/** Equal keys mean equal code for the same functor. */
export function neighborhoodKey(plan: NeighborhoodPlan): string {
  const place = (p: FieldPlace | null) =>
    p ? `${p.field}:${p.type}@${p.block}.${p.component}/${p.width}${p.storage}` : '-';
  return [
    plan.choices,
    plan.language,
    `${plan.lanes} ${plan.real}`,
    ...plan.outputs.map((o) => `${o.field}=${place(o.place)}${o.total ? '+' : ''}`),
    ...plan.central.map(place),
    '|',
    ...plan.neighbor.map(place),
    '|',
    ...plan.looked.map(place),
    ...plan.parameters.map((p) => `${p.name}:${p.type}${p.table ? '[]' : ''}`),
  ].join(' ');
}

/** An array of the buffer and the bytes of an element. */
export interface BufferArray {
  readonly name: string;
  readonly bytes: 4 | 8;
}

/** The arrays of the buffer, in order: row numbers, displacements, packed fields, the functor's own values, what neighbors receive. */
export function bufferArrays(plan: NeighborhoodPlan): BufferArray[] {
  const real = plan.real === 'f64' ? 8 : 4;
  const fields = [...plan.neighbor, ...plan.work].map(
    ({ field, type }): BufferArray => ({ name: field, bytes: type === 'real' ? real : 4 }),
  );
  const given = plan.outputs
    .filter((output) => output.scattered === 'kept')
    .map(({ field, type }): BufferArray => ({ name: field, bytes: type === 'real' ? 8 : 4 }));
  const weighted = plan.pack?.roles.i?.opt_weight ? ['weight'] : [];
  const geometry = ['dx', 'dy', 'dz', 'r2', ...weighted].map(
    (name): BufferArray => ({ name, bytes: real }),
  );
  return [{ name: '$row', bytes: 4 }, ...geometry, ...fields, ...given];
}

/**
 * The record of one thread, words of addresses:
 *
 *   entries, last      addresses of its first list entry and of the end
 *   indices            address of its row numbers
 *   totals             address of its partial totals, f64
 *   buffer             address of its buffer
 *   outputs …          where row 0 of each block is that its neighbors' outputs go to
 */
export const threadSlots = {
  entries: 0,
  last: 4,
  indices: 8,
  totals: 12,
  buffer: 16,
  outputs: 20,
  bytes: (plan: NeighborhoodPlan): number => 20 + 4 * plan.scatterBlocks.length,
} as const;

/** Names of argument slots besides those of pairs. */
export const slots = {
  /** Room in each array of the buffer, a power of two. */
  capacity: 'capacity',
  looked: (field: string): string => `l.${field}`,
  output: (block: string): string => `o.${block}`,
} as const;

/** Outputs that are summed over all particles, in order. */
export const totalsOf = (plan: NeighborhoodPlan): readonly NeighborhoodOutput[] =>
  plan.outputs.filter((output) => output.total);
