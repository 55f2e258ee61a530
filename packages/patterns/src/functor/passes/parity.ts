import type { FunctorIR } from '../ir.js';

export type Parity = 'odd' | 'even';

/** Proves of each output whether it is odd or even when i and j change places; an output without parity is an error. */
export function parity(_ir: FunctorIR): Map<string, Parity> {
  throw new Error('not yet');
}
