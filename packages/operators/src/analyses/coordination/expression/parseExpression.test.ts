import { CorpuscleError, limits } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { custom } from '../switching/custom.js';
import { evaluateExpression } from './compileExpressions.js';
import { parseExpression } from './parseExpression.js';

function refusal(text: string): string {
  try {
    parseExpression(text, 'x');
  } catch (error) {
    expect(error).toBeInstanceOf(CorpuscleError);
    return (error as CorpuscleError).message;
  }
  throw new Error('nothing was refused');
}

describe('formulas that are too much', () => {
  it.each([
    ['parentheses', `${'('.repeat(101)}x`, 101],
    ['signs', `${'-'.repeat(2000)}x`, 101],
    ['powers', `x${'^x'.repeat(1000)}`, 202],
    ['functions', `${'exp('.repeat(900)}x`, 404],
    ['terms', `x${'+x'.repeat(2000)}`, 802],
    ['characters', ' '.repeat(1_000_000), 4097],
  ])('%s are refused with their place', (_, text, place) => {
    expect(refusal(text)).toContain(`character ${place}:`);
  });

  it('formulas at the limit are parsed and differentiated', () => {
    const { expressionDepth, formulaOperators } = limits;
    const parentheses = `${'('.repeat(expressionDepth)}x${')'.repeat(expressionDepth)}`;
    expect(evaluateExpression(parseExpression(parentheses, 'x'), 3)).toBe(3);
    const sum = `x${'+x*x'.repeat(formulaOperators / 2)}`;
    expect(custom(sum, 'x').evaluate(2, 0, 0, 0, 0, 0)).toEqual([2 + 200 * 4, 1 + 200 * 4]);
    const nest = `${'tanh('.repeat(expressionDepth)}x${')'.repeat(expressionDepth)}`;
    expect(custom(nest, 'x').evaluate(0, 0, 0, 0, 0, 0)).toEqual([0, 1]);
  });

  it('signs and powers count for the depth only until they are applied', () => {
    const terms = Array.from({ length: 120 }, () => '(-x)^2').join('+');
    expect(evaluateExpression(parseExpression(terms, 'x'), 2)).toBe(480);
  });
});
