import type { FunctionBuilder } from '../FunctionBuilder.js';
import { LaneOps } from '../LaneOps.js';
import { logOfNormal } from '../math/log.js';
import { constant, kept, type MathContext, polynomial } from '../math/VectorMath.js';
import { f64x2, i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { type PhiloxWords, philoxLanes } from './philoxLanes.js';

/** sin 2πw = w · P(w²) for |w| ≤ ¼, at most 4e-16 off. */
const sineOfTurn = [
  6.283185307179585, -41.341702240398284, 81.60524927557977, -76.70585968962867, 42.05868995395094,
  -15.09450614073429, 3.817365633469135, -0.6925067010720717,
];
const TWO_52 = 2 ** 52;
const LARGEST = 0.9999999403953552;

/**
 * Four normal numbers for each of two counters, as `normal` of the library makes them (Box and Muller 1958). Logarithms and angles need
 * no care here: uniform numbers are normal floats below 1, and angles are given in turns, which are reduced exactly.
 */
export function normalLanes(f: FunctionBuilder, words: PhiloxWords): WasmNode[] {
  const ops = new LaneOps(f, { lanes: 2, real: 'f64' });
  const m: MathContext = { builder: f, ops, mask: null };
  const { even, odd } = philoxLanes(f, words);
  const radius = (word: WasmNode): WasmNode => {
    const squared = f64x2.mul(constant(m, -2), logOfNormal(m, uniform(m, word)));
    return kept(m, f64x2.sqrt(squared));
  };
  const first = radius(i64x2.extend_low_i32x4_u(even));
  const second = radius(i64x2.extend_high_i32x4_u(even));
  const angle = uniform(m, i64x2.extend_low_i32x4_u(odd));
  const other = uniform(m, i64x2.extend_high_i32x4_u(odd));
  return [
    f64x2.mul(first, cosine(m, angle)),
    f64x2.mul(first, sine(m, angle)),
    f64x2.mul(second, cosine(m, other)),
    f64x2.mul(second, sine(m, other)),
  ].map((number) => kept(m, number));
}

/** (word + ½) / 2³² below 1, of words in lanes of 64 bits: 2⁵² + word is put together from its bits. */
function uniform(m: MathContext, word: WasmNode): WasmNode {
  const large = v128.or(word, constant(m, TWO_52));
  const scaled = f64x2.mul(f64x2.sub(large, constant(m, TWO_52 - 0.5)), constant(m, 2 ** -32));
  return kept(m, f64x2.pmin(scaled, constant(m, LARGEST)));
}

/** cos 2πu = sin 2π(|u − ½| − ¼). */
function cosine(m: MathContext, u: WasmNode): WasmNode {
  const fromHalf = f64x2.abs(f64x2.sub(u, constant(m, 0.5)));
  return sineOf(m, kept(m, f64x2.sub(fromHalf, constant(m, 0.25))));
}

/** sin 2πu: with x = ½ − u, that of x, which is odd, and even about ¼. */
function sine(m: MathContext, u: WasmNode): WasmNode {
  const x = kept(m, f64x2.sub(constant(m, 0.5), u));
  const quarter = constant(m, 0.25);
  const folded = f64x2.sub(quarter, f64x2.abs(f64x2.sub(f64x2.abs(x), quarter)));
  return v128.xor(sineOf(m, kept(m, folded)), v128.and(x, constant(m, -0)));
}

function sineOf(m: MathContext, w: WasmNode): WasmNode {
  const z = kept(m, f64x2.mul(w, w));
  return f64x2.mul(w, polynomial(m, z, sineOfTurn));
}
