import type { Expr } from '../../ir.js';
import type { LaneValue } from './BodyEnv.js';
import type { Lowering } from './Lowering.js';
import { lowerExpression } from './lowerExpression.js';
import { i32, i32x4, v128 } from './ops.js';
import type { WasmNode } from './WasmNode.js';

/** Bit operations; shifts by a varying amount go lane by lane, for want of an instruction. */
export function lowerBits(l: Lowering, e: Extract<Expr, { kind: 'bits' }>): LaneValue {
  const { ops } = l;
  const a = lowerExpression(l, e.left);
  const b = lowerExpression(l, e.right);
  const uniform = a.uniform && b.uniform;
  switch (e.op) {
    case '&':
    case '|':
    case '^': {
      const name = e.op === '&' ? 'and' : e.op === '|' ? 'or' : 'xor';
      if (uniform) return ops.uniform(e.type, i32[name](a.node, b.node));
      return ops.varying(e.type, v128[name](ops.vector(a), ops.vector(b)));
    }
    default: {
      const name = e.op === '<<' ? 'shl' : e.op === '>>>' ? 'shr_u' : 'shr_s';
      if (uniform) return ops.uniform(e.type, i32[name](a.node, b.node));
      if (b.uniform) return ops.varying(e.type, i32x4[name](ops.vector(a), b.node));
      const shift = (x?: WasmNode, y?: WasmNode) => i32[name](x as WasmNode, y as WasmNode);
      return ops.varying(e.type, ops.perLane(e.type, [a, b], shift));
    }
  }
}
