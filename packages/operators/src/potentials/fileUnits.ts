import { dimensions, type LoadContext } from '@corpuscle/core';
import type { TableUnits } from './tabulated/readPairTable.js';

/** The user's units in simulation units, for files that are written in them. */
export function fileUnits({ configuration }: Pick<LoadContext, 'configuration'>): TableUnits {
  const { units } = configuration;
  return {
    length: units.toInternal(1, dimensions.length),
    energy: units.toInternal(1, dimensions.energy),
  };
}

/** The element of every particle type: what `elements` says, otherwise its own name. */
export function elementsOf(
  types: readonly string[],
  elements: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return Object.fromEntries(types.map((type) => [type, elements?.[type] ?? type]));
}

/** A slot that tells the elements of particle types. */
export const elementsSlot = {
  type: 'record',
  of: { type: 'string' },
  doc: 'the element in the file for each particle type, { A: Si }; default: its name',
} as const;
