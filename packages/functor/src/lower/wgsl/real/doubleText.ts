import type { CompareOp } from '../../../ir.js';
import { doubleLiteral } from '../double/splitDouble.js';
import { doubleBinary, gatherText } from './doubleSums.js';
import type { RealText } from './RealText.js';

const COMPARISONS: Record<CompareOp, (a: string, b: string) => string> = {
  '<': (a, b) => `ds_less(${a}, ${b})`,
  '>': (a, b) => `ds_less(${b}, ${a})`,
  '<=': (a, b) => `ds_at_most(${a}, ${b})`,
  '>=': (a, b) => `ds_at_most(${b}, ${a})`,
  '==': (a, b) => `ds_equal(${a}, ${b})`,
  '!=': (a, b) => `(!ds_equal(${a}, ${b}))`,
};

/** `real` = double-single, a vec2f (high, low): functions `ds_…` of the library in `lower/wgsl/double`. */
export const doubleText: RealText = {
  name: 'f64',
  type: 'vec2f',
  vector: 'mat2x4f',
  literal(value) {
    if (Number.isFinite(Math.fround(value))) return doubleLiteral(value);
    if (Number.isNaN(value)) return 'vec2f(ds_nan(), 0.0f)';
    return `vec2f(${value < 0 ? '-' : ''}ds_infinity(), 0.0f)`;
  },
  component(field) {
    const at = field === 'r2' ? 'w' : field;
    return `vec2f(d[0].${at}, d[1].${at})`;
  },
  binary: doubleBinary,
  compare: (op, left, right) => COMPARISONS[op](left, right),
  // What is beyond floats is infinite or NaN in the high part; the low part follows it.
  test: (name, value, support) => `${support.test(name)}((${value}).x)`,
  math(name, args) {
    if (name === 'fround') return `vec2f((${args[0]}).x, 0.0f)`;
    const suffix = name === 'hypot' ? `_${args.length}` : '';
    return `ds_${name}${suffix}(${args.join(', ')})`;
  },
  power: (x, n) => `ds_power_${n < 0 ? 'm' : ''}${Math.abs(n)}(${x})`,
  fromInt: (type, value) => `ds_from_${type}(${value})`,
  toInt: (type, value) => `ds_to_${type}(${value})`,
  update(target, op, value) {
    if (op === '=') return `${target} = ${value};`;
    const name = { '+=': 'add', '-=': 'sub', max: 'max', min: 'min' }[op];
    return `${target} = ds_${name}(${target}, ${value});`;
  },
  gather: gatherText,
};
