import type { Functor } from '../Functor.js';
import { compileCombine } from '../frontend/compileFunctor.js';
import type { FunctorIR } from '../ir.js';
import type { ResultSchema } from '../schema.js';
import { isPlain, type ResultSlot, resultSlots } from './resultSlots.js';
import { combineBody, structuredBody } from './structuredBody.js';

/** The id of an extreme that no particle has. */
export const NO_PARTICLE = 0xffffffff;

/** What a reduction has found so far. */
export interface ResultRecord {
  readonly reals: Float64Array;
  readonly ids: Uint32Array;
}

/**
 * A reduction whose results form a record: extremes with the particle that has them, histograms, numbers with a combine
 * function of the user's. `functor` is the same functor with results rewritten (see structuredBody); engines run it
 * particle by particle into records and join these with `combineIr`, in a fixed order.
 */
export class Reduction {
  readonly slots: readonly ResultSlot[];
  readonly reals: number;
  readonly ids: number;
  readonly functor: Functor<'reduce'>;
  /** Null where the functor is plain JavaScript. */
  readonly combineIr: FunctorIR | null;
  readonly #original: Functor;
  readonly #identity: ResultRecord;

  constructor(original: Functor<'reduce'> | Functor<'block'>, results: ResultSchema) {
    const { slots, reals, ids } = resultSlots(results);
    this.slots = slots;
    this.reals = reals;
    this.ids = ids;
    this.#original = original;
    this.functor = rewritten(original as Functor<'reduce'>, slots);
    this.#identity = identityOf(original, slots, reals, ids);
    this.combineIr = original.ir && joining(original, slots);
  }

  /** A record that changes nothing when it is joined to another. */
  identity(): ResultRecord {
    return { reals: this.#identity.reals.slice(), ids: this.#identity.ids.slice() };
  }

  /** Joins `other` to `into`, on the host. */
  combine(into: ResultRecord, other: ResultRecord): void {
    for (const { op, offset, length, id } of this.slots) {
      const [a, b] = [into.reals[offset]!, other.reals[offset]!];
      if (op === 'sum') {
        for (let k = offset; k < offset + Math.max(1, length); k++)
          into.reals[k] = into.reals[k]! + other.reals[k]!;
      } else if (op === 'max' || op === 'min') into.reals[offset] = Math[op](a, b);
      else if (op !== 'real') {
        const better = op === 'argmax' ? b > a : b < a;
        if (!better && !(a === b && other.ids[id]! < into.ids[id]!)) continue;
        into.reals[offset] = b;
        into.ids[id] = other.ids[id]!;
      }
    }
    const { spec } = this.#original;
    if (spec.kind !== 'reduce' || !spec.combine) return;
    const combine = spec.combine as (...args: unknown[]) => void;
    combine(this.#view(into), this.#view(other), spec.helpers ?? {}, spec.constants ?? {});
  }

  /** Results declared `real` as a combine function sees them. */
  #view({ reals }: ResultRecord): object {
    const view = {};
    for (const { name, op, offset, length } of this.slots) {
      if (op !== 'real') continue;
      if (length > 0) {
        Object.defineProperty(view, name, { value: reals.subarray(offset, offset + length) });
        continue;
      }
      Object.defineProperty(view, name, {
        get: () => reals[offset],
        set: (value: number) => {
          reals[offset] = value;
        },
      });
    }
    return view;
  }
}

const reductions = new WeakMap<Functor, Reduction>();

/** The record form of a functor's results; engines combine plain sums and extremes by faster means where they can. */
export function reductionOf(functor: Functor<'reduce'> | Functor<'block'>): Reduction {
  let reduction = reductions.get(functor);
  if (!reduction) {
    const { spec } = functor;
    const results = spec.kind === 'reduce' || spec.kind === 'block' ? (spec.result ?? {}) : {};
    reduction = new Reduction(functor, results);
    reductions.set(functor, reduction);
  }
  return reduction;
}

/** Whether a reduction needs its results in records. */
export const isStructured = ({ spec }: Functor): boolean =>
  spec.kind === 'reduce' && !isPlain(spec.result);

function rewritten(functor: Functor<'reduce'>, slots: readonly ResultSlot[]): Functor<'reduce'> {
  const { ir } = functor;
  if (!ir) return functor;
  const named = slots.some(({ id }) => id >= 0);
  const record = {
    reals: { type: 'real', array: true, writable: true },
    ids: { type: 'u32', array: true, writable: true },
  } as const;
  const id = { id: { type: 'u32', array: false, writable: false } } as const;
  const roles = { ...ir.roles, acc: record, ...(named ? { i: { ...ir.roles.i, ...id } } : {}) };
  const spec =
    named && functor.spec.kind === 'reduce'
      ? { ...functor.spec, read: { ...functor.spec.read, id: 'u32' as const } }
      : functor.spec;
  return { ...functor, spec, ir: { ...ir, roles, body: structuredBody(ir.body, slots) } };
}

function joining(functor: Functor, slots: readonly ResultSlot[]): FunctorIR {
  const record = (writable: boolean) => ({
    reals: { type: 'real' as const, array: true, writable },
    ids: { type: 'u32' as const, array: true, writable },
  });
  const { spec, source } = functor;
  const own =
    spec.kind === 'reduce' && spec.combine ? compileCombine(spec, spec.combine, source) : null;
  return {
    name: `${functor.name}_combine`,
    kind: 'reduce',
    roles: { acc: record(true), j: record(false) },
    // The user's part comes last: it may return early.
    body: [...combineBody(slots), ...(own ? structuredBody(own.body, slots) : [])],
    helpers: own?.helpers ?? [],
  };
}

const START = {
  sum: 0,
  real: 0,
  max: Number.NEGATIVE_INFINITY,
  argmax: Number.NEGATIVE_INFINITY,
  min: Number.POSITIVE_INFINITY,
  argmin: Number.POSITIVE_INFINITY,
} as const;

function identityOf(
  { spec }: Functor,
  slots: readonly ResultSlot[],
  reals: number,
  ids: number,
): ResultRecord {
  const record = { reals: new Float64Array(reals), ids: new Uint32Array(ids).fill(NO_PARTICLE) };
  const given = spec.kind === 'reduce' ? (spec.identity ?? {}) : {};
  for (const { name, op, offset } of slots) {
    const value = given[name] ?? START[op];
    if (typeof value === 'number') record.reals[offset] = value;
    else record.reals.set(value, offset);
  }
  return record;
}
