import type { ErrorCode } from '@corpuscle/core';
import { checkGroup, type Group, knownSize } from './Group.js';

/** A mistake in the groups as they are written, and in which option. */
export interface GroupProblem {
  readonly option: 'group_a' | 'group_b' | 'pair';
  readonly code: ErrorCode;
  readonly message: string;
}

/** Finds the first mistake that can be seen without the particles. `types` may be empty: then they come with a file. */
export function checkGroups(
  groups: { readonly group_a?: Group; readonly group_b?: Group; readonly pair?: boolean },
  types: readonly string[],
): GroupProblem | null {
  for (const option of ['group_a', 'group_b'] as const) {
    const group = groups[option];
    if (group === undefined) continue;
    const message = checkGroup(group);
    if (message !== null) return { option, code: 'INVALID_VALUE', message };
    if (typeof group !== 'string' || group === 'all' || types.length === 0) continue;
    if (!types.includes(group))
      return {
        option,
        code: 'UNKNOWN_TYPE',
        message: `'${group}' is neither all nor a particle type: the types are ${types.join(', ')}`,
      };
  }
  const { group_a: a, group_b: b, pair } = groups;
  if (!pair || a === undefined) return null;
  if (b === undefined)
    return {
      option: 'pair',
      code: 'INVALID_VALUE',
      message: 'pair needs two groups: give group_b, or remove pair',
    };
  const [sizeA, sizeB] = [knownSize(a), knownSize(b)];
  if (sizeA === undefined || sizeB === undefined || sizeA === sizeB) return null;
  return {
    option: 'group_b',
    code: 'INVALID_VALUE',
    message: `pair needs groups of equal size: group_a has ${sizeA} particles, group_b ${sizeB}`,
  };
}
