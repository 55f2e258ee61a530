import type { Expr } from '../../ir.js';
import type { LaneValue } from './BodyEnv.js';
import type { Lowering } from './Lowering.js';
import { lowerExpression } from './lowerExpression.js';
import { remainder } from './math/remainder.js';
import { applyVector } from './math/VectorMath.js';
import { f32, f64, i32, i32x4, select } from './ops.js';
import type { WasmNode } from './WasmNode.js';

type Binary = Extract<Expr, { kind: 'binary' }>;

const names = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div' } as const;

/** + − * / % on reals and ints. */
export function lowerArithmetic(l: Lowering, e: Binary): LaneValue {
  const { ops } = l;
  if (e.type === 'real' && l.relaxed) {
    const fused = lowerFused(l, e);
    if (fused) return fused;
  }
  const a = lowerExpression(l, e.left);
  const b = lowerExpression(l, e.right);
  if (e.op === '%')
    return e.type === 'real' ? applyVector(l, remainder, [a, b]) : intRemainder(l, e, a, b);
  const name = names[e.op];
  const uniform = a.uniform && b.uniform;
  if (e.type === 'real') {
    if (uniform) return ops.uniform('real', (ops.real === 'f64' ? f64 : f32)[name](a.node, b.node));
    return ops.varying('real', ops.F[name](ops.vector(a), ops.vector(b)));
  }
  if (name === 'div')
    throw new Error('integers are not divided: the front end makes reals of them');
  if (uniform) return ops.uniform(e.type, i32[name](a.node, b.node));
  return ops.varying(e.type, i32x4[name](ops.vector(a), ops.vector(b)));
}

/** a·b + c and c − a·b in one instruction, when something varies. */
function lowerFused(l: Lowering, e: Binary): LaneValue | null {
  if (e.op !== '+' && e.op !== '-') return null;
  const product = (x: Expr): x is Binary =>
    x.kind === 'binary' && x.op === '*' && x.type === 'real';
  const [sum, factors] = product(e.right)
    ? [e.left, e.right]
    : product(e.left) && e.op === '+'
      ? [e.right, e.left]
      : [null, null];
  if (!sum || !factors || !l.analysis.varies(e, l.frame.variance.varying)) return null;
  const { ops } = l;
  const c = ops.vector(lowerExpression(l, sum));
  const a = ops.vector(lowerExpression(l, factors.left));
  const b = ops.vector(lowerExpression(l, factors.right));
  return ops.varying('real', (e.op === '+' ? ops.F.relaxed_madd : ops.F.relaxed_nmadd)(a, b, c));
}

/** Remainder of ints; by zero it is 0, as (a % 0) | 0 is in JavaScript. */
function intRemainder(l: Lowering, e: Binary, a: LaneValue, b: LaneValue): LaneValue {
  const { ops, builder } = l;
  const divide = e.type === 'u32' ? i32.rem_u : i32.rem_s;
  const guarded = (x: WasmNode, y: WasmNode): WasmNode => {
    if (y[0] === 'i32.const' && y[1] !== 0) return divide(x, y);
    const divisor = builder.keep(y, 'i32');
    const whole = i32.eqz(divisor);
    return select(divisor, divide(x, i32.or(divisor, whole)), i32.const(0));
  };
  if (a.uniform && b.uniform) return ops.uniform(e.type, guarded(a.node, b.node));
  const fixed = b.uniform ? ops.keep(b).node : null;
  if (fixed)
    return ops.varying(
      e.type,
      ops.perLane(e.type, [a], (x) => guarded(x as WasmNode, fixed)),
    );
  return ops.varying(
    e.type,
    ops.perLane(e.type, [a, b], (x, y) => guarded(x as WasmNode, y as WasmNode)),
  );
}
