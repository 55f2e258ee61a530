import { didYouMean } from '../../error/nearestName.js';
import { combineDimensions, dimensions, sameDimension } from '../../units/dimensions.js';
import { ExpressionError } from '../../units/ExpressionError.js';
import type { UnitSystem } from '../../units/UnitSystem.js';
import { unitTable } from '../../units/unitTable.js';
import { callFunction } from './functions.js';
import type { BinaryOperator, Syntax } from './Syntax.js';
import {
  booleanType,
  describeType,
  type Moment,
  type NumberType,
  numberType,
  type SlotType,
  type Typed,
  textType,
} from './Typed.js';

/** Where names of an expression come from. */
export interface Names {
  /** A slot or global as a part of an expression. @throws ExpressionError WRONG_TYPE for one that holds no such value */
  find(name: string, at: number): Typed | undefined;
  /** All names, for suggestions. */
  all(): Iterable<string>;
}

/** Names that mean something where no slot has them. */
const BUILT_IN: ReadonlyMap<string, Typed> = new Map<string, Typed>([
  ['pi', { type: numberType({}, false, true), isConstant: true, value: () => Math.PI }],
  ['step', { type: numberType({}, true), isConstant: false, value: ({ step }) => step }],
  ['time', { type: numberType(dimensions.time), isConstant: false, value: ({ time }) => time }],
]);
/** Names that expressions know without any slot. */
export const builtInNames: readonly string[] = [...BUILT_IN.keys()];

/**
 * Gives every part of an expression its type, and makes functions of it. Nothing of the text is ever run as code.
 * @throws ExpressionError UNKNOWN_KEY, WRONG_TYPE, WRONG_DIMENSION, UNKNOWN_UNIT
 */
export function compile(syntax: Syntax, names: Names, units: UnitSystem): Typed {
  return new Compiler(names, units).typed(syntax);
}

class Compiler {
  readonly #names: Names;
  readonly #units: UnitSystem;

  constructor(names: Names, units: UnitSystem) {
    this.#names = names;
    this.#units = units;
  }

  typed(syntax: Syntax): Typed {
    switch (syntax.kind) {
      case 'number': {
        const type = numberType({}, Number.isSafeInteger(syntax.value), true);
        return constant(type, syntax.value);
      }
      case 'boolean':
        return constant(booleanType, syntax.value);
      case 'text':
        return constant(textType, syntax.value);
      case 'name':
        return this.#name(syntax);
      case 'unary':
        return this.#unary(syntax);
      case 'binary':
        return this.#binary(syntax);
      case 'call':
        return callFunction(
          syntax.name,
          syntax.at,
          syntax.args.map((arg) => ({ ...this.typed(arg), at: arg.at })),
          (left, right) => this.#alike(left, right, syntax.at),
        );
    }
  }

  #name({ name, at, isUnit }: Extract<Syntax, { kind: 'name' }>): Typed {
    const found = isUnit ? undefined : (this.#names.find(name, at) ?? BUILT_IN.get(name));
    if (found) return this.#inUnits(found);
    const unit = unitTable.get(name);
    if (unit) {
      const isAngle = sameDimension(unit.dimension, {});
      if (this.#units.isReduced && !isAngle)
        throw new ExpressionError(
          'UNKNOWN_UNIT',
          `'${name}' is a unit, but configuration.units is lj: write a plain number, or choose other units`,
          at,
        );
      const factor = isAngle ? unit.factor : this.#units.parseOrThrow(`1 ${name}`, unit.dimension);
      return constant(numberType(unit.dimension), factor);
    }
    const known = isUnit ? unitTable.keys() : new Set([...this.#names.all(), ...builtInNames]);
    throw isUnit
      ? new ExpressionError('UNKNOWN_UNIT', `unknown unit '${name}'${didYouMean(name, known)}`, at)
      : new ExpressionError(
          'UNKNOWN_KEY',
          `nothing before makes '${name}', and no global has this name${didYouMean(name, known)}`,
          at,
        );
  }

  /** In reduced units every quantity is a plain number. */
  #inUnits(part: Typed): Typed {
    if (part.type.kind !== 'number' || !this.#units.isReduced) return part;
    return { ...part, type: { ...part.type, dimension: {} } };
  }

  #unary({ op, operand, at }: Extract<Syntax, { kind: 'unary' }>): Typed {
    const inner = this.typed(operand);
    if (op === 'not') {
      const { value, isConstant } = expected('boolean', inner, 'not', operand.at);
      return { type: booleanType, isConstant, value: (now) => !value(now) };
    }
    const { type, value, isConstant } = expected('number', inner, '-', at);
    return { type, isConstant, value: (now) => -(value(now) as number) };
  }

  #binary({ op, left, right, at }: Extract<Syntax, { kind: 'binary' }>): Typed {
    const a = this.typed(left);
    const b = this.typed(right);
    const isConstant = a.isConstant && b.isConstant;
    if (op === 'and' || op === 'or') {
      expected('boolean', a, op, left.at);
      expected('boolean', b, op, right.at);
      const value =
        op === 'and'
          ? (now: Moment) => a.value(now) && b.value(now)
          : (now: Moment) => a.value(now) || b.value(now);
      return { type: booleanType, isConstant, value };
    }
    if ((op === '==' || op === '!=') && a.type.kind !== 'number' && a.type.kind === b.type.kind) {
      const isSame = op === '==';
      return {
        type: booleanType,
        isConstant,
        value: (now) => (a.value(now) === b.value(now)) === isSame,
      };
    }
    expected('number', a, op, left.at);
    expected('number', b, op, right.at);
    if (op === '*' || op === '/') return product(op, a, b);
    if (op === '^') return power(a, b, at);
    const [x, y, type] = this.#alike(a, b, at);
    if (op === '+' || op === '-' || op === '%')
      return { type, isConstant, value: arithmetic(op, x, y) };
    return { type: booleanType, isConstant, value: comparison(op, x, y) };
  }

  /** Two numbers that are added or compared; one without a unit takes the user's unit of the other. */
  #alike(a: Typed, b: Typed, at: number): [Evaluate, Evaluate, NumberType] {
    const [first, second] = [a.type as NumberType, b.type as NumberType];
    const x = a.value as Evaluate;
    const y = b.value as Evaluate;
    if (sameDimension(first.dimension, second.dimension)) {
      const isInteger = first.isInteger && second.isInteger;
      const isPlain = first.isPlain && second.isPlain;
      return [x, y, { ...first, isInteger, isPlain }];
    }
    if (first.isPlain) {
      const factor = this.#units.toInternal(1, second.dimension);
      return [(now) => x(now) * factor, y, second];
    }
    if (second.isPlain) {
      const factor = this.#units.toInternal(1, first.dimension);
      return [x, (now) => y(now) * factor, first];
    }
    throw new ExpressionError(
      'WRONG_DIMENSION',
      `${describeType(first)} and ${describeType(second)} cannot be added or compared`,
      at,
    );
  }
}

