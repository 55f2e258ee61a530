import type { Grid } from '@corpuscle/core';
import type { PairCall } from '../../pattern/PatternEngine.js';
import { isRepeatablePairs } from './isRepeatable.js';
import { KeptTargets, type Targets } from './KeptTargets.js';
import { type Asked, KnownCall, type Repeated } from './KnownCall.js';

export interface PairsAsked extends Asked {
  readonly rcut: number;
  readonly outputs?: Targets | undefined;
  readonly weights?: unknown;
}

export class KnownPairs extends KnownCall<PairCall> {
  readonly #rcut: number;
  readonly #outputs: KeptTargets;

  constructor(functor: object, options: PairsAsked, repeated: Repeated<PairCall>) {
    super(functor, options, repeated);
    this.#rcut = options.rcut;
    this.#outputs = new KeptTargets(options.outputs);
  }

  is(grid: Grid, functor: object, options: PairsAsked): boolean {
    return this.isOf(grid, functor) && (options === this.fixed || this.#says(options));
  }

  #says(options: PairsAsked): boolean {
    const { params } = options;
    return isRepeatablePairs(options) && this.isLike(options) && this.params.areSame(params);
  }

  /** Whether a call differs at most in its parameters. */
  isLike({ rcut, outputs }: PairsAsked): boolean {
    return this.#rcut === rcut && this.#outputs.areSame(outputs);
  }
}
