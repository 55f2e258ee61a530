import type { HelperIR } from '../../../ir.js';
import type { LaneValue } from '../BodyEnv.js';
import type { Lowering } from '../Lowering.js';
import { f64x2, i8x16, i32x4 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { normalLanes } from './normalLanes.js';
import { philoxLanes } from './philoxLanes.js';

/** Lanes 2 and 3 in front. */
const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

/**
 * Random numbers of two lanes of doubles, where instructions of our own are faster than the text of the library: Philox, and normal
 * numbers. Null for other functions and lanes. One lane of doubles draws normal numbers in the same way, so that the bits are the same.
 */
export function lowerDraw(
  l: Lowering,
  helper: HelperIR,
  args: readonly LaneValue[],
): readonly LaneValue[] | null {
  const { ops, builder } = l;
  if (!helper.builtin || ops.real !== 'f64') return null;
  const uniform = args.every((a) => a.uniform);
  if (helper.name === 'philox' && !uniform) {
    const words = vectorsOf(l, args);
    const { even, odd } = philoxLanes(builder, { counter: words.slice(0, 4), key: words.slice(4) });
    const upper = (v: WasmNode) => builder.keep(i8x16.shuffle(HIGH_HALF, v, v), 'v128');
    return [even, odd, upper(even), upper(odd)].map((word) => ops.varying('u32', word));
  }
  if (helper.name !== 'normal') return null;
  // Its parameters are id, step, stream, two words of the seed, draw.
  const words = vectorsOf(l, args);
  const counter = [...words.slice(0, 3), ...words.slice(5)];
  const numbers = normalLanes(builder, { counter, key: words.slice(3, 5) });
  if (!uniform) return numbers.map((number) => ops.varying('real', number));
  return numbers.map((number) => ops.uniform('real', builder.keep(f64x2.extract(0, number))));
}

const vectorsOf = ({ builder }: Lowering, args: readonly LaneValue[]): WasmNode[] =>
  args.map(({ uniform, vector, node }) =>
    builder.keep(uniform ? (vector ?? i32x4.splat(node)) : node, 'v128'),
  );
