import { limits } from '../io/limits.js';
import { ExpressionError } from './ExpressionError.js';

/** A word of an expression, of one of the kinds of its language, or the end. */
export interface Token<K extends string> {
  readonly kind: K | 'end';
  readonly text: string;
  /** Place in the expression. */
  readonly at: number;
}

/**
 * The words of an expression.
 *
 * @param pattern sticky; a word after blanks, in the group named by its kind
 * @param what what the expression is, for messages
 * @param remedyFor what to do about a character that no word begins with
 * @throws ExpressionError SYNTAX
 */
export function tokenize<K extends string>(
  text: string,
  pattern: RegExp,
  what: string,
  remedyFor: (character: string) => string,
): readonly Token<K>[] {
  if (text.length > limits.expressionLength)
    throw new ExpressionError(
      'SYNTAX',
      `${what} has ${text.length} characters: it may have ${limits.expressionLength}`,
      0,
    );
  const tokens: Token<K>[] = [];
  const length = text.trimEnd().length;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < length) {
    const from = pattern.lastIndex;
    const at = from + /^\s*/.exec(text.slice(from))![0].length;
    const match = pattern.exec(text);
    if (!match)
      throw new ExpressionError(
        'SYNTAX',
        `'${text[at]}' is not expected in '${text}'${remedyFor(text[at]!)}`,
        at,
      );
    const [kind, word] = Object.entries(match.groups!).find(([, found]) => found !== undefined)!;
    tokens.push({ kind: kind as K, text: word, at });
  }
  tokens.push({ kind: 'end', text: '', at: length });
  return tokens;
}

/** The error of an expression whose parts lie too deep inside each other. */
export const tooDeep = (at: number): ExpressionError =>
  new ExpressionError(
    'SYNTAX',
    `parentheses, signs and powers lie more than ${limits.expressionDepth} deep inside each other`,
    at,
  );
