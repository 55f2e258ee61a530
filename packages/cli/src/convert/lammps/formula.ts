import { Unmapped } from './Unmapped.js';

const FUNCTIONS: Readonly<Record<string, (...x: number[]) => number>> = {
  ...{ sqrt: Math.sqrt, exp: Math.exp, ln: Math.log, log: Math.log10, abs: Math.abs },
  ...{ sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos },
  ...{ atan: Math.atan, atan2: Math.atan2, floor: Math.floor, ceil: Math.ceil },
  round: (x) => Math.sign(x!) * Math.round(Math.abs(x!)),
};
const CONSTANTS: Readonly<Record<string, number>> = { PI: Math.PI };

type Operation = (a: number, b: number) => number;
/** Operators by precedence, the weakest first; all are taken from left to right, `^` too. */
const LEVELS: readonly Readonly<Record<string, Operation>>[] = [
  { '||': (a, b) => Number(a !== 0 || b !== 0) },
  { '&&': (a, b) => Number(a !== 0 && b !== 0) },
  { '==': (a, b) => Number(a === b), '!=': (a, b) => Number(a !== b) },
  {
    ...{ '<=': (a: number, b: number) => Number(a <= b), '<': (a, b) => Number(a < b) },
    ...{ '>=': (a: number, b: number) => Number(a >= b), '>': (a, b) => Number(a > b) },
  },
  { '+': (a, b) => a + b, '-': (a, b) => a - b },
  { '*': (a, b) => a * b, '/': (a, b) => a / b, '%': (a, b) => a % b },
  { '^': (a, b) => a ** b },
];
const TOKEN =
  /\s*(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|[|&=!<>]{2}|[^\s])/y;
/** Parentheses, signs and functions inside each other. */
const DEPTH = 60;
const LENGTH = 4096;

/**
 * The value of a formula of LAMMPS' equal-style variables, without keywords of a run.
 * @param variable the value of `v_name`; throws where there is none
 * @throws Unmapped for keywords, functions and characters that have no meaning before a run
 * @example
 * evaluate('2*(1+v_n)^2', () => 3); // 32
 */
export function evaluate(text: string, variable: (name: string) => number): number {
  if (text.length > LENGTH) throw new Unmapped(`a formula of more than ${LENGTH} characters`);
  const tokens = tokensOf(text);
  let at = 0;
  let depth = 0;
  const fail = (): never => {
    throw new Unmapped(`'${text}' is no formula that has a value before the run`);
  };
  const take = (expected: string): void => {
    if (tokens[at++] !== expected) fail();
  };
  function level(k: number): number {
    if (k === LEVELS.length) return unary();
    let value = level(k + 1);
    for (;;) {
      const operator = LEVELS[k]![tokens[at] ?? ''];
      if (!operator || !Object.hasOwn(LEVELS[k]!, tokens[at]!)) return value;
      at++;
      value = operator(value, level(k + 1));
    }
  }
  function unary(): number {
    if (++depth > DEPTH) fail();
    const value = signed();
    depth--;
    return value;
  }
  function signed(): number {
    const token = tokens[at++] ?? fail();
    if (token === '-') return -unary();
    if (token === '+') return unary();
    if (token === '!') return Number(unary() === 0);
    if (token === '(') {
      const value = level(0);
      take(')');
      return value;
    }
    if (/^[\d.]/.test(token)) return Number(token);
    if (token.startsWith('v_')) return variable(token.slice(2));
    if (Object.hasOwn(CONSTANTS, token)) return CONSTANTS[token]!;
    if (!Object.hasOwn(FUNCTIONS, token) || tokens[at] !== '(') return fail();
    const given: number[] = [];
    do {
      at++;
      given.push(level(0));
    } while (tokens[at] === ',');
    take(')');
    if (given.length !== FUNCTIONS[token]!.length) fail();
    return FUNCTIONS[token]!(...given);
  }
  const value = level(0);
  if (at !== tokens.length || !Number.isFinite(value)) fail();
  return value;
}

/**
 * Whether the condition of an `if` holds; words are compared as words.
 * @throws Unmapped for what has no value before a run
 * @example
 * holds('water != ice && 2 > 1'); // true
 */
export function holds(text: string): boolean {
  const word = String.raw`(?<![\w.])([A-Za-z_][\w./+-]*)`;
  const words = new RegExp(String.raw`${word}\s*([=!]=)\s*${word}`, 'g');
  const numbers = text.replace(words, (_, a: string, operator: string, b: string) =>
    String(Number((a === b) === (operator === '=='))),
  );
  const none = (name: string): never => {
    throw new Unmapped(`v_${name} is no number: write $\{${name}} in a condition`);
  };
  return evaluate(numbers, none) !== 0;
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const match = TOKEN.exec(text);
    if (!match) break;
    tokens.push(match[1]!);
  }
  return tokens;
}
