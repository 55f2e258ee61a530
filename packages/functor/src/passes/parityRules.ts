import type { CompareOp, Expr, MathBuiltin, MathName } from '../ir.js';
import type { ParityOrNot } from './parity.js';

/** odd ± odd is odd, even ± even is even. */
export function sumParity(a: ParityOrNot, b: ParityOrNot): ParityOrNot {
  if (a === 'zero') return b;
  if (b === 'zero' || a === b) return a;
  return 'none';
}

/** odd · odd is even. */
export function productParity(a: ParityOrNot, b: ParityOrNot): ParityOrNot {
  if (a === 'none' || b === 'none') return 'none';
  if (a === 'zero' || b === 'zero') return 'zero';
  return a === b ? 'even' : 'odd';
}

/** As products, but x / 0 is an infinity with the sign of x. */
export function quotientParity(a: ParityOrNot, b: ParityOrNot): ParityOrNot {
  return productParity(a, b === 'zero' ? 'even' : b);
}

/** Comparing even values is even; so is asking whether an odd value is zero. */
export function compareParity(op: CompareOp, a: ParityOrNot, b: ParityOrNot): ParityOrNot {
  if (a === 'none' || b === 'none') return 'none';
  const anyOdd = a === 'odd' || b === 'odd';
  if (!anyOdd) return 'even';
  const sameSign = a !== 'even' && b !== 'even';
  return sameSign && (op === '==' || op === '!=') ? 'even' : 'none';
}

/** f(−x) = −f(x). */
const oddFunctions: ReadonlySet<MathName> = new Set(['trunc', 'sin', 'tanh', 'sign', 'fround']);
/** f(−x) = f(x). */
const evenFunctions: ReadonlySet<MathName> = new Set(['abs', 'cos', 'hypot']);

export function mathParity(
  e: Extract<Expr, { kind: 'math' }>,
  args: readonly ParityOrNot[],
): ParityOrNot {
  if (args.includes('none')) return 'none';
  const anyOdd = args.includes('odd');
  if (evenFunctions.has(e.name)) return 'even';
  if (oddFunctions.has(e.name)) return args[0]!;
  if (!anyOdd) return 'even';
  if (e.name !== 'pow') return 'none';
  const exponent = e.args[1]!;
  if (exponent.kind !== 'number' || !Number.isInteger(exponent.value)) return 'none';
  return exponent.value % 2 === 0 ? 'even' : 'odd';
}

/** atan, asin and sinh are odd, cosh is even; atan2 is odd in its first argument, and π where that is 0 and the other negative. */
export function builtinParity(name: MathBuiltin, args: readonly ParityOrNot[]): ParityOrNot {
  const [first, second] = [args[0]!, args[1] ?? 'even'];
  if (args.includes('none')) return 'none';
  if (name === 'cosh') return 'even';
  if (name === 'acos') return first === 'odd' ? 'none' : 'even';
  if (name !== 'atan2') return first;
  if (second === 'odd') return 'none';
  return first === 'zero' ? 'even' : first;
}
