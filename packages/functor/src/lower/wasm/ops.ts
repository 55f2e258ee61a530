/**
 * Constructors of instruction trees, so that kernels written by hand read like code:
 *
 *   f64x2.add(f64x2.mul(a, b), c)      i32.load(address, 16)      v128.store(address, value)
 *
 * Memory instructions take the address first and the constant byte offset last.
 */
export { address, call, drop, memory, select } from './ops/control.js';
export { f32, f64, i32, i64 } from './ops/scalar.js';
export { f32x4, f64x2, i8x16, i32x4, i64x2, v128 } from './ops/vector.js';