export type Evaluate = (now: Moment) => number;

const constant = (type: SlotType, value: boolean | number | string): Typed => ({
  type,
  isConstant: true,
  value: () => value,
});

/** @throws ExpressionError WRONG_TYPE where a part is something else */
export function expected(kind: SlotType['kind'], part: Typed, what: string, at: number): Typed {
  if (part.type.kind === kind) return part;
  const takes = { boolean: 'true or false', number: 'a number', text: 'a text' }[kind];
  throw new ExpressionError(
    'WRONG_TYPE',
    `'${what}' takes ${takes}, not ${describeType(part.type)}`,
    at,
  );
}

function product(op: '*' | '/', a: Typed, b: Typed): Typed {
  const [first, second] = [a.type as NumberType, b.type as NumberType];
  const x = a.value as Evaluate;
  const y = b.value as Evaluate;
  const isTimes = op === '*';
  return {
    type: {
      kind: 'number',
      dimension: combineDimensions(first.dimension, 1, second.dimension, isTimes ? 1 : -1),
      isInteger: isTimes && first.isInteger && second.isInteger,
      isPlain: first.isPlain && second.isPlain,
    },
    isConstant: a.isConstant && b.isConstant,
    value: isTimes ? (now) => x(now) * y(now) : (now) => x(now) / y(now),
  };
}

function power(a: Typed, b: Typed, at: number): Typed {
  const [base, exponent] = [a.type as NumberType, b.type as NumberType];
  if (!sameDimension(exponent.dimension, {}))
    throw new ExpressionError('WRONG_DIMENSION', 'an exponent has a unit: use a plain number', at);
  const isPlainBase = sameDimension(base.dimension, {});
  if (!isPlainBase && !exponent.isPlain)
    throw new ExpressionError(
      'WRONG_DIMENSION',
      `the exponent of ${describeType(base)} must be a number that is written there`,
      at,
    );
  const x = a.value as Evaluate;
  const y = b.value as Evaluate;
  const dimension = isPlainBase ? {} : combineDimensions(base.dimension, y({ step: 0, time: 0 }));
  return {
    type: { ...numberType(dimension), isPlain: base.isPlain && exponent.isPlain },
    isConstant: a.isConstant && b.isConstant,
    value: (now) => x(now) ** y(now),
  };
}

function arithmetic(op: '+' | '-' | '%', x: Evaluate, y: Evaluate): Evaluate {
  if (op === '+') return (now) => x(now) + y(now);
  if (op === '-') return (now) => x(now) - y(now);
  return (now) => x(now) % y(now);
}

function comparison(op: BinaryOperator, x: Evaluate, y: Evaluate): (now: Moment) => boolean {
  switch (op) {
    case '<':
      return (now) => x(now) < y(now);
    case '<=':
      return (now) => x(now) <= y(now);
    case '>':
      return (now) => x(now) > y(now);
    case '>=':
      return (now) => x(now) >= y(now);
    case '==':
      return (now) => x(now) === y(now);
    default:
      return (now) => x(now) !== y(now);
  }
}
