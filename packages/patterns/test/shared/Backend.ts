import type { SharedHeap } from '@corpuscle/core';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';

/** A backend that shared test bodies run on. */
export interface Backend {
  readonly name: string;
  open(heap?: SharedHeap): Promise<ExecutionContext>;
  /** Relative tolerance of elementary arithmetic on it: 0 where results must equal the direct call bit for bit. */
  readonly tolerance: number;
  /** Relative tolerance where exp, log, pow, sin, cos or tanh occur. */
  readonly mathTolerance: number;
  /** Takes one of so many combinations, where kernels compile slowly. Default: all. */
  readonly every?: number;
  /** How often sums are made that shall have the same bits. Default: 20. */
  readonly repeats?: number;
  /** Leaves out what another backend with the same kernels has, but for the precision of pairs. */
  readonly isBrief?: boolean;
}
