import {
  type ArrowFunctionExpression,
  type Expression,
  type FunctionExpression,
  parse,
} from 'acorn';
import type { SourceLocation } from '../error/CorpuscleError.js';
import type { FunctorFunction } from '../Functor.js';
import { functionText } from '../functionText.js';
import { SourceText } from './SourceText.js';

export interface ParsedFunction {
  readonly node: FunctionExpression | ArrowFunctionExpression;
  readonly source: SourceText;
  /** Of the library: its calls are calls of the library. */
  readonly builtin?: boolean;
}

/**
 * Parses the text of a function: arrow functions, function expressions and method shorthand. Text is what `toString()`
 * gives, so it has been through whatever bundler, minifier or coverage tool the user runs.
 */
export function parseFunction(
  fn: FunctorFunction,
  owner: string,
  site: SourceLocation,
): ParsedFunction {
  const text = functionText(fn);
  const whole = { start: 0, end: text.length };
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text)) {
    new SourceText(owner, site, text, 0).fail(
      'FUNCTOR_SYNTAX',
      whole,
      'the function is native or bound and has no source text',
      'pass a function written in TypeScript or JavaScript',
    );
  }
  let failure: unknown;
  for (const [prefix, suffix] of [
    ['(', ')'],
    ['({', '})'],
  ] as const) {
    try {
      const program = parse(prefix + text + suffix, { ecmaVersion: 'latest' });
      const statement = program.body[0];
      if (statement?.type !== 'ExpressionStatement') continue;
      const source = new SourceText(owner, site, text, prefix.length);
      return { node: functionOf(statement.expression, source), source };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      failure ??= error;
    }
  }
  const at = (failure as { pos?: number }).pos ?? 1;
  const reason = String((failure as Error).message).replace(/ \(\d+:\d+\)$/, '');
  return new SourceText(owner, site, text, 1).fail(
    'FUNCTOR_SYNTAX',
    { start: at, end: at + 1 },
    `the function's text cannot be parsed: ${reason}`,
    'pass a plain function or arrow function',
  );
}

function functionOf(expression: Expression, source: SourceText): ParsedFunction['node'] {
  let node = expression;
  if (node.type === 'ObjectExpression') {
    const property = node.properties[0];
    if (property?.type === 'Property' && property.kind === 'init') node = property.value;
  }
  if (node.type !== 'FunctionExpression' && node.type !== 'ArrowFunctionExpression') {
    return source.fail('FUNCTOR_SYNTAX', node, 'this is not a function', 'pass a plain function');
  }
  if (node.async || node.generator) {
    const what = node.async ? 'async' : 'a generator';
    return source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `the function is ${what}`,
      'make it a plain function',
    );
  }
  return node;
}
