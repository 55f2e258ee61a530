import { type Bounds, CorpuscleError, type Dimension, dimensions } from '@corpuscle/core';
import { derivativeOf, type Functor } from '@corpuscle/patterns';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { completePairs, type PairEntry } from './completePairs.js';
import { declaredAt } from './declaredAt.js';
import { type MixesAs, type Mixing, type MixingRule, mixedPair } from './mixing.js';
import { pairForceTerm } from './pairForceTerm.js';
import type { CutoffShift } from './pairOutputs.js';
import { type RadialFunction, radialFunctor } from './radialFunctor.js';
import { radialParameters } from './radialParameters.js';

/** One number of a potential, such as a depth or a length; bounds are checked. */
export type Coefficient = {
  readonly dimension: Dimension;
  readonly doc: string;
  /** What it is to mixing rules; without, it must be the same for types that mix. */
  readonly mixes?: MixesAs;
} & Bounds;
/** The numbers of a potential by name, in the order of the arguments of `energy` and `force`. */
export type Coefficients = Readonly<Record<string, Coefficient>>;
type Values<C> = { readonly [K in keyof C]: number };

/** A pair potential as its author writes it. */
export interface PairPotentialSpec<C extends Coefficients> {
  /** snake_case; the operator is called `<name>_force`. */
  readonly name: string;
  /** One line with the formula, for `corpuscle operators`. */
  readonly doc: string;
  /** Any number of numbers with their dimensions. Each may differ from one pair of types to another. */
  readonly coefficients: C;
  /** Mixing rules that make sense for it; default none. `sixth_power` needs exactly one length. */
  readonly mixing?: readonly MixingRule[];
  /** u(r), and after r the coefficients in their order. Compiled: numbers and Math, nothing from outside. */
  readonly energy: RadialFunction;
  /** −u′(r), positive where particles repel each other. Compiled likewise; default: derived from the energy. */
  readonly force?: RadialFunction;
}

/** Coefficients and cutoff of one pair of types, or of all pairs when `types` is absent. */
export type PairCoefficients<C> = PairEntry & Values<C> & { readonly rcut: number };

/** One set of coefficients for all pairs, or `pairs`; in simulation units. */
export type PairPotentialOptions<C> = {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  /** One of the potential's rules; default 'none': a missing pair is an error. */
  readonly mixing?: Mixing;
  /** Default 'none'. */
  readonly shift?: CutoffShift;
} & ((Values<C> & { readonly rcut: number }) | { readonly pairs: readonly PairCoefficients<C>[] });

/** A pair potential that can be used: `term` makes forces of it, `pairForceOperator` an operator. */
export interface PairPotential<C extends Coefficients = Coefficients> extends PairPotentialSpec<C> {
  readonly functor: Functor<'pair'>;
  /** −u′(r), as it was given or as it follows from the energy. */
  readonly force: RadialFunction;
  /**
   * A force term with these coefficients.
   * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE.
   */
  term(options: PairPotentialOptions<C>): ForceTerm;
}

/**
 * Declares a pair potential by its energy as a function of the distance. The force follows; one that is written by hand may
 * be given too. Lists, boxes, types, shifts, virials, threads and GPUs are not its concern.
 *
 * @throws CorpuscleError FUNCTOR_* when a function cannot be compiled, INVALID_VALUE for a mixing rule that it cannot have,
 *   or a function that takes more numbers than there are.
 * @example
 * const spring = definePairPotential({
 *   name: 'spring',
 *   doc: 'u(r) = k/2 (r − rcut)²',
 *   coefficients: { k: { dimension: dimensions.stiffness, min: 0, doc: 'stiffness' }, r0: { dimension: dimensions.length, doc: 'length' } },
 *   energy: (r, k, r0) => 0.5 * k * (r - r0) * (r - r0),
 * });
 * const term = spring.term({ types: ['A'], k: 100, r0: 1, rcut: 1 });
 */
export function definePairPotential<const C extends Coefficients>(
  spec: PairPotentialSpec<C>,
): PairPotential<C> {
  const names = Object.keys(spec.coefficients);
  checkArguments(spec);
  checkRules(spec);
  const { energy, mixing: rules = [] } = spec;
  const mixes = Object.fromEntries(names.map((name) => [name, spec.coefficients[name]!.mixes]));
  const { force, functor } = declaredAt(definePairPotential, () => {
    const force =
      spec.force ??
      derivativeOf(energy, { factor: -1, name: 'energy', of: spec.name, wholeNumbers: 'refuse' });
    return { force, functor: radialFunctor(spec.name, names.length, energy, force) };
  });
  const bounds: Coefficients = {
    ...spec.coefficients,
    rcut: { dimension: dimensions.length, above: 0, doc: '' },
  };
  return {
    ...spec,
    force,
    functor,
    term(options) {
      const { types, shift = 'none', mixing: chosen = 'none' } = options;
      const entries = entriesOf<C>(options);
      for (const entry of entries)
        for (const name in bounds) checkBounds(name, Number(entry[name]), bounds[name]!);
      const table = completePairs(types, entries, {
        chosen,
        rules,
        mix: (rule, aa, bb) => mixedPair(rule, mixes, aa, bb) as PairCoefficients<C>,
      });
      const rcut = table.map((entry) => entry.rcut);
      const columns = names.map((name) => table.map((entry) => Number(entry[name])));
      const params = radialParameters(types.length, columns, rcut, { energy, force }, shift);
      return pairForceTerm(functor, Math.max(...rcut), params);
    },
  };
}

function entriesOf<C>(options: PairPotentialOptions<C>): readonly PairCoefficients<C>[] {
  if ('pairs' in options) return options.pairs as readonly PairCoefficients<C>[];
  const { types: _, mixing: __, ...entry } = options;
  return [entry as unknown as PairCoefficients<C>];
}

function checkArguments({
  name,
  coefficients,
  energy,
  force = energy,
}: PairPotentialSpec<Coefficients>): void {
  const count = Object.keys(coefficients).length;
  for (const [what, { length }] of Object.entries({ energy, force }))
    if (length > count + 1)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the ${what} of the potential '${name}' takes ${length} numbers, but there are r and ${count} coefficients`,
      );
}

function checkRules({ name, coefficients, mixing = [] }: PairPotentialSpec<Coefficients>): void {
  const lengths = Object.values(coefficients).filter(({ mixes }) => mixes === 'length').length;
  if (!mixing.includes('sixth_power') || lengths === 1) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the potential '${name}' offers sixth_power, which needs one coefficient that mixes as a length, and has ${lengths}`,
  );
}

function checkBounds(name: string, value: number, bounds: Bounds): void {
  const { min = -Infinity, max = Infinity, above = -Infinity, below = Infinity } = bounds;
  if (Number.isFinite(value) && value >= min && value <= max && value > above && value < below)
    return;
  const wanted = Object.entries({
    'at least': bounds.min,
    'at most': bounds.max,
    above: bounds.above,
    below: bounds.below,
  })
    .flatMap(([words, bound]) => (bound === undefined ? [] : [`${words} ${bound}`]))
    .join(' and ');
  throw new CorpuscleError(
    'INVALID_VALUE',
    `${name} is ${value}: give a number ${wanted}`.trimEnd(),
  );
}
