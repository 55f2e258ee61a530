/** Operators between two values, and how tightly they bind. */
export type BinaryOperator =
  | 'or'
  | 'and'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^';

/** An expression as it is written; `at` is its place in the text. */
export type Syntax = { readonly at: number } & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** `isUnit`: it follows a number, so that it can be nothing but a unit. */
  | { readonly kind: 'name'; readonly name: string; readonly isUnit: boolean }
  | { readonly kind: 'unary'; readonly op: '-' | 'not'; readonly operand: Syntax }
  | {
      readonly kind: 'binary';
      readonly op: BinaryOperator;
      readonly left: Syntax;
      readonly right: Syntax;
    }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Syntax[] }
);

/** The names that an expression speaks of: slots, globals, units. */
export function* namesIn(syntax: Syntax): Generator<string> {
  if (syntax.kind === 'name') yield syntax.name;
  if (syntax.kind === 'unary') yield* namesIn(syntax.operand);
  if (syntax.kind === 'call') for (const arg of syntax.args) yield* namesIn(arg);
  if (syntax.kind === 'binary') {
    yield* namesIn(syntax.left);
    yield* namesIn(syntax.right);
  }
}
