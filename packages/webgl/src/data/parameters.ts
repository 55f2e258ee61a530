import { CorpuscleError } from '@corpuscle/core';
import type { FunctorIR } from '@corpuscle/patterns';

/** Integers and element numbers are floats in gpu.js, exact up to here. */
export const exactLimit = 2 ** 24;

export interface Parameter {
  readonly name: string;
  readonly table: boolean;
}

export const parametersOf = (ir: FunctorIR): Parameter[] =>
  Object.entries(ir.roles.p ?? {}).map(([name, { array }]) => ({ name, table: array }));

/**
 * Parameters as one array:
 *
 *   [ scalar | offset last | scalar | … | elements of the first table | elements of the second | … | padding ]
 *
 * A scalar takes one place at the front, a table two: where its elements begin, and the number of its last one.
 */
export function packParameters(
  parameters: readonly Parameter[],
  values: Readonly<Record<string, number | ArrayLike<number>>>,
): Float32Array {
  const head: number[] = [];
  const tail: number[] = [];
  const front = parameters.reduce((sum, { table }) => sum + (table ? 2 : 1), 0);
  for (const { name, table } of parameters) {
    const value = values[name]!;
    if (!table) {
      head.push(value as number);
      continue;
    }
    const elements = Array.from(value as ArrayLike<number>);
    head.push(front + tail.length, Math.max(0, elements.length - 1));
    tail.push(...(elements.length > 0 ? elements : [0]));
  }
  const packed = [...head, ...tail];
  while (packed.length < 4) packed.push(0); // gpu.js cannot upload an empty array
  checkLength(packed.length, 'the parameters');
  return Float32Array.from(packed);
}

/** @throws CorpuscleError OUT_OF_MEMORY where an array has more elements than gpu.js can number. */
export function checkLength(length: number, what: string): void {
  if (length < exactLimit) return;
  throw new CorpuscleError(
    'OUT_OF_MEMORY',
    `${what} need ${length} elements, and gpu.js numbers them up to ${exactLimit}: take fewer particles or a smaller cutoff, or run with backend cpu or webgpu`,
  );
}
