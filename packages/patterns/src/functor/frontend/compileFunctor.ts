import type { SourceLocation } from '@corpuscle/core';
import type { FunctorFunction } from '../Functor.js';
import type { FunctorSpec } from '../FunctorSpec.js';
import type { FunctorIR } from '../ir.js';

/** Function and declaration → checked, typed intermediate representation. */
export function compileFunctor(
  _spec: FunctorSpec,
  _fn: FunctorFunction,
  _source: SourceLocation,
): FunctorIR {
  throw new Error('not yet');
}
