import type { Bounds, Dimension, UnitSystem } from '@corpuscle/core';
import { derivativeOf } from '@corpuscle/patterns';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { checkPotential } from './checkPotential.js';
import type { PairEntry } from './completePairs.js';
import type { CutoffSwitch } from './cutoffSwitch.js';
import { declaredAt } from './declaredAt.js';
import type { MixesAs, Mixing, MixingRule } from './mixing.js';
import type { CutoffShift } from './pairOutputs.js';
import { type NumberEntry, pairRows, windowOf } from './pairRows.js';
import { radialFunctor } from './radialFunctor.js';
import type { RadialForm, RadialFunction, RadialFunctor } from './radialLayer.js';
import { radialTerm } from './radialTerm.js';
import { refuseUnused } from './refuseUnused.js';

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
  /** What `energy` and `force` are given after r, where these are not the coefficients; computed once for each pair of types. */
  numbers?(
    values: Readonly<Record<keyof C | 'rcut', number>>,
    units: UnitSystem,
  ): readonly number[];
  /** The cutoff of a potential that has its own: there is no rcut then. */
  cutoff?(values: Values<C>): number;
  /** What is always done at the cutoff; without, the user chooses. */
  readonly shift?: CutoffShift;
  /** The window that is used where the user chooses none; default 'none'. */
  readonly switching?: CutoffSwitch;
  /** u(r) is that of unit charges with 1/(4πε₀) = 1: charges of particles, units and `dielectric` are multiplied in. */
  readonly charges?: true;
  /** A coefficient α: both functions are given erfc(α r) after the coefficients. */
  readonly damping?: keyof C & string;
  /** What damping takes from the energy of a unit charge: charges have an energy by themselves then (Wolf et al., 1999). */
  selfEnergy?(values: Values<C>): number;
}

/** Coefficients and cutoff of one pair of types, or of all pairs when `types` is absent. */
export type PairCoefficients<C> = PairEntry & Values<C> & AtCutoff;

type AtCutoff = {
  /** Needed by all potentials but those that have a cutoff of their own. */
  readonly rcut?: number;
  /** Where the window of `switch` begins. */
  readonly switchFrom?: number;
};

/** One set of coefficients for all pairs, or `pairs`; in simulation units. */
export type PairPotentialOptions<C> = {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  /** One of the potential's rules; default 'none': a missing pair is an error. */
  readonly mixing?: Mixing;
  /** Default 'none'. */
  readonly shift?: CutoffShift;
  /** A window in which the potential is switched off, from `switchFrom` on; default that of the potential, mostly 'none'. */
  readonly switch?: CutoffSwitch;
  /** Relative permittivity, for charges; default 1. */
  readonly dielectric?: number;
  /** Where constants of nature come from; default reduced units. */
  readonly units?: UnitSystem;
} & ((Values<C> & AtCutoff) | { readonly pairs: readonly PairCoefficients<C>[] });

/** A pair potential that can be used: `term` makes forces of it, `pairForceOperator` an operator. */
export interface PairPotential<C extends Coefficients = Coefficients> extends PairPotentialSpec<C> {
  readonly functor: RadialFunctor;
  /** −u′(r), as it was given or as it follows from the energy. */
  readonly force: RadialFunction;
  /** The functor with a window; made when it is first asked for. */
  functorFor(switching: CutoffSwitch): RadialFunctor;
  /** What kernels see of it. */
  readonly form: RadialForm;
  /**
   * A force term with these coefficients.
   * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE.
   */
  term(options: PairPotentialOptions<C>): ForceTerm;
}

/** A pair potential of whatever coefficients. */
export type AnyPairPotential = Omit<PairPotential, 'term'> & { term(options: never): ForceTerm };

/**
 * Declares a pair potential by its energy as a function of the distance. The force follows; one that is written by hand may
 * be given too. Lists, boxes, types, shifts, virials, threads and GPUs are not its concern.
 *
 * @throws CorpuscleError FUNCTOR_* when a function cannot be compiled, INVALID_VALUE for a mixing rule that it cannot have,
 *   a function that takes more numbers than there are, or a coefficient that nothing uses.
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
  declaredAt(definePairPotential, () => checkPotential(spec));
  const force = declaredAt(definePairPotential, () => forceOf(spec));
  const form = formOf(spec, force);
  const functors = new Map<CutoffSwitch, RadialFunctor>();
  const functorFor = (switching: CutoffSwitch): RadialFunctor => {
    const functor = functors.get(switching) ?? radialFunctor(spec.name, [{ form, switching }]);
    functors.set(switching, functor);
    return functor;
  };
  const functor = declaredAt(definePairPotential, () => {
    const made = functorFor('none');
    refuseUnused(spec, made);
    return made;
  });
  return {
    ...spec,
    force,
    form,
    functor,
    functorFor,
    term(options) {
      const { types } = options;
      const switching = windowOf(spec, options);
      const own = spec as unknown as PairPotentialSpec<Coefficients>;
      const rows = pairRows(own, types, entriesOf(options), options);
      return radialTerm(functorFor(switching), types.length, [
        { layer: { form, switching }, rows },
      ]);
    },
  };
}

const forceOf = <C extends Coefficients>(spec: PairPotentialSpec<C>): RadialFunction =>
  spec.force ??
  derivativeOf(spec.energy, {
    factor: -1,
    name: 'energy',
    of: spec.name,
    wholeNumbers: 'refuse',
  });

function formOf<C extends Coefficients>(
  spec: PairPotentialSpec<C>,
  force: RadialFunction,
): RadialForm {
  const { energy, charges, damping } = spec;
  const names = Object.keys(spec.coefficients);
  const taken = Math.max(energy.length, force.length) - 1;
  return {
    energy,
    force,
    count: spec.numbers ? taken : names.length,
    ...(charges ? { charges } : {}),
    ...(damping ? { damping: names.indexOf(damping) } : {}),
  };
}

function entriesOf<C>(options: PairPotentialOptions<C>): readonly NumberEntry[] {
  if ('pairs' in options) return options.pairs as readonly NumberEntry[];
  const { types: _, ...entry } = options;
  return [entry as unknown as NumberEntry];
}
