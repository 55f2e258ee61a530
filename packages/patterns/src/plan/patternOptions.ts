import { CorpuscleError, didYouMean } from '@corpuscle/core';
import type { FunctorKind } from '@corpuscle/functor/ir';

/** Kinds of functors that calls take. */
export type TakenKind = FunctorKind | 'value';

/** What a call takes: kinds of functors, and names of options. */
interface PatternFacts {
  readonly kinds: readonly TakenKind[];
  readonly options: readonly string[];
}

const facts = (kinds: readonly TakenKind[], ...options: readonly string[]): PatternFacts => ({
  kinds,
  options: options.flatMap((names) => names.split(' ')),
});

const call = 'backend enableGpu asynchronous lane onComplete params';
const particles = 'cells order fields particleFilter';

const patterns = {
  blockParallelFor: facts(['block'], call, 'arrays blockSize chunk indices schedule'),
  computeCellParticles: facts(['cell'], call, particles),
  reduceCellParticles: facts(['reduce'], call, particles, 'into'),
  computeCellParticlePairs: facts(
    ['pair', 'neighborhood'],
    call,
    'rcut allPairs outputs into form particleFilter cellFilter weights xform',
  ),
  updateNeighbors: facts([], 'rcut skin force ahead asynchronous backend lane onComplete onUpdate'),
  prepareValues: facts(['value'], 'values params'),
} satisfies Record<string, PatternFacts>;

/** The patterns, by the names of their direct calls; `any` is what explains calls. */
export type PatternName = keyof typeof patterns | 'any';

const entries = Object.entries(patterns);
const any = facts(
  ['block', 'cell', 'reduce', 'pair', 'neighborhood'],
  'size',
  ...entries.flatMap(([, { options }]) => options),
);

/** The kinds of functors that a pattern takes. */
export const kindsOf = (pattern: PatternName): readonly TakenKind[] =>
  (pattern === 'any' ? any : patterns[pattern]).kinds;

/** @throws CorpuscleError UNKNOWN_KEY for an option that the pattern does not take, with those that do. */
export function checkOption(pattern: PatternName, name: string): void {
  const { options } = pattern === 'any' ? any : patterns[pattern];
  if (options.includes(name)) return;
  const takers = entries.filter((entry) => entry[1].options.includes(name)).map(([of]) => of);
  const message =
    takers.length === 0
      ? `no call takes an option '${name}'${didYouMean(name, options)}`
      : `${pattern} takes no option '${name}', which is one of ${takers.join(', ')}: leave it out, or make that call`;
  throw new CorpuscleError('UNKNOWN_KEY', message);
}
