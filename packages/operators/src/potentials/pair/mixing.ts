import { CorpuscleError } from '@corpuscle/core';

/** The rules by which coefficients of unlike types follow from those of the like ones. */
export const mixingRules = ['lorentz_berthelot', 'geometric', 'sixth_power'] as const;

/** A rule that a potential offers; the formulas are those of LAMMPS's `pair_modify mix arithmetic|geometric|sixthpower`; `atomic_numbers` is that of ZBL. */
export type MixingRule = (typeof mixingRules)[number] | 'atomic_numbers';

/**
 * How pairs of unlike types follow from those of like types when they are not given, with strengths ε and lengths σ:
 *
 * | rule                | σ                   | ε                                  |
 * |---------------------|---------------------|------------------------------------|
 * | `none`              | must be given       | must be given                      |
 * | `lorentz_berthelot` | (σ + σ′) / 2        | √(ε ε′)                            |
 * | `geometric`         | √(σ σ′)             | √(ε ε′)                            |
 * | `sixth_power`       | ((σ⁶ + σ′⁶) / 2)^⅙  | 2 √(ε ε′) σ³ σ′³ / (σ⁶ + σ′⁶)      |
 * | `atomic_numbers`    | (σ + σ′) / 2        | each nucleus keeps its number      |
 *
 * The cutoff mixes as a length. Sixth power: Waldman and Hagler, J. Comput. Chem. 14, 1077 (1993).
 */
export type Mixing = 'none' | MixingRule;

/**
 * What a coefficient is to a mixing rule: a strength (ε), a length (σ), an exponent, which has the mean of lengths, a number whose
 * arithmetic mean is taken under every rule, or a number of the first or second particle of the pair. One that says nothing must
 * be the same for both types.
 */
export type MixesAs = 'strength' | 'length' | 'exponent' | 'mean' | 'first' | 'second';

/** Coefficients and cutoff of a pair of types, which `types` names. */
type Numbers = Readonly<Record<string, unknown>> & { readonly types?: readonly [string, string] };

/**
 * Coefficients and cutoff of two unlike types, by a rule.
 *
 * @throws CorpuscleError INVALID_VALUE where a coefficient has no mean: it differs and does not mix, or is negative.
 */
export function mixedPair(
  rule: MixingRule,
  coefficients: Readonly<Record<string, MixesAs | undefined>>,
  aa: Numbers,
  bb: Numbers,
): Record<string, number> {
  const [a, b] = [aa.types![0], bb.types![0]];
  const numbers = (name: string) => [Number(aa[name]), Number(bb[name])] as const;
  const refuse = (name: string, why: string): never => {
    const [x, y] = numbers(name);
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${name} is ${x} for ${a}-${a} and ${y} for ${b}-${b}, ${why}: give the pair ${a}-${b}`,
    );
  };
  const size = Object.keys(coefficients).find((name) => coefficients[name] === 'length');
  const mixed: Record<string, number> = {};
  const all: Readonly<Record<string, MixesAs | undefined>> = { ...coefficients, rcut: 'length' };
  for (const [name, as] of Object.entries(all)) {
    const [x, y] = numbers(name);
    if (as === undefined && x !== y) refuse(name, 'and does not mix');
    if ((as === 'strength' || as === 'length') && (x < 0 || y < 0))
      refuse(name, 'and negative numbers do not mix');
    if (as === undefined) mixed[name] = x;
    else if (as === 'mean') mixed[name] = (x + y) / 2;
    else if (as === 'first' || as === 'second') mixed[name] = as === 'first' ? x : y;
    else if (as === 'length' || as === 'exponent') mixed[name] = meanLength(rule, x, y);
    else mixed[name] = Math.sqrt(x * y) * (rule === 'sixth_power' ? overlap(...numbers(size!)) : 1);
  }
  return mixed;
}

function meanLength(rule: MixingRule, x: number, y: number): number {
  if (rule === 'geometric') return Math.sqrt(x * y);
  return rule === 'sixth_power' ? ((x ** 6 + y ** 6) / 2) ** (1 / 6) : (x + y) / 2;
}

/** By how much the sixth-power rule weakens the attraction of particles of different size: 1 for equal ones. */
const overlap = (x: number, y: number): number => (2 * x ** 3 * y ** 3) / (x ** 6 + y ** 6);
