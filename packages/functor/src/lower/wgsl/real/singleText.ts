import { singleLiteral } from '../singleLiteral.js';
import type { RealText } from './RealText.js';

/** `real` = f32. */
export const singleText: RealText = {
  name: 'f32',
  type: 'f32',
  vector: 'vec4f',
  literal(value, support) {
    const single = Math.fround(value);
    if (Number.isNaN(single)) return support.bits(0x7fc00000);
    if (!Number.isFinite(single)) return support.bits(single > 0 ? 0x7f800000 : 0xff800000);
    return singleLiteral(single);
  },
  component: (field) => (field === 'r2' ? 'd.w' : `d.${field}`),
  binary({ op, left, right }, text, support) {
    const [a, b] = [text(left), text(right)];
    return op === '%' ? `${support.remainder()}(${a}, ${b})` : `(${a} ${op} ${b})`;
  },
  compare: (op, left, right) => `(${left} ${op} ${right})`,
  test: (name, value, support) => `${support.test(name)}(${value})`,
  math(name, args, support) {
    const all = args.join(', ');
    switch (name) {
      case 'round':
        return `${support.round()}(${all})`;
      case 'sin':
        return `${support.sin()}(${all})`;
      case 'cos':
        return `${support.cos()}(${all})`;
      case 'tanh':
        return `${support.tanh()}(${all})`;
      case 'hypot':
        return `${support.hypot(args.length)}(${all})`;
      case 'pow':
        return `${support.pow()}(${all})`;
      case 'fround':
        return args[0]!;
      default:
        return `${name}(${all})`;
    }
  },
  power: (x, n, support) => `${support.power(n)}(${x})`,
  fromInt: (_type, value) => `f32(${value})`,
  toInt: (type, value) => `${type}(${value})`,
  update: (target, op, value) =>
    op === 'max' || op === 'min'
      ? `${target} = ${op}(${target}, ${value});`
      : `${target} ${op} ${value};`,
  gather: (target, op, value, text) => `${target} ${op} ${text(value)};`,
};
