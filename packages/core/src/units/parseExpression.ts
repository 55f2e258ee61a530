import { didYouMean } from '../error/nearestName.js';
import { limits } from '../io/limits.js';
import type { Dimension } from './Dimension.js';
import { combineDimensions, describeDimension, sameDimension } from './dimensions.js';
import { ExpressionError } from './ExpressionError.js';
import { type Token, tokenize, tooDeep } from './tokenize.js';
import { unitTable } from './unitTable.js';

/**
 * A number with units. The number and the units' SI factor are kept apart, so that "4.0 ang" in angstroms is 4 exactly.
 * `hasUnit` tells "1 m/m" from "1".
 */
export interface Quantity {
  readonly number: number;
  readonly factor: number;
  readonly dimension: Dimension;
  readonly hasUnit: boolean;
}

type Word = Token<'number' | 'name' | 'sign'>;

// 'e-' is the elementary charge where a minus could not be meant: "e-^2", "eV/e-".
const TOKEN =
  /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>e-(?=\s*(?:[)^*/.]|$))|[A-Za-zµÅ_][A-Za-z0-9µÅ_]*)|(?<sign>\*\*|[-+*/^().]))/uy;

/** What to do about a character that cannot be there. */
const remedyIn = (text: string) => (found: string) =>
  found === ',' && DECIMAL_COMMA.test(text)
    ? `: write a decimal point, '${text.replace(DECIMAL_COMMA, '$1.$2')}'`
    : ": write a number and a unit such as '4.0 ang'";

const DECIMAL_COMMA = /(\d),(\d)/;

const FUNCTIONS: ReadonlyMap<string, (x: number) => number> = new Map([
  ['exp', Math.exp],
  ['log', Math.log],
  ['sin', Math.sin],
  ['cos', Math.cos],
  ['tan', Math.tan],
]);
const ROOTS: ReadonlyMap<string, number> = new Map([
  ['sqrt', 1 / 2],
  ['cbrt', 1 / 3],
]);

const plain = (number: number): Quantity => ({ number, factor: 1, dimension: {}, hasUnit: false });

/**
 * Value of an expression of numbers, units and arithmetic: `4.0 ang`, `1e-3 eV/ang^2`, `eV.ang/e-^2`, `pi/4`,
 * `2^(1/6) * 3.4 ang`, `sqrt(2)`.
 *
 *   sum     = product (('+' | '-') product)*
 *   product = sign (('*' | '/' | '.' | nothing) sign)*         left to right: "1/2 ps" is half a picosecond
 *   sign    = ('-' | '+') sign | power
 *   power   = atom (('^' | '**') sign)?
 *   atom    = number | unit | pi | function '(' sum ')' | '(' sum ')'
 *
 * Its length and depth have limits (io/limits.ts).
 *
 * @throws ExpressionError SYNTAX, UNKNOWN_UNIT (with the nearest unit), WRONG_DIMENSION
 */
export function parseExpression(text: string): Quantity {
  return new Parser(text).parse();
}

