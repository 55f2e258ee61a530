import { didYouMean } from '../../error/nearestName.js';
import { combineDimensions, sameDimension } from '../../units/dimensions.js';
import { ExpressionError } from '../../units/ExpressionError.js';
import { describeType, type Moment, type NumberType, numberType, type Typed } from './Typed.js';

/** Functions of a plain number. */
const PLAIN = {
  exp: Math.exp,
  log: Math.log,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
} as const;
/** Functions of a number that give whole ones. */
const WHOLE = { floor: Math.floor, ceil: Math.ceil, round: Math.round } as const;
const ROOTS = { sqrt: [Math.sqrt, 1 / 2], cbrt: [Math.cbrt, 1 / 3] } as const;
const TWO = { min: Math.min, max: Math.max } as const;

const NAMES = [PLAIN, WHOLE, ROOTS, TWO].flatMap(Object.keys).concat('abs');

type Argument = Typed & { readonly at: number };
type Evaluate = (now: Moment) => number;
/** Brings two numbers to one unit. */
type Alike = (left: Typed, right: Typed) => [Evaluate, Evaluate, NumberType];

/** A call of a function. @throws ExpressionError UNKNOWN_KEY, INVALID_VALUE, WRONG_TYPE, WRONG_DIMENSION */
export function callFunction(
  name: string,
  at: number,
  args: readonly Argument[],
  alike: Alike,
): Typed {
  if (!NAMES.includes(name))
    throw new ExpressionError(
      'UNKNOWN_KEY',
      `there is no function '${name}'${didYouMean(name, NAMES)}`,
      at,
    );
  const count = name in TWO ? 2 : 1;
  if (args.length !== count)
    throw new ExpressionError(
      'INVALID_VALUE',
      `${name} takes ${count === 1 ? 'one number' : 'two numbers'}, not ${args.length}`,
      at,
    );
  for (const arg of args)
    if (arg.type.kind !== 'number')
      throw new ExpressionError(
        'WRONG_TYPE',
        `${name} takes a number, not ${describeType(arg.type)}`,
        arg.at,
      );
  return applied(name, args, alike);
}

function applied(name: string, args: readonly Argument[], alike: Alike): Typed {
  const [first, second] = args as readonly [Argument, Argument?];
  const type = first.type as NumberType;
  const x = first.value as Evaluate;
  const { isConstant } = first;
  if (second) {
    const [u, v, common] = alike(first, second);
    const choose = TWO[name as keyof typeof TWO];
    return {
      type: common,
      isConstant: isConstant && second.isConstant,
      value: (now) => choose(u(now), v(now)),
    };
  }
  if (name === 'abs') return { type, isConstant, value: (now) => Math.abs(x(now)) };
  if (name in ROOTS) {
    const [root, power] = ROOTS[name as keyof typeof ROOTS];
    const dimension = combineDimensions(type.dimension, power);
    return {
      type: numberType(dimension, false, type.isPlain),
      isConstant,
      value: (now) => root(x(now)),
    };
  }
  if (!sameDimension(type.dimension, {}))
    throw new ExpressionError(
      'WRONG_DIMENSION',
      `${name} takes a plain number, not ${describeType(type)}`,
      first.at,
    );
  if (name in WHOLE) {
    const round = WHOLE[name as keyof typeof WHOLE];
    return {
      type: numberType({}, true, type.isPlain),
      isConstant,
      value: (now) => round(x(now)),
    };
  }
  const compute = PLAIN[name as keyof typeof PLAIN];
  return { type: numberType({}, false, type.isPlain), isConstant, value: (now) => compute(x(now)) };
}
