import { type Dimension, dimensions, type EntrySpec } from '@corpuscle/core';

/** Slot of a vector. */
export const vectorSlot = (dimension: Dimension, doc: string) =>
  ({ type: 'list', of: { type: 'quantity', dimension }, length: 3, doc }) as const;

/** Slot of a length. */
export const lengthSlot = (doc: string) =>
  ({ type: 'quantity', dimension: dimensions.length, doc }) as const satisfies EntrySpec;

/** Three numbers of a slot. */
export const vector = (values: readonly number[]): readonly [number, number, number] => [
  values[0]!,
  values[1]!,
  values[2]!,
];
