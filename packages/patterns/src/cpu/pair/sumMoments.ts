import type { Grid } from '@corpuscle/core';
import { type Functor, reduceFunctor, withFunctionText } from '@corpuscle/functor';
import type { CallArguments, ReduceCall, Totals } from '../../plan/calls.js';
import type { Moment } from '../../plan/moments.js';
import type { PairServices } from '../CpuServices.js';

/** Σ r_a f over the particles of a grid for each moment, by its field. */
export function sumMoments(services: PairServices, grid: Grid, moments: readonly Moment[]): Totals {
  return services.reduce({ ...plainly, ...sumOf(moments), grid });
}

/** The moments of particles without forces. */
export const noMoments = (moments: readonly Moment[]): Totals => sumOf(moments).initial;

const plainly: CallArguments = { params: {}, asynchronous: false };

const functors = new Map<string, Functor<'reduce'>>();
/** What a list of moments needs: plans ask with the same one in every step. */
const sums = new WeakMap<readonly Moment[], MomentSum>();

type MomentSum = Pick<ReduceCall, 'functor' | 'initial'>;

function sumOf(moments: readonly Moment[]): MomentSum {
  const known = sums.get(moments);
  if (known) return known;
  const initial = Object.fromEntries(moments.map(({ field }) => [field, 0]));
  const made = { functor: sumFunctor(moments), initial };
  sums.set(moments, made);
  return made;
}

function sumFunctor(moments: readonly Moment[]): Functor<'reduce'> {
  const statements = moments.map(
    ({ field, of, along }) => `acc.${field} += i.r${along} * i.${of};`,
  );
  const text = `(acc, i) => { ${statements.join(' ')} }`;
  const known = functors.get(text);
  if (known) return known;
  const read = [...moments.map(({ of }) => of), ...moments.map(({ along }) => `r${along}`)];
  const direct = (acc: Record<string, number>, i: Record<string, number>): void => {
    for (const { field, of, along } of moments) acc[field]! += i[`r${along}`]! * i[of]!;
  };
  const functor = reduceFunctor(
    {
      name: 'moments',
      result: Object.fromEntries(moments.map(({ field }) => [field, 'sum' as const])),
      read: Object.fromEntries(read.map((name) => [name, 'real' as const])),
    },
    withFunctionText(direct as never, text),
  ) as unknown as Functor<'reduce'>;
  functors.set(text, functor);
  return functor;
}
