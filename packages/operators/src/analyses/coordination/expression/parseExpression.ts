import { CorpuscleError, didYouMean } from '@corpuscle/core';
import type * as ohm from 'ohm-js';
import { loadOhm } from '#operators/platform';
import { checkNesting } from './checkNesting.js';
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

// A sign binds less than a power, −x^2 is −(x^2), and more than a product; powers group from the right.
const GRAMMAR = `
  Formula {
    Whole = Sum
    Sum = Sum "+" Product  -- plus
        | Sum "-" Product  -- minus
        | Product
    Product = Product "*" ~"*" Signed  -- times
            | Product "/" Signed  -- over
            | Signed
    Signed = "-" Signed  -- minus
           | "+" Signed  -- plus
           | Power
    Power = Operand ("**" | "^") Signed  -- power
          | Operand
    Operand = "(" Sum ")"       -- group
            | name "(" Sum ")"  -- call
            | name              -- name
            | number
    name (a name) = (letter | "_") (alnum | "_")*
    number (a number) = digits exponent? ~(letter | "_")
    digits = digit+ ("." digit*)?  -- whole
           | "." digit+            -- part
    exponent = ("e" | "E") ("+" | "-")? digit+
  }
`;

const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI };

/** What a formula is made from, for messages. */
interface Source {
  readonly text: string;
  readonly variable: string;
}

interface TreeNode extends ohm.Node {
  tree(source: Source): Expression;
}

interface Action extends TreeNode {
  readonly args: { readonly source: Source };
}

const join = (op: BinaryOperator) =>
  function (this: ohm.Node, left: ohm.Node, _: ohm.Node, right: ohm.Node): Expression {
    const { source } = (this as Action).args;
    return binary(op, (left as TreeNode).tree(source), (right as TreeNode).tree(source));
  };
const inner = (action: ohm.Node, node: ohm.Node): Expression =>
  (node as TreeNode).tree((action as Action).args.source);

const actions: ohm.ActionDict<Expression> = {
  Sum_plus: join('+'),
  Sum_minus: join('-'),
  Product_times: join('*'),
  Product_over: join('/'),
  Power_power: join('^'),
  Signed_minus(_, operand) {
    return binary('-', number(0), inner(this, operand));
  },
  Signed_plus(_, operand) {
    return inner(this, operand);
  },
  Operand_group(_open, sum, _close) {
    return inner(this, sum);
  },
  Operand_call(name, _open, sum, _close) {
    const known = calledFunction(name, (this as Action).args.source);
    return call(known, inner(this, sum));
  },
  Operand_name(name) {
    return named(name, (this as Action).args.source);
  },
  number(_digits, _exponent) {
    return number(Number(this.sourceString));
  },
};

interface Language {
  readonly grammar: ohm.Grammar;
  readonly semantics: ohm.Semantics;
}
let language: Language | undefined;

/** Made when the first formula is met: the library takes longer to load than many a run to start. */
function formulaLanguage(): Language {
  if (!language) {
    const grammar = loadOhm().grammar(GRAMMAR);
    const semantics = grammar.createSemantics().addOperation<Expression>('tree(source)', actions);
    language = { grammar, semantics };
  }
  return language;
}

/**
 * Parses a formula such as `1/(1+x^6)`: numbers, the variable, + − * / ^ (also **), parentheses, pi and functions.
 *
 * @throws CorpuscleError INVALID_VALUE saying what was found, and at which character; also above the limits of length,
 * depth and number of operators
 */
export function parseExpression(text: string, variableName: string): Expression {
  const source: Source = { text, variable: variableName };
  const excess = checkNesting(text);
  if (excess) throw wrong(source, excess.at, excess.message);
  const { grammar, semantics } = formulaLanguage();
  const match = grammar.match(text);
  if (match.failed()) throw problemAt(source, match.getRightmostFailurePosition());
  return semantics(match).tree(source) as Expression;
}

const isFunction = (name: string): name is FunctionName =>
  (functionNames as readonly string[]).includes(name);

function calledFunction(
  { sourceString: name, source: { startIdx } }: ohm.Node,
  source: Source,
): FunctionName {
  if (isFunction(name)) return name;
  if (name === source.variable || Object.hasOwn(CONSTANTS, name))
    throw wrong(source, startIdx, `'${name}' is no function: write ${name} * (…)`);
  throw unknownName(name, startIdx, source);
}

function named({ sourceString: name, source: { startIdx } }: ohm.Node, source: Source): Expression {
  if (name === source.variable) return variable;
  if (Object.hasOwn(CONSTANTS, name)) return number(CONSTANTS[name]!);
  if (isFunction(name)) throw wrong(source, startIdx, `'${name}' is a function: write ${name}(…)`);
  throw unknownName(name, startIdx, source);
}

function unknownName(name: string, at: number, source: Source): CorpuscleError {
  const known = [source.variable, ...Object.keys(CONSTANTS), ...functionNames];
  const hint = didYouMean(name, known);
  return wrong(source, at, `'${name}' is unknown${hint}; there are ${known.join(', ')}`);
}

/** What is wrong where the grammar could not go on. */
function problemAt(source: Source, at: number): CorpuscleError {
  const { text, variable: x } = source;
  const before = text.slice(0, at).trimEnd();
  const found = text.slice(at).trim();
  const next = found === '' ? 'the end' : `'${/^\w+|^./.exec(found)![0]}'`;
  const malformed = /^[\d.][\w.]*/.exec(found);
  if (malformed)
    return wrong(source, at, `'${malformed[0]}' is no number; a product needs its *, as in 2*${x}`);
  if (before === '' || /[-+*/^(]$/.test(before))
    return wrong(source, at, `a number, ${x} or a function is expected, not ${next}`);
  const word = /[A-Za-z_]\w*$/.exec(before);
  if (word && isFunction(word[0]))
    return wrong(source, word.index, `'${word[0]}' is a function: write ${word[0]}(…)`);
  const count = (sign: string) => before.split(sign).length;
  if (found === '' && count('(') > count(')')) return wrong(source, at, "')' is missing");
  return wrong(source, at, `${next} is not expected`);
}

const wrong = ({ text }: Source, at: number, problem: string): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `the formula "${text.length > 200 ? `${text.slice(0, 200)} …` : text}" is wrong at character ${at + 1}: ${problem}`,
  );
