import type { CompareOp, Expr } from '../../ir.js';
import type { LaneValue } from './BodyEnv.js';
import { costOf, HEAVY, needsGuard } from './cost.js';
import { inlineHelper } from './inlineHelper.js';
import type { Lowering } from './Lowering.js';
import { readElement } from './localArrays.js';
import { lowerArithmetic } from './lowerArithmetic.js';
import { lowerBits } from './lowerBits.js';
import { lowerCast } from './lowerCast.js';
import { lowerMath } from './lowerMath.js';
import { f32, f64, i32, i32x4, select, v128 } from './ops.js';
import type { WasmNode } from './WasmNode.js';

/** Lowers an expression; statements it needs (inlined helpers, kept values) are emitted before its value is used. */
export function lowerExpression(l: Lowering, e: Expr): LaneValue {
  const { ops } = l;
  switch (e.kind) {
    case 'number':
      return ops.uniform(e.type, numberNode(l, e.type, e.value));
    case 'boolean':
      return ops.uniform('bool', i32.const(e.value ? 1 : 0));
    case 'variable':
      return readVariable(l, e);
    case 'element':
      return readElement(l, e.variable, lowerExpression(l, e.index));
    case 'field':
      return l.env.field(e.role, e.field);
    case 'item': {
      const index = lowerExpression(l, e.index);
      return l.env.item(e.role, e.field, l.env.clamps ? index : l.safeIndex(index));
    }
    case 'unary':
      return lowerUnary(l, e);
    case 'binary':
      return lowerArithmetic(l, e);
    case 'bits':
      return lowerBits(l, e);
    case 'compare':
      return lowerCompare(l, e);
    case 'test':
      return lowerTest(l, e);
    case 'logic':
      return lowerLogic(l, e);
    case 'select':
      return lowerSelect(l, e);
    case 'math': {
      const known = knownRoot(l, e);
      if (known) return known;
      return lowerMath(
        l,
        e,
        e.args.map((a) => lowerExpression(l, a)),
      );
    }
    case 'cast':
      return lowerCast(l, lowerExpression(l, e.operand), e.type);
    case 'call': {
      const [result] = inlineHelper(
        l,
        e.helper,
        e.args.map((a) => lowerExpression(l, a)),
      );
      if (!result) throw new Error(`helper ${e.helper.name} has no result`);
      return result;
    }
  }
}

/** Math.sqrt of a field whose root the scaffold has already. */
function knownRoot(l: Lowering, e: Extract<Expr, { kind: 'math' }>): LaneValue | null {
  const [of] = e.args;
  if (e.name !== 'sqrt' || of?.kind !== 'field') return null;
  return l.env.squareRoot?.(of.role, of.field) ?? null;
}

function numberNode(l: Lowering, type: 'real' | 'i32' | 'u32', value: number): WasmNode {
  if (type !== 'real') return i32.const(value | 0);
  return l.ops.real === 'f64' ? f64.const(value) : f32.const(value);
}

/** NaN differs from itself; finite numbers lie below infinity. */
function lowerTest(l: Lowering, e: Extract<Expr, { kind: 'test' }>): LaneValue {
  const { ops } = l;
  const a = ops.keep(lowerExpression(l, e.operand));
  const scalar = ops.real === 'f64' ? f64 : f32;
  const infinity = Number.POSITIVE_INFINITY;
  if (e.name === 'isNaN') {
    if (a.uniform) return ops.uniform('bool', scalar.ne(a.node, a.node));
    return ops.varying('bool', ops.F.ne(a.node, a.node));
  }
  if (a.uniform) return ops.uniform('bool', scalar.lt(scalar.abs(a.node), scalar.const(infinity)));
  return ops.varying('bool', ops.F.lt(ops.F.abs(a.node), ops.F.const(infinity)));
}

function readVariable(l: Lowering, e: Extract<Expr, { kind: 'variable' }>): LaneValue {
  const binding = l.frame.bindings.get(e.variable);
  if (!binding) {
    const hoisted = l.hoisted.get(e.variable.id);
    if (hoisted) return hoisted;
  }
  if (binding?.kind === 'value') return binding.value;
  if (binding?.kind === 'local')
    return { uniform: binding.uniform, type: e.type, node: l.builder.get(binding.local) };
  throw new Error(`variable ${e.variable.id} is read before it is declared`);
}

function lowerUnary(l: Lowering, e: Extract<Expr, { kind: 'unary' }>): LaneValue {
  const { ops } = l;
  const a = lowerExpression(l, e.operand);
  const scalar = ops.real === 'f64' ? f64 : f32;
  switch (e.op) {
    case '!':
      return a.uniform
        ? ops.uniform('bool', i32.eqz(a.node))
        : ops.varying('bool', v128.not(a.node));
    case '~':
      return a.uniform
        ? ops.uniform(e.type, i32.xor(a.node, i32.const(-1)))
        : ops.varying(e.type, v128.not(a.node));
    case '-':
      if (e.type === 'real') {
        return a.uniform
          ? ops.uniform('real', scalar.neg(a.node))
          : ops.varying('real', ops.F.neg(a.node));
      }
      return a.uniform
        ? ops.uniform(e.type, i32.sub(i32.const(0), a.node))
        : ops.varying(e.type, i32x4.neg(a.node));
  }
}

