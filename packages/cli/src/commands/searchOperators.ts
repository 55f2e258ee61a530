import type { OperatorReference } from '@corpuscle/core';
import type { Described } from '../output/describeOperator.js';

/** Operators that speak of something. */
export interface Found {
  /** In their names, and what is said of them in a sentence or two. */
  readonly near: readonly Described[];
  /** In what is said of their slots, their theory and literature. */
  readonly far: readonly Described[];
}

/** Looks for operators in which all words begin that a text has: `thermostat`, `bond energy`. */
export function searchOperators(
  text: string,
  all: readonly Described[],
  referenceOf: (name: string) => OperatorReference | undefined,
): Found {
  const words = text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const has = (...texts: readonly string[]): boolean => {
    const said = ` ${texts.join(' ').toLowerCase()}`;
    return words.every((word) => new RegExp(`[^\\p{L}\\d]${word}`, 'u').test(said));
  };
  const near = all.filter(({ name, doc }) => has(name, doc));
  const far = all.filter((operator) => {
    if (near.includes(operator)) return false;
    const { theory = '', literature = [] } = referenceOf(operator.name) ?? {};
    const slots = Object.values(operator.slots).map(({ doc = '' }) => doc);
    return has(operator.name, operator.doc, theory, ...slots, JSON.stringify(literature));
  });
  return words.length > 0 ? { near, far } : { near: [], far: [] };
}
