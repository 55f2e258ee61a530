import { i32, i64x2, v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { kept, type MathContext } from './VectorMath.js';

/** Steps between powers of two, as a power of two. */
export const STEP_BITS = 8;
export const STEPS = 1 << STEP_BITS;
/** Below SharedHeap.RESERVED, so that every memory has room for it; modules that need the table bring it along. */
const ADDRESS = 2048;
/** Where the exponent of a double begins, less the bits of a step: shifted so far, n/256 lands in the exponent. */
const SHIFT = 52 - STEP_BITS;

let bytes: Uint8Array | null = null;

/**
 * 2^(n/256) on f64 lanes, n in the low bits of each 64-bit lane. Entry k of the table holds the bits of 2^(k/256), correctly
 * rounded, less k·2^44: adding n·2^44 then gives k's share back and puts the rest of n into the exponent.
 */
export function powerOfSteps(m: MathContext, n: WasmNode): WasmNode {
  return i64x2.add(tableBits(m, n), i64x2.shl(n, i32.const(SHIFT)));
}

/** 2^(k/256) for k = n modulo 256. */
export function fractionOfSteps(m: MathContext, n: WasmNode): WasmNode {
  const k = v128.and(n, i64x2.const(BigInt(STEPS - 1)));
  return i64x2.add(tableBits(m, n), i64x2.shl(k, i32.const(SHIFT)));
}

function tableBits(m: MathContext, n: WasmNode): WasmNode {
  bytes ??= new Uint8Array(table().buffer);
  m.builder.data.set(ADDRESS, bytes);
  const at = (word: number): WasmNode =>
    i32.and(i32.shl(['i32x4.extract_lane', word, n], i32.const(3)), i32.const(8 * (STEPS - 1)));
  const first = kept(m, v128.load64_zero(at(0), ADDRESS));
  return v128.load64Lane(1, at(2), first, ADDRESS);
}

/** By exact arithmetic on 128 bits after the point: powers of the 256th root of 2. */
function table(): BigUint64Array {
  const one = 1n << 128n;
  let root = 2n * one;
  for (let k = 0; k < STEP_BITS; k++) root = squareRoot(root * one);
  const entries = new BigUint64Array(STEPS);
  let power = one;
  for (let k = 0; k < STEPS; k++) {
    const mantissa = (power + (1n << 75n)) >> 76n; // 2^52 … 2^53
    entries[k] = BigInt.asUintN(64, mantissa + (1022n << 52n) - (BigInt(k) << BigInt(SHIFT)));
    power = (power * root) >> 128n;
  }
  return entries;
}

/** The largest integer whose square is not above n, by Newton's method. */
function squareRoot(n: bigint): bigint {
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}
