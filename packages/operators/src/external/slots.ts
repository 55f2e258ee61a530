import { type Dimension, dimensions, type EntrySpec } from '@corpuscle/core';

/** Slot of a vector. */
export const vectorSlot = (dimension: Dimension, doc: string) =>
  ({ type: 'list', of: { type: 'quantity', dimension }, length: 3, doc }) as const;

/** Slots of an axis about which something turns. */
export const axisSlots = {
  point: { ...vectorSlot(dimensions.length, 'a point of the axis'), required: true },
  axis: {
    type: 'list',
    of: { type: 'number' },
    length: 3,
    required: true,
    doc: 'its direction',
  },
} as const satisfies Readonly<Record<string, EntrySpec>>;

/** Slot of a length. */
export const lengthSlot = (doc: string) =>
  ({ type: 'quantity', dimension: dimensions.length, doc }) as const satisfies EntrySpec;

export type Vector = readonly [number, number, number];

/** Three numbers of a slot. */
export const vector = (values: readonly number[]): Vector => [values[0]!, values[1]!, values[2]!];
