import { CorpuscleError } from '@corpuscle/core';
import { withFunctionText } from '@corpuscle/patterns';
import { evaluateExpression, expressionsText } from '../expression/compileExpressions.js';
import { differentiate } from '../expression/differentiate.js';
import { binary, number } from '../expression/Expression.js';
import { parseExpression } from '../expression/parseExpression.js';
import { noParameters, type Shape } from './Shape.js';

const shapes = new Map<string, Shape>();
/** Formulas whose compiled form is kept. */
const KEPT = 64;

/**
 * A formula of x = (r − D_0)/R_0, or of x2 = (r/R_0)², differentiated symbolically and compiled as functors are.
 *
 * @throws CorpuscleError INVALID_VALUE when it cannot be parsed
 * @example custom('1/(1+x^6)', 'x')
 */
export function custom(formula: string, variable: 'x' | 'x2'): Shape {
  const key = `${variable} ${formula}`;
  let shape = shapes.get(key);
  if (!shape) {
    shape = compile(formula, variable);
    if (shapes.size >= KEPT) shapes.clear();
    shapes.set(key, shape);
  }
  return shape;
}

function compile(formula: string, variable: 'x' | 'x2'): Shape {
  const value = parseExpression(formula, variable);
  const squared = variable === 'x2';
  const derivative = differentiate(value);
  // (ds/dx)/x = 2 ds/dx²
  const slope = squared ? binary('*', number(2), derivative) : derivative;
  const text = expressionsText([value, slope], ['x', 'a', 'b', 'c', 'n', 'm']);
  if (/Infinity|NaN/.test(text))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the formula "${formula}" has a part that is no finite number, whatever ${variable} is: correct it`,
    );
  const evaluate = withFunctionText(
    (x: number, _a: number, _b: number, _c: number, _n: number, _m: number) =>
      [evaluateExpression(value, x), evaluateExpression(slope, x)] as const,
    text,
  );
  return { name: `custom_${variable}`, squared, evaluate, parameters: noParameters };
}

/** Which variable a formula speaks of; null when neither occurs. */
export function variableOf(formula: string): 'x' | 'x2' | null {
  const names: readonly string[] = formula.match(/[A-Za-z_]\w*/g) ?? [];
  if (names.includes('x2')) return 'x2';
  return names.includes('x') ? 'x' : null;
}
