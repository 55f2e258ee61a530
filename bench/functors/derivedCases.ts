import {
  type AnyPairPotential,
  buckingham,
  definePairPotential,
  type ForceTerm,
  mie,
  morse,
  pairForceTerm,
  silicon,
  stillingerWeberForce,
  yukawa,
} from '@corpuscle/operators';
import { stillingerWeberByHand } from './stillingerWeberByHand.js';

/** One potential with its forces written by hand, and with forces that follow from its energy. */
export interface DerivedCase {
  readonly name: string;
  readonly byHand: ForceTerm;
  readonly derived: ForceTerm;
}

/** The same potential without its force. */
function energyAlone(potential: AnyPairPotential): AnyPairPotential {
  const { force: _, functor: __, term: ___, ...spec } = potential;
  return definePairPotential({ ...spec, name: `${spec.name}_derived` });
}

function both(potential: AnyPairPotential, numbers: Readonly<Record<string, number>>): DerivedCase {
  const given = { types: ['A'], rcut: 2.5, ...numbers } as never;
  return {
    name: potential.name,
    byHand: potential.term(given),
    derived: energyAlone(potential).term(given),
  };
}

/** Of pairs, in the melt. */
export const pairCases: readonly DerivedCase[] = [
  both(morse, { D: 1, alpha: 5, r0: 1.12 }),
  both(buckingham, { A: 1000, rho: 0.2, C: 1 }),
  both(yukawa, { A: 10, kappa: 1.5 }),
  both(mie, { epsilon: 1, sigma: 1, n: 12, m: 6 }),
];

const { epsilon, sigma, a, lambda, gamma, cosTheta0, A, B, p, q } = silicon;

/** Of triplets, in a crystal of silicon. */
export const tripletCase: DerivedCase = {
  name: 'stillinger_weber',
  byHand: pairForceTerm(stillingerWeberByHand, a * sigma, {
    types: 1,
    depth: [A * epsilon],
    b: [B],
    p: [p],
    q: [q],
    sigma: [sigma],
    gammaSigma: [gamma * sigma],
    cut: [a * sigma],
    reach: [a * sigma],
    strength: [lambda * epsilon],
    angle: [cosTheta0],
  }),
  derived: stillingerWeberForce({ types: ['A'], triplets: [silicon] }),
};