const compareNames: Readonly<Record<CompareOp, 'lt' | 'gt' | 'le' | 'ge' | 'eq' | 'ne'>> = {
  '<': 'lt',
  '>': 'gt',
  '<=': 'le',
  '>=': 'ge',
  '==': 'eq',
  '!=': 'ne',
};

function lowerCompare(l: Lowering, e: Extract<Expr, { kind: 'compare' }>): LaneValue {
  const { ops } = l;
  const a = lowerExpression(l, e.left);
  const b = lowerExpression(l, e.right);
  const uniform = a.uniform && b.uniform;
  const name = compareNames[e.op];
  if (a.type === 'real') {
    if (uniform) return ops.uniform('bool', [`${ops.real}.${name}`, a.node, b.node]);
    return ops.varying('bool', ops.F[name](ops.vector(a), ops.vector(b)));
  }
  const signed =
    name === 'eq' || name === 'ne' ? name : (`${name}_${a.type === 'u32' ? 'u' : 's'}` as const);
  if (uniform) return ops.uniform('bool', i32[signed](a.node, b.node));
  if (a.type === 'bool') {
    const differ = v128.xor(ops.vector(a), ops.vector(b));
    return ops.varying('bool', e.op === '!=' ? differ : v128.not(differ));
  }
  return ops.varying('bool', ops.realMask(i32x4[signed](ops.vector(a), ops.vector(b))));
}

/** Both sides of `&&` and `||` are computed where that is harmless; else the right one only on lanes that ask for it. */
function lowerLogic(l: Lowering, e: Extract<Expr, { kind: 'logic' }>): LaneValue {
  const { ops, builder } = l;
  const and = e.op === '&&';
  const a = lowerExpression(l, e.left);
  const lazy = needsGuard(e.right) || costOf(e.right) >= HEAVY;
  if (!lazy) {
    const b = lowerExpression(l, e.right);
    if (a.uniform && b.uniform)
      return ops.uniform('bool', (and ? i32.and : i32.or)(a.node, b.node));
    return ops.varying('bool', (and ? v128.and : v128.or)(ops.vector(a), ops.vector(b)));
  }
  const rightVaries = l.analysis.varies(e.right, l.frame.variance.varying);
  if (a.uniform && !rightVaries) {
    const result = builder.variable(a.node, 'i32');
    const turn = and ? builder.get(result) : i32.eqz(builder.get(result));
    builder.if(turn, () => builder.set(result, lowerExpression(l, e.right).node));
    return ops.uniform('bool', builder.get(result));
  }
  const left = builder.keep(ops.vector(a), 'v128');
  const asks = builder.keep(l.masked(and ? left : v128.not(left)), 'v128');
  const right = conditional(l, asks, e.right, true);
  return ops.varying('bool', and ? v128.and(left, right) : v128.or(left, v128.and(asks, right)));
}

function lowerSelect(l: Lowering, e: Extract<Expr, { kind: 'select' }>): LaneValue {
  const { ops, builder } = l;
  const c = lowerExpression(l, e.condition);
  const lazy = [e.then, e.else].some((side) => needsGuard(side) || costOf(side) >= HEAVY);
  if (c.uniform && lazy) return branchingSelect(l, e, c);
  if (c.uniform || !lazy) {
    const a = lowerExpression(l, e.then);
    const b = lowerExpression(l, e.else);
    if (c.uniform && a.uniform && b.uniform)
      return ops.uniform(e.type, select(c.node, a.node, b.node));
    if (c.uniform) return ops.varying(e.type, select(c.node, ops.vector(a), ops.vector(b)));
    return ops.varying(e.type, ops.blend(e.type, ops.vector(a), ops.vector(b), ops.vector(c)));
  }
  const mask = builder.keep(ops.vector(c), 'v128');
  const thenMask = builder.keep(l.masked(mask), 'v128');
  const elseMask = builder.keep(l.mask ? v128.andnot(l.mask, mask) : v128.not(mask), 'v128');
  const a = builder.keep(conditional(l, thenMask, e.then), 'v128');
  const b = conditional(l, elseMask, e.else);
  return ops.varying(e.type, ops.blend(e.type, a, b, mask));
}

/** A real branch, where all lanes go the same way. */
function branchingSelect(
  l: Lowering,
  e: Extract<Expr, { kind: 'select' }>,
  c: LaneValue,
): LaneValue {
  const { ops, builder } = l;
  const { varying } = l.frame.variance;
  const uniform = !l.analysis.varies(e.then, varying) && !l.analysis.varies(e.else, varying);
  const result = builder.local(ops.localType(e.type, uniform));
  const assign = (side: Expr) => () => {
    const value = lowerExpression(l, side);
    builder.set(result, uniform ? value.node : ops.vector(value));
  };
  builder.if(c.node, assign(e.then), assign(e.else));
  return { uniform, type: e.type, node: builder.get(result) };
}

/** An expression computed for the lanes of `mask` only; a heavy one is skipped when there are none. */
function conditional(l: Lowering, mask: WasmNode, e: Expr, always = false): WasmNode {
  const { ops, builder } = l;
  if (!needsGuard(e) && costOf(e) < HEAVY) return ops.vector(lowerExpression(l, e));
  if (!always && costOf(e) < HEAVY) return l.within(mask, () => ops.vector(lowerExpression(l, e)));
  const result = builder.variable(ops.none, 'v128');
  builder.if(v128.any_true(mask), () => {
    builder.set(
      result,
      l.within(mask, () => ops.vector(lowerExpression(l, e))),
    );
  });
  return builder.get(result);
}
