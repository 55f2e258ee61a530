import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { FunctorIR, RoleField, ValueType } from '@corpuscle/functor/ir';
import type { ParameterValues } from '../calls.js';
import type { Adaptation } from './Adaptation.js';
import { adaptPacking, adaptPair } from './adaptFunctor.js';
import { type CellFilter, cellFilter } from './cellFilter.js';
import { type PairWeights, weighting } from './pairWeights.js';
import { type ParticleFilter, particleFilter } from './particleFilter.js';
import { reachBefore, type Transform, transform } from './transform.js';

/** What a pair call can add to its functor. Everything is compiled into the functor: no engine knows of it. */
export interface PairAdaptations {
  /** Which particles receive, and which neighbors they see. */
  readonly particleFilter?: ParticleFilter;
  /** Cells whose particles receive. */
  readonly cellFilter?: CellFilter;
  /** Exclusions and scalings of pairs by id; see `pairWeights`. */
  readonly weights?: PairWeights;
  /** Displacements are multiplied by this matrix, nine numbers row by row; rcut counts after it. */
  readonly xform?: Transform;
}

export interface AdaptedPairs {
  readonly functor: AnyPairs;
  /** Parameters to add to the call's. */
  readonly params: ParameterValues;
  /** The cutoff before the transformation. */
  readonly rcut: number;
}

/** Whether pairs are named by their ids at all. */
export const isWeighted = (weights: PairWeights | undefined): weights is PairWeights =>
  weights !== undefined && (weights.count > 0 || weights.others !== 1);

type AnyPairs = Functor<'pair' | 'neighborhood'>;
const none: ParameterValues = {};
const made = new WeakMap<Functor, Map<string, AnyPairs>>();

/**
 * The functor with what the call asks for in front of it. Pairs that do not count leave a functor of pairs at once, and are
 * not packed for a functor of neighborhoods.
 *
 * @throws CorpuscleError INVALID_VALUE, UNKNOWN_FIELD
 */
export function adaptPairs(
  functor: AnyPairs,
  grid: Grid,
  rcut: number,
  options: PairAdaptations,
): AdaptedPairs {
  const { xform, particleFilter: some, cellFilter: cells, weights: given } = options;
  const own = functor.traits.needsPairWeights;
  if (!xform && !some && !cells && !given && !own) return { functor, params: none, rcut };
  const list: Adaptation[] = [];
  if (options.xform) list.push(transform(options.xform, rcut));
  if (options.particleFilter) list.push(particleFilter(options.particleFilter, grid));
  if (options.cellFilter) list.push(cellFilter(options.cellFilter, grid));
  const { weights } = options;
  if (isWeighted(weights)) list.push(weighting(weights, own));
  if (list.length === 0 && !own) return { functor, params: none, rcut };
  if (functor.ir === null)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' is not compiled (${functor.notCompiled}), so the call cannot add filters, weights or a transformation: write it in what can be compiled`,
    );
  const key = list.map((adaptation) => adaptation.key).join('|');
  let byKey = made.get(functor);
  if (!byKey) {
    byKey = new Map();
    made.set(functor, byKey);
  }
  let adapted = byKey.get(key);
  if (!adapted) {
    adapted = adapt(functor, functor.ir, list);
    byKey.set(key, adapted);
  }
  return {
    functor: adapted,
    params: Object.assign({}, ...list.map(({ values }) => values)),
    rcut: options.xform ? reachBefore(options.xform, rcut) : rcut,
  };
}

function adapt(functor: AnyPairs, ir: FunctorIR, list: readonly Adaptation[]): AnyPairs {
  const { spec } = functor;
  if (spec.kind !== 'pair' && spec.kind !== 'neighborhood')
    throw new Error(`${functor.name} has no pairs`);
  const parts = list.map((adaptation) => adaptation.statements());
  const central = Object.assign({}, ...list.map((a) => a.central));
  for (const name of Object.keys(spec.central)) delete central[name];
  const neighbor = Object.assign({}, ...list.map((a) => a.neighbor));
  const params = Object.assign({}, ...list.map((a) => a.params));
  const added = {
    i: fieldsOf(central),
    j: fieldsOf(neighbor),
    p: { ...ir.roles.p, ...fieldsOf(params) },
  };
  const adapted =
    spec.kind === 'pair'
      ? adaptPair(functor, ir, parts, added)
      : adaptPacking(functor, ir, parts, added);
  const symmetric = list.every((a) => a.symmetric);
  return {
    ...functor,
    ir: adapted,
    traits: { ...functor.traits, newton3: functor.traits.newton3 && symmetric },
    spec: {
      ...spec,
      ...(spec.kind === 'pair'
        ? {
            read: { ...central, ...spec.read },
            neighbor: { ...neighbor, ...spec.neighbor },
            // What follows from a displacement that has been replaced does not follow from positions.
            ...(parts.some((part) => part.displacement) ? { derived: {} } : {}),
          }
        : // Fields that are looked at while packing are no part of the buffer.
          { read: { ...neighbor, ...central, ...spec.read } }),
      params: { ...spec.params, ...params },
    },
  };
}

const fieldsOf = (schema: Readonly<Record<string, string>>): Record<string, RoleField> =>
  Object.fromEntries(
    Object.entries(schema).map(([name, type]) => [
      name,
      { type: type.replace('[]', '') as ValueType, array: type.endsWith('[]'), writable: false },
    ]),
  );
