import type { Grid } from '@corpuscle/core';
import type { FunctorSpec } from '@corpuscle/functor';
import { type Functor, reduceFunctor, withFunctionText } from '@corpuscle/functor';
import type { CallArguments, Totals } from '../../plan/calls.js';
import type { PairServices } from '../CpuServices.js';
import type { PairOutput } from './PairPlan.js';

/**
 * A total Σ factor · d_a f over pairs, of what central particles receive, as a virial is. With half lists and f odd it needs no work
 * for each pair: d = r_i + s − r_j, where s is the shift of the entry's image, and f on i and −f on j add up to what particles receive:
 *
 *   Σ over pairs d_a f  =  Σ over particles r_a Δf  +  Σ over entries with an image s_a f
 *
 * The errors of rounding are those of the positions in d.
 */
export interface Moment {
  readonly field: string;
  /** What particles receive, and the component of d that it is multiplied by. */
  readonly of: string;
  readonly along: 'x' | 'y' | 'z';
  readonly factor: number;
}

/** Which outputs of a call with half lists are moments of others that go to particles. */
export function momentsOf(spec: FunctorSpec, outputs: readonly PairOutput[]): Moment[] {
  const derived = spec.kind === 'pair' ? (spec.derived ?? {}) : {};
  return outputs.flatMap(({ field, place }) => {
    const follows = derived[field];
    const origin = outputs.find((output) => output.field === follows?.of);
    if (!follows || place || !origin?.place || origin.parity !== 'odd') return [];
    return [{ field, of: follows.of, along: follows.along, factor: follows.factor }];
  });
}

/** Σ r_a f over the particles of a grid for each moment, by its field. */
export function sumMoments(services: PairServices, grid: Grid, moments: readonly Moment[]): Totals {
  const functor = sumFunctor(moments);
  const initial = Object.fromEntries(moments.map(({ field }) => [field, 0]));
  return services.reduce({ ...plainly, functor, grid, initial });
}

const plainly: CallArguments = { params: {}, asynchronous: false };

const functors = new Map<string, Functor<'reduce'>>();

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
