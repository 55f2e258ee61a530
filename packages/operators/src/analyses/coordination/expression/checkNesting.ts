import { limits } from '@corpuscle/core';

/** What is too much in a formula, and at which character, from 0. */
export interface Excess {
  readonly at: number;
  readonly message: string;
}

const SIGNS = /\*\*|[-+*/^()]/g;

/**
 * Whether a formula can be parsed by recursion. Nesting counts open parentheses, and the signs and powers that stand before
 * what they act on: `-(2^-x)` is 4 deep.
 */
export function checkNesting(text: string): Excess | null {
  const { expressionLength, expressionDepth, formulaOperators } = limits;
  if (text.length > expressionLength)
    return { at: expressionLength, message: `it has more than ${expressionLength} characters` };
  /** Signs and powers under way, at each level of parentheses. */
  const pending = [0];
  let depth = 0;
  let operators = 0;
  /** Whether what stands before a sign is something it can join: `x -` does, `(-` and `*-` do not. */
  let afterOperand = false;
  let end = 0;
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    const joins = afterOperand || text.slice(end, index).trim() !== '';
    end = index + sign.length;
    afterOperand = sign === ')';
    if (sign === '(') {
      pending.push(0);
      depth++;
    } else if (sign === ')') {
      if (pending.length > 1) depth -= pending.pop()! + 1;
    } else {
      operators++;
      const top = pending.length - 1;
      const goesDeeper = !joins || sign === '^' || sign === '**';
      depth += goesDeeper ? 1 : -pending[top]!;
      pending[top] = goesDeeper ? pending[top]! + 1 : 0;
    }
    if (depth > expressionDepth)
      return {
        at: index,
        message: `parentheses, signs and powers lie more than ${expressionDepth} deep inside each other`,
      };
    if (operators > formulaOperators)
      return { at: index, message: `it has more than ${formulaOperators} operators` };
  }
  return null;
}
