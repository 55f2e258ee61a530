import { CorpuscleError, didYouMean } from '@corpuscle/core';
import { checkKeys } from '../../checkKeys.js';
import type {
  Coefficient,
  Coefficients,
  PairPotential,
  PairPotentialSpec,
} from './definePairPotential.js';
import { type MixesAs, type MixingRule, mixingRules } from './mixing.js';

type Spec = PairPotentialSpec<Coefficients>;

/** All that a declaration may say, also one that is made of another. */
const keys: Readonly<Record<keyof PairPotential, true>> = {
  ...{ name: true, doc: true, coefficients: true, mixing: true, energy: true, force: true },
  ...{ numbers: true, cutoff: true, shift: true, switching: true, charges: true },
  ...{ damping: true, selfEnergy: true },
  ...{ functor: true, functorFor: true, form: true, term: true },
};

const meanings: Readonly<Record<MixesAs, true>> = {
  ...{ strength: true, length: true, exponent: true, mean: true, first: true, second: true },
};

const rules: readonly string[] = [...mixingRules, 'atomic_numbers' satisfies MixingRule];

/**
 * Checks that a declaration has what each must have, which TypeScript has not always seen.
 * @throws CorpuscleError MISSING_VALUE, INVALID_VALUE
 */
export function checkPotential<C extends Coefficients>(given: PairPotentialSpec<C>): void {
  const spec = given as unknown as Spec;
  checkParts(spec);
  checkCoefficients(spec);
  checkArguments(spec);
  checkRules(spec);
}

function checkParts(spec: Spec): void {
  const { name, coefficients, energy } = spec as Readonly<Record<keyof Spec, unknown>>;
  if (typeof name !== 'string') throw missing('a potential has no name: give one in snake_case');
  checkKeys(`the potential '${name}'`, spec, Object.keys(keys));
  if (typeof energy !== 'function')
    throw missing(
      `the potential '${name}' has no energy: give energy: (r, …) => …, with its coefficients after r`,
    );
  if (energy.length === 0)
    throw invalid(
      `the energy of the potential '${name}' takes nothing: its first argument is the distance r, and the coefficients follow`,
    );
  if (typeof coefficients !== 'object' || coefficients === null)
    throw missing(
      `the potential '${name}' has no coefficients: name the numbers that energy takes after r, or say coefficients: {}`,
    );
}

function checkCoefficients({ name: potential, coefficients }: Spec): void {
  const { entries } = Object;
  for (const [name, given] of entries<Partial<Coefficient> | null>(coefficients)) {
    const of = `the coefficient '${name}' of the potential '${potential}'`;
    const { dimension, mixes } = given ?? {};
    if (typeof dimension !== 'object')
      throw missing(`${of} has no dimension: give one of dimensions, such as dimensions.energy`);
    if (mixes !== undefined && !Object.hasOwn(meanings, mixes))
      throw invalid(
        `${of} mixes as '${mixes}'${didYouMean(mixes, Object.keys(meanings), `give one of ${Object.keys(meanings).join(', ')}`)}`,
      );
  }
}

function checkArguments({ name, coefficients, energy, force = energy, numbers, damping }: Spec) {
  if (damping && force === energy)
    throw invalid(
      `the potential '${name}' is damped: state its force too, which does not follow from the energy alone`,
    );
  if (numbers) return;
  const count = Object.keys(coefficients).length + (damping ? 1 : 0);
  for (const [what, { length }] of Object.entries({ energy, force }))
    if (length > count + 1)
      throw invalid(
        `the ${what} of the potential '${name}' takes ${length} numbers, but there are r and ${count} coefficients: name them all in coefficients`,
      );
}

function checkRules({ name, coefficients, mixing = [] }: Spec): void {
  for (const rule of mixing)
    if (!rules.includes(rule))
      throw invalid(
        `the potential '${name}' offers the mixing rule '${rule}'${didYouMean(rule, rules, `give ${rules.join(', ')}`)}`,
      );
  const lengths = Object.values(coefficients).filter(({ mixes }) => mixes === 'length').length;
  if (mixing.includes('sixth_power') && lengths !== 1)
    throw invalid(
      `the potential '${name}' offers sixth_power, which needs one coefficient that mixes as a length, and has ${lengths}`,
    );
}

const invalid = (message: string) => new CorpuscleError('INVALID_VALUE', message);
const missing = (message: string) => new CorpuscleError('MISSING_VALUE', message);
