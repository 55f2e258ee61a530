import type { FunctionBuilder } from '../FunctionBuilder.js';
import { LaneOps } from '../LaneOps.js';
import { splitExponent } from '../math/log.js';
import { constant, kept, type MathContext } from '../math/VectorMath.js';
import { f64x2, i8x16, i32x4, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { type PhiloxWords, philoxLanes } from './philoxLanes.js';

/** Lanes 2 and 3 in front. */
const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/** Angles and uniform numbers are in units of 2⁻³², in which words are whole numbers. */
const [QUARTER, HALF, WHOLE] = [2 ** 30, 2 ** 31, 2 ** 32];
/** 2³² times what no uniform number exceeds, 1 − 2⁻²⁴. */
const LARGEST = WHOLE - 256;

/** sin 2πw = w · P(w²) for |w| ≤ ¼, at most 9e-17 off; of an angle in units of 2⁻³². */
const sineOfTurn = [
  6.28318530717958, -41.34170224039508, 81.60524927502614, -76.7058596474588, 42.058688304977125,
  -15.094471608090517, 3.8169973380822135, -0.6909355003000367,
].map((c, n) => c / WHOLE ** (2 * n + 1));
/** −2 log((1+s)/(1−s)) = s · P(s²) for |s| ≤ (√2−1)/(√2+1), to 2e-16 of it. */
const minusTwoLog = [
  -4.000000000000001, -1.3333333333310362, -0.8000000012436914, -0.5714283191349785,
  -0.44446877540287366, -0.3624361360282751, -0.33678212338360713,
];

/**
 * Four normal numbers for each of two counters, as `normal` of the library makes them (Box and Muller 1958), at most 1e-14 off: uniform
 * numbers are normal floats below 1, so that logarithms need no care, and angles are given in turns, which are reduced exactly.
 */
export function normalLanes(f: FunctionBuilder, words: PhiloxWords): WasmNode[] {
  const ops = new LaneOps(f, { lanes: 2, real: 'f64' });
  const m: MathContext = { builder: f, ops, mask: null };
  const { even, odd } = philoxLanes(f, words);
  const [first, second] = signedHalves(m, even).map((word) => radius(m, word));
  const [angle, other] = signedHalves(m, odd).map((word) =>
    kept(m, f64x2.pmin(f64x2.add(word, constant(m, 0.5)), constant(m, LARGEST - HALF))),
  );
  return [
    f64x2.mul(first!, cosine(m, angle!)),
    f64x2.mul(first!, sine(m, angle!)),
    f64x2.mul(second!, cosine(m, other!)),
    f64x2.mul(second!, sine(m, other!)),
  ].map((number) => kept(m, number));
}

/** Words less 2³¹ as doubles: lanes 0 and 1, and lanes 2 and 3. */
function signedHalves(m: MathContext, words: WasmNode): [WasmNode, WasmNode] {
  const signed = kept(m, v128.xor(words, i32x4.const(-HALF, -HALF, -HALF, -HALF)));
  const high = i8x16.shuffle(HIGH_HALF, signed, signed);
  return [f64x2.convert_low_i32x4_s(signed), f64x2.convert_low_i32x4_s(high)];
}

/** √(−2 log u), u = (word + ½) / 2³² below 1. */
function radius(m: MathContext, word: WasmNode): WasmNode {
  const u = kept(m, f64x2.pmin(f64x2.add(word, constant(m, HALF + 0.5)), constant(m, LARGEST)));
  const split = splitExponent(m, u, { less: 32 });
  const part = kept(m, split.m);
  const one = constant(m, 1);
  const s = kept(m, f64x2.div(f64x2.sub(part, one), f64x2.add(part, one)));
  const ofPart = f64x2.mul(s, horner(m, kept(m, f64x2.mul(s, s)), minusTwoLog));
  const ofExponent = f64x2.mul(split.k, constant(m, -2 * Math.LN2));
  return kept(m, f64x2.sqrt(f64x2.add(ofExponent, ofPart)));
}

/** cos 2πu = sin 2π(|x| − ¼), x = u − ½. */
function cosine(m: MathContext, x: WasmNode): WasmNode {
  return sineOf(m, kept(m, f64x2.sub(f64x2.abs(x), constant(m, QUARTER))));
}

/** sin 2πu = −sin 2πx, x = u − ½, which is odd, and even about ¼. */
function sine(m: MathContext, x: WasmNode): WasmNode {
  const quarter = constant(m, QUARTER);
  const folded = f64x2.sub(quarter, f64x2.abs(f64x2.sub(f64x2.abs(x), quarter)));
  return v128.xor(sineOf(m, kept(m, folded)), v128.andnot(constant(m, -0), x));
}

function sineOf(m: MathContext, w: WasmNode): WasmNode {
  const z = kept(m, f64x2.mul(w, w));
  return f64x2.mul(w, horner(m, z, sineOfTurn));
}

/** c0 + c1·x + c2·x² + …; several chains go beside each other, and Estrin's scheme needs more registers for them than there are. */
function horner(m: MathContext, x: WasmNode, coefficients: readonly number[]): WasmNode {
  return coefficients.reduceRight<WasmNode | null>((sum, c) => {
    const term = constant(m, c);
    return sum ? f64x2.add(f64x2.mul(sum, x), term) : term;
  }, null)!;
}
