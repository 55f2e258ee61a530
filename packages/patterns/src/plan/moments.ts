import type { FunctorSpec } from '@corpuscle/functor';

/**
 * A total Σ factor · d_a f over pairs, of what central particles receive, as a virial is. Where f is odd it needs no work for each
 * pair: d = r_i + s − r_j, where s is the shift of the entry's image, and f on i and −f on j add up to what particles receive:
 *
 *   half lists    Σ over pairs d_a f  =  Σ over particles r_a Δf  +  Σ over entries with an image s_a f
 *   full lists    the same, with twice the first sum
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

/** An output of a call: where it goes among the fields of particles, null for a total alone. */
interface MomentOutput {
  readonly field: string;
  readonly place: unknown;
  readonly parity: 'odd' | 'even';
}

/** Which outputs of a call with `newton3` are moments of others that go to particles. */
export function momentsOf(spec: FunctorSpec, outputs: readonly MomentOutput[]): Moment[] {
  const derived = spec.kind === 'pair' ? (spec.derived ?? {}) : {};
  return outputs.flatMap(({ field, place }) => {
    const follows = derived[field];
    const origin = outputs.find((output) => output.field === follows?.of);
    if (!follows || place || !origin?.place || origin.parity !== 'odd') return [];
    return [{ field, of: follows.of, along: follows.along, factor: follows.factor }];
  });
}
