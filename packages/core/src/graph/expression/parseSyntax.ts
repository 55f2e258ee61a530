import { limits } from '../../io/limits.js';
import { ExpressionError } from '../../units/ExpressionError.js';
import { type Token, tokenize, tooDeep } from '../../units/tokenize.js';
import type { BinaryOperator, Syntax } from './Syntax.js';

type Word = Token<'number' | 'text' | 'name' | 'sign'>;

const TOKEN =
  /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[A-Za-zµÅ_][A-Za-z0-9µÅ_]*)|'(?<text>[^']*)'|(?<sign>\*\*|&&|\|\||[<>=!]=|[-+*/%^()<>!,]))/uy;

const remedyFor = (character: string) => (character === '=' ? ': == compares' : '');

/** Operators from those that bind least; each level groups from the left. */
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  ['<', '<=', '>', '>=', '==', '!='],
  ['+', '-'],
  ['*', '/', '%'],
];
const COMPARISON = 2;
const PRODUCT = 4;

const SAME: Readonly<Record<string, string>> = { '||': 'or', '&&': 'and', '**': '^', '!': 'not' };
const WORDS = ['or', 'and', 'not', 'true', 'false'];

/**
 * Parses an expression of slots and globals: `step % 100 == 0 and measured_temperature > 2`.
 *
 *   or · and · not · one comparison · + - · * / % · sign · ^ · number unit, true, 'text', name, function(…), (…)
 *
 * Its length, depth and number of parts have limits (io/limits.ts).
 * @throws ExpressionError SYNTAX with the place in the text
 */
export function parseSyntax(text: string): Syntax {
  return new SyntaxParser(text).parse();
}

class SyntaxParser {
  readonly #text: string;
  readonly #tokens: readonly Word[];
  #next = 0;
  #depth = 0;
  #operators = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text, TOKEN, 'an expression', remedyFor);
  }

  parse(): Syntax {
    const whole = this.#level(0);
    const { kind, text, at } = this.#peek;
    if (kind === 'end') return whole;
    throw new ExpressionError('SYNTAX', `'${text}' is not expected in '${this.#text}'`, at);
  }

  get #peek(): Word {
    return this.#tokens[this.#next]!;
  }

  /** The sign or word that comes next, if it is one of these. */
  #accept<S extends string>(...signs: readonly S[]): { op: S; at: number } | undefined {
    const { kind, text, at } = this.#peek;
    if (kind !== 'sign' && kind !== 'name') return undefined;
    const op = (SAME[text] ?? text) as S;
    if (!signs.includes(op)) return undefined;
    this.#next++;
    return { op, at };
  }

  #level(level: number): Syntax {
    if (level === COMPARISON) {
      const not = this.#accept('not');
      if (not)
        return {
          kind: 'unary',
          op: 'not',
          at: not.at,
          operand: this.#inside(() => this.#level(COMPARISON)),
        };
    }
    let left = level === PRODUCT ? this.#signed() : this.#level(level + 1);
    for (;;) {
      const sign = this.#accept(...LEVELS[level]!);
      if (!sign && level === PRODUCT && left.kind === 'number' && this.#isName) {
        left = this.#joined('*', this.#peek.at, left, this.#raised(true));
        continue;
      }
      if (!sign) return left;
      const right = level === PRODUCT ? this.#signed() : this.#level(level + 1);
      left = this.#joined(sign.op, sign.at, left, right);
      if (level === COMPARISON) return left;
    }
  }

  #joined(op: BinaryOperator, at: number, left: Syntax, right: Syntax): Syntax {
    if (++this.#operators > limits.formulaOperators)
      throw new ExpressionError(
        'SYNTAX',
        `an expression has more than ${limits.formulaOperators} operators`,
        at,
      );
    return { kind: 'binary', op, at, left, right };
  }

  get #isName(): boolean {
    const { kind, text } = this.#peek;
    return kind === 'name' && !WORDS.includes(text);
  }

  /** Everything that lies inside something else passes here. */
  #inside(make: () => Syntax): Syntax {
    if (++this.#depth > limits.expressionDepth) throw tooDeep(this.#peek.at);
    const made = make();
    this.#depth--;
    return made;
  }

  #signed(): Syntax {
    const sign = this.#accept('-', '+', 'not');
    if (!sign) return this.#raised(false);
    const operand = this.#inside(() => this.#signed());
    return sign.op === '+' ? operand : { kind: 'unary', op: sign.op, at: sign.at, operand };
  }

  #raised(isUnit: boolean): Syntax {
    const base = this.#atom(isUnit);
    const sign = this.#accept('^');
    return sign
      ? this.#joined(
          '^',
          sign.at,
          base,
          this.#inside(() => this.#signed()),
        )
      : base;
  }

  #atom(isUnit: boolean): Syntax {
    const { kind, text, at } = this.#peek;
    if (kind === 'end' || (kind === 'sign' && text !== '(')) {
      const found = kind === 'end' ? 'ends early' : `has '${text}' where a value is expected`;
      throw new ExpressionError('SYNTAX', `'${this.#text}' ${found}`, at);
    }
    this.#next++;
    if (kind === 'number') return { kind, at, value: Number(text) };
    if (kind === 'text') return { kind, at, value: text };
    if (kind === 'sign') return this.#inside(() => this.#closed(this.#level(0)));
    if (text === 'true' || text === 'false') return { kind: 'boolean', at, value: text === 'true' };
    if (WORDS.includes(text))
      throw new ExpressionError(
        'SYNTAX',
        `'${text}' stands where a value is expected in '${this.#text}'`,
        at,
      );
    if (!isUnit && this.#peek.text === '(' && this.#peek.kind === 'sign')
      return this.#call(text, at);
    return { kind: 'name', at, name: text, isUnit };
  }

  #call(name: string, at: number): Syntax {
    this.#next++;
    const args: Syntax[] = [];
    do args.push(this.#inside(() => this.#level(0)));
    while (this.#accept(','));
    return this.#closed({ kind: 'call', at, name, args });
  }

  #closed(inner: Syntax): Syntax {
    if (this.#accept(')')) return inner;
    throw new ExpressionError('SYNTAX', `')' is missing in '${this.#text}'`, this.#peek.at);
  }
}
