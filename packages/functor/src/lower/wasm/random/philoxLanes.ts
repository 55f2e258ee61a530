import type { FunctionBuilder } from '../FunctionBuilder.js';
import { i8x16, i32x4, i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';

/** The words of two counters: [c0 c0′ c2 c2′] and [c1 c1′ c3 c3′]. */
export interface TwoCounters {
  readonly even: WasmNode;
  readonly odd: WasmNode;
}

/** What Philox makes words of: four words of a counter and two of a key. */
export interface PhiloxWords {
  readonly counter: readonly WasmNode[];
  readonly key: readonly WasmNode[];
}

/** Lanes 0 and 1 of each vector, side by side. */
const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
/** The lower, and the upper, words of the 64-bit lanes of two vectors. */
const LOWER_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const UPPER_WORDS = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31];

const ROUNDS = 10;
const FACTORS = pairs(0xd2511f53, 0xcd9e8d57);
const STEPS = pairs(0x9e3779b9, 0xbb67ae85);

/**
 * Philox4x32-10 of two counters at once; every vector has the words of both in lanes 0 and 1. The words that a round multiplies fill
 * a vector, and so do the others, so that no lane is idle:
 *
 *   even  [c0 c0′ c2 c2′]   ──►   [hi(M₁ c2) hi(M₁ c2′) hi(M₀ c0) hi(M₀ c0′)] ⊕ odd ⊕ [k0 k0 k1 k1]
 *   odd   [c1 c1′ c3 c3′]   ──►   [lo(M₁ c2) lo(M₁ c2′) lo(M₀ c0) lo(M₀ c0′)]
 */
export function philoxLanes(f: FunctionBuilder, { counter, key: k }: PhiloxWords): TwoCounters {
  const side = (words: readonly WasmNode[], a: number, b: number) =>
    f.keep(i8x16.shuffle(LOW_HALVES, words[a]!, words[b]!), 'v128');
  let [even, odd, key] = [side(counter, 0, 2), side(counter, 1, 3), side(k, 0, 1)];
  for (let round = 0; round < ROUNDS; round++) {
    const first = f.keep(i64x2.extmul_low_i32x4_u(even, FACTORS), 'v128');
    const second = f.keep(i64x2.extmul_high_i32x4_u(even, FACTORS), 'v128');
    const others = v128.xor(odd, key);
    even = f.keep(v128.xor(i8x16.shuffle(UPPER_WORDS, second, first), others), 'v128');
    odd = f.keep(i8x16.shuffle(LOWER_WORDS, second, first), 'v128');
    if (round + 1 < ROUNDS) key = f.keep(i32x4.add(key, STEPS), 'v128');
  }
  return { even, odd };
}

/** Two words, each twice. */
function pairs(low: number, high: number): WasmNode {
  return i32x4.const(low | 0, low | 0, high | 0, high | 0);
}
