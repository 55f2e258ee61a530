import { CorpuscleError, didYouMean } from '@corpuscle/core';
import {
  type BinaryOperator,
  binary,
  call,
  type Expression,
  type FunctionName,
  functionNames,
  number,
  variable,
} from './Expression.js';

const TOKEN = /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(.))/y;
const STRENGTH: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '^': 4 };
const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI };

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

/**
 * Parses a formula such as `1/(1+x^6)`: numbers, the variable, + − * / ^ (also **), parentheses, pi and functions. A sign
 * binds less than a power: −x^2 is −(x^2); powers group from the right.
 *
 * @throws CorpuscleError INVALID_VALUE saying what was found, and at which character
 */
export function parseExpression(text: string, variableName: string): Expression {
  return new Parser(text, variableName).parse();
}

class Parser {
  readonly #text: string;
  readonly #variable: string;
  #token: Token = { kind: 'end', text: '', at: 0 };
  #position = 0;

  constructor(text: string, variableName: string) {
    this.#text = text;
    this.#variable = variableName;
  }

  parse(): Expression {
    this.#advance();
    const result = this.#expression(0);
    if (this.#token.kind !== 'end') this.#fail(`'${this.#token.text}' is not expected`);
    return result;
  }

  #expression(least: number): Expression {
    let left = this.#operand();
    for (;;) {
      const { kind, text } = this.#token;
      const strength = kind === 'sign' ? STRENGTH[text] : undefined;
      if (strength === undefined || strength < least) return left;
      this.#advance();
      const right = this.#expression(text === '^' ? strength : strength + 1);
      left = binary(text as BinaryOperator, left, right);
    }
  }

  #operand(): Expression {
    const token = this.#token;
    this.#advance();
    if (token.kind === 'number') return number(Number(token.text));
    if (token.kind === 'name') return this.#named(token);
    if (token.text === '(') return this.#closed();
    if (token.text === '-') return binary('-', number(0), this.#expression(3));
    if (token.text === '+') return this.#expression(3);
    const what = token.kind === 'end' ? 'the end' : `'${token.text}'`;
    return this.#fail(`a number, ${this.#variable} or a function is expected, not ${what}`, token);
  }

  #named(token: Token): Expression {
    const { text } = token;
    if (text === this.#variable) return variable;
    if (Object.hasOwn(CONSTANTS, text)) return number(CONSTANTS[text]!);
    const names: readonly string[] = functionNames;
    if (names.includes(text)) {
      if (this.#token.text !== '(') this.#fail(`'${text}' is a function: write ${text}(…)`, token);
      this.#advance();
      return call(text as FunctionName, this.#closed());
    }
    const known = [this.#variable, ...Object.keys(CONSTANTS), ...names];
    return this.#fail(
      `'${text}' is unknown${didYouMean(text, known)}; there are ${known.join(', ')}`,
      token,
    );
  }

  #closed(): Expression {
    const inner = this.#expression(0);
    if (this.#token.text !== ')') this.#fail("')' is missing");
    this.#advance();
    return inner;
  }

  #advance(): void {
    TOKEN.lastIndex = this.#position;
    const match = TOKEN.exec(this.#text);
    if (!match) {
      this.#token = { kind: 'end', text: '', at: this.#text.length };
      return;
    }
    const [whole, digits, name, sign] = match;
    const text = digits ?? name ?? sign!;
    const at = this.#position + whole.length - text.length;
    this.#position += whole.length;
    const kind = digits !== undefined ? 'number' : name !== undefined ? 'name' : 'sign';
    this.#token = { kind, text, at };
    if (text === '*' && this.#text[this.#position] === '*') {
      this.#position++;
      this.#token = { kind, text: '^', at };
    }
  }

  #fail(problem: string, token: Token = this.#token): never {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the formula "${this.#text}" is wrong at character ${token.at + 1}: ${problem}`,
    );
  }
}