/** One method a rule of the grammar. */
class Parser {
  readonly #text: string;
  readonly #tokens: readonly Word[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text, TOKEN, 'a number with units', remedyIn(text));
  }

  parse(): Quantity {
    const result = this.#sum();
    const { kind, text, at } = this.#peek;
    if (kind === 'end') return result;
    throw new ExpressionError('SYNTAX', `'${text}' is not expected in '${this.#text}'`, at);
  }

  get #peek(): Word {
    return this.#tokens[this.#at]!;
  }

  #accept(...signs: string[]): Word | undefined {
    const { kind, text } = this.#peek;
    return kind === 'sign' && signs.includes(text) ? this.#tokens[this.#at++] : undefined;
  }

  #sum(): Quantity {
    let left = this.#product();
    for (let sign = this.#accept('+', '-'); sign; sign = this.#accept('+', '-')) {
      const right = this.#product();
      if (!sameDimension(left.dimension, right.dimension)) {
        throw new ExpressionError(
          'WRONG_DIMENSION',
          `'${this.#text}' adds ${describeDimension(left.dimension)} and ${describeDimension(right.dimension)}`,
          sign.at,
        );
      }
      const value = right.number * (right.factor / left.factor);
      left = {
        ...left,
        number: sign.text === '+' ? left.number + value : left.number - value,
        hasUnit: left.hasUnit || right.hasUnit,
      };
    }
    return left;
  }

  #product(): Quantity {
    let left = this.#signed();
    for (;;) {
      const sign = this.#accept('*', '/', '.');
      if (!sign && !this.#startsAtom()) return left;
      const right = this.#signed();
      const power = sign?.text === '/' ? -1 : 1;
      left = {
        number: power === 1 ? left.number * right.number : left.number / right.number,
        factor: power === 1 ? left.factor * right.factor : left.factor / right.factor,
        dimension: combineDimensions(left.dimension, 1, right.dimension, power),
        hasUnit: left.hasUnit || right.hasUnit,
      };
    }
  }

  #startsAtom(): boolean {
    return (
      this.#peek.kind === 'name' ||
      this.#peek.kind === 'number' ||
      (this.#peek.kind === 'sign' && this.#peek.text === '(')
    );
  }

  /** Everything that lies inside something else passes here. */
  #signed(): Quantity {
    if (++this.#depth > limits.expressionDepth) throw tooDeep(this.#peek.at);
    const sign = this.#accept('-', '+');
    const value = sign ? this.#signed() : this.#raised();
    this.#depth--;
    return sign?.text === '-' ? { ...value, number: -value.number } : value;
  }

  #raised(): Quantity {
    const base = this.#atom();
    const sign = this.#accept('^', '**');
    if (!sign) return base;
    const exponent = this.#signed();
    if (exponent.hasUnit) {
      throw new ExpressionError(
        'WRONG_DIMENSION',
        `an exponent in '${this.#text}' has a unit: use a plain number`,
        sign.at,
      );
    }
    return toPower(base, exponent.number);
  }

  #atom(): Quantity {
    const token = this.#peek;
    if (token.kind === 'number') {
      this.#at++;
      return plain(Number(token.text));
    }
    if (this.#accept('(')) return this.#closing(this.#sum());
    if (token.kind !== 'name') {
      const found =
        token.kind === 'end'
          ? 'ends early'
          : `has '${token.text}' where a number or unit is expected`;
      throw new ExpressionError(
        'SYNTAX',
        `'${this.#text}' ${found}: write e.g. '4.0 ang'`,
        token.at,
      );
    }
    this.#at++;
    if (token.text === 'pi') return plain(Math.PI);
    if (this.#peek.text === '(' && (FUNCTIONS.has(token.text) || ROOTS.has(token.text)))
      return this.#call(token);
    const unit = unitTable.get(token.text);
    if (!unit) {
      const [, digits, exponent] = /^([\d.+-]+)[dD]([+-]?\d+)$/.exec(this.#text.trim()) ?? [];
      if (exponent !== undefined)
        throw new ExpressionError(
          'SYNTAX',
          `'${this.#text}' has an exponent as in Fortran: write '${digits}e${exponent}'`,
          0,
        );
      throw new ExpressionError(
        'UNKNOWN_UNIT',
        `unknown unit '${token.text}'${didYouMean(token.text, unitTable.keys(), 'use a unit such as ang, ps, Da, eV or K')}`,
        token.at,
      );
    }
    return { number: 1, factor: unit.factor, dimension: unit.dimension, hasUnit: true };
  }

  #call(name: Word): Quantity {
    this.#at++;
    const value = this.#closing(this.#sum());
    const root = ROOTS.get(name.text);
    if (root !== undefined) return toPower(value, root);
    if (!sameDimension(value.dimension, {})) {
      throw new ExpressionError(
        'WRONG_DIMENSION',
        `${name.text} takes a plain number, not ${describeDimension(value.dimension)}`,
        name.at,
      );
    }
    return plain(FUNCTIONS.get(name.text)!(value.number * value.factor));
  }

  #closing(value: Quantity): Quantity {
    if (this.#accept(')')) return value;
    throw new ExpressionError('SYNTAX', `')' is missing in '${this.#text}'`, this.#peek.at);
  }
}

function toPower(base: Quantity, exponent: number): Quantity {
  const root =
    exponent === 1 / 2 ? Math.sqrt : exponent === 1 / 3 ? Math.cbrt : (x: number) => x ** exponent;
  return {
    number: root(base.number),
    factor: root(base.factor),
    dimension: combineDimensions(base.dimension, exponent),
    hasUnit: base.hasUnit,
  };
}
