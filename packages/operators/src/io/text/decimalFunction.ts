import { FunctionBuilder, f64, i32, i64, v128, type WasmNode } from '@corpuscle/functor/wasm';

/** Where the module keeps what it reads: powers of ten, pairs of digits, and digits on their way. */
export const layout = { powers: 0, lowest: -8, highest: 28, pairs: 1024, digits: 1280, end: 1344 };

/** Bytes that may be written after the end of a number. */
export const SLACK = 64;

const [MASK, POINT, ZERO] = [0xffffffffn, 46, 48] as const;
const ZEROS = v128Const(ZERO);

function v128Const(byte: number): WasmNode {
  return ['v128.const', new Uint8Array(16).fill(byte)];
}

/**
 * `decimal(value, at)` writes the shortest decimal text that reads back to the same number, as JavaScript's `String`, and gives
 * the address after it. 0 stands for numbers that it leaves to JavaScript: those written with an exponent, and no numbers.
 *
 * It is Schubfach: R. Giulietti, The Schubfach way to render doubles (2020). All decimals that round to c · 2^q lie between
 * (4c − 2) and (4c + 2) · 2^(q − 2). Scaled by a power of ten they are integers of 64 bits, of which few have the fewest digits.
 */
export function decimalFunction(): FunctionBuilder {
  const f = new FunctionBuilder('decimal', ['f64', 'i32'], ['i32']);
  const at = f.variable(f.param(1));
  const bits = f.keep(i64.reinterpret_f64(f.param(0)));
  const size = f.keep(f64.abs(f.param(0)));
  f.if(i64.lt_s(bits, i64.const(0n)), () => {
    f.emit(i32.store8(f.get(at), i32.const(45)));
    f.increment(at);
  });
  f.if(f64.eq(size, f64.const(0)), () => {
    f.emit(i32.store8(f.get(at), i32.const(ZERO)));
    f.return(i32.add(f.get(at), i32.const(1)));
  });
  const isPlain = i32.and(f64.ge(size, f64.const(1e-6)), f64.lt(size, f64.const(1e21)));
  f.if(i32.eqz(isPlain), () => f.return(i32.const(0)));
  const { significand, exponent } = shortest(f, bits);
  const { begin, count } = digits(f, significand);
  // The value is 0.d₁d₂d₃… · 10^point.
  const point = f.keep(i32.add(f.get(count), exponent));
  const last = f.variable(i32.sub(i32.add(begin, f.get(count)), i32.const(1)));
  f.while(i32.eq(i32.load8_u(f.get(last)), i32.const(ZERO)), () => {
    f.increment(last, -1);
    f.increment(count, -1);
  });
  place(f, at, begin, f.get(count), point);
  return f;
}

/** The shortest decimal significand · 10^exponent in the interval of a number; of several the closest. */
function shortest(f: FunctionBuilder, bits: WasmNode) {
  const fraction = f.keep(i64.and(bits, i64.const((1n << 52n) - 1n)));
  const c = f.keep(i64.or(fraction, i64.const(1n << 52n)));
  const biased = i32.and(i32.wrap_i64(i64.shr_u(bits, i64.const(52n))), i32.const(0x7ff));
  const q = f.keep(i32.sub(biased, i32.const(1075)));
  const found = f.local('i64');
  const exponent = f.local('i32');
  f.block((done) => {
    // Whole numbers stay as they are.
    const minus = f.keep(i32.sub(i32.const(0), q));
    f.if(i32.lt_u(minus, i32.const(53)), () => {
      const shift = f.keep(i64.extend_i32_u(minus));
      const whole = f.keep(i64.shr_u(c, shift));
      f.if(i64.eq(i64.shl(whole, shift), c), () => {
        f.set(found, whole);
        f.br(done);
      });
    });
    const isCloser = f.keep(i64.eqz(fraction)); // the lower neighbor is half as far at powers of two
    const odd = f.keep(i64.and(c, i64.const(1n)));
    const scaled = i32.sub(i32.mul(q, i32.const(1262611)), i32.mul(isCloser, i32.const(524031)));
    const k = f.keep(i32.shr_s(scaled, i32.const(22)));
    const log2 = i32.shr_s(i32.mul(k, i32.const(-1741647)), i32.const(19));
    const h = f.keep(i64.extend_i32_s(i32.add(i32.add(q, log2), i32.const(1))));
    const entry = f.keep(i32.shl(i32.sub(i32.const(-layout.lowest), k), i32.const(4)));
    const low = f.keep(i64.load(entry, layout.powers));
    const high = f.keep(i64.load(entry, layout.powers + 8));
    const four = f.keep(i64.shl(c, i64.const(2n)));
    const scale = (cp: WasmNode) => roundToOdd(f, high, low, f.keep(i64.shl(cp, h)));
    const below = i64.sub(
      i64.sub(four, i64.const(2n)),
      i64.sub(i64.const(0n), i64.extend_i32_u(isCloser)),
    );
    const lower = f.keep(i64.add(scale(below), odd));
    const value = scale(four);
    const upper = f.keep(i64.sub(scale(i64.add(four, i64.const(2n))), odd));
    const s = f.keep(i64.shr_u(value, i64.const(2n)));
    f.set(exponent, k);
    // One digit fewer, where just one such decimal is in the interval.
    const tenth = f.keep(i64.div_u(s, i64.const(10n)));
    const forty = f.keep(i64.mul(tenth, i64.const(40n)));
    const isLowIn = f.keep(i64.le_u(lower, forty));
    const isHighIn = f.keep(i64.le_u(i64.add(forty, i64.const(40n)), upper));
    f.if(i32.ne(isLowIn, isHighIn), () => {
      f.set(found, i64.add(tenth, i64.extend_i32_u(isHighIn)));
      f.increment(exponent);
      f.br(done);
    });
    const base = f.keep(i64.shl(s, i64.const(2n)));
    const isIn = f.keep(i64.le_u(lower, base));
    const isNextIn = f.keep(i64.le_u(i64.add(base, i64.const(4n)), upper));
    f.if(i32.ne(isIn, isNextIn), () => {
      f.set(found, i64.add(s, i64.extend_i32_u(isNextIn)));
      f.br(done);
    });
    const middle = f.keep(i64.add(base, i64.const(2n)));
    const isTie = i32.and(i64.eq(value, middle), i32.wrap_i64(i64.and(s, i64.const(1n))));
    f.set(found, i64.add(s, i64.extend_i32_u(i32.or(i64.gt_u(value, middle), isTie))));
  });
  return { significand: f.get(found), exponent: f.get(exponent) };
}

/** ⌊g · cp / 2^128⌋ with its last bit set where that is not exact: bounds compare right then. */
function roundToOdd(f: FunctionBuilder, high: WasmNode, low: WasmNode, cp: WasmNode): WasmNode {
  const carried = multiplyHigh(f, low, cp);
  const y0 = f.keep(i64.add(i64.mul(high, cp), carried));
  const y1 = i64.add(multiplyHigh(f, high, cp), i64.extend_i32_u(i64.lt_u(y0, carried)));
  return f.keep(i64.or(y1, i64.extend_i32_u(i64.gt_u(y0, i64.const(1n)))));
}

/** The upper 64 bits of a product, unsigned. */
function multiplyHigh(f: FunctionBuilder, a: WasmNode, b: WasmNode): WasmNode {
  const lowOf = (x: WasmNode) => f.keep(i64.and(x, i64.const(MASK)));
  const highOf = (x: WasmNode) => f.keep(i64.shr_u(x, i64.const(32n)));
  const [al, ah, bl, bh] = [lowOf(a), highOf(a), lowOf(b), highOf(b)];
  const first = f.keep(i64.add(i64.mul(al, bh), highOf(i64.mul(al, bl))));
  const second = i64.add(i64.mul(ah, bl), lowOf(first));
  return f.keep(i64.add(i64.add(i64.mul(ah, bh), highOf(first)), highOf(second)));
}

/** Writes 18 digits, zeros first, and finds the first that is none. */
function digits(f: FunctionBuilder, value: WasmNode): { begin: WasmNode; count: number } {
  const upper = f.variable(i32.wrap_i64(i64.div_u(value, i64.const(100_000_000n))));
  const lower = f.variable(i32.wrap_i64(i64.rem_u(value, i64.const(100_000_000n))));
  const write = (rest: number, from: number, pairs: number) => {
    for (let pair = pairs - 1; pair >= 0; pair--) {
      const next = f.keep(i32.div_u(f.get(rest), i32.const(100)));
      const two = i32.sub(f.get(rest), i32.mul(next, i32.const(100)));
      const text = i32.load16_u(i32.shl(two, i32.const(1)), layout.pairs);
      f.emit(i32.store16(i32.const(layout.digits), text, from + 2 * pair));
      f.set(rest, next);
    }
  };
  write(upper, 0, 5);
  write(lower, 10, 4);
  const begin = f.variable(i32.const(layout.digits));
  f.while(i32.eq(i32.load8_u(f.get(begin)), i32.const(ZERO)), () => f.increment(begin));
  const count = f.variable(i32.sub(i32.const(layout.digits + 18), f.get(begin)));
  return { begin: f.get(begin), count };
}

/** Puts digits and the point where JavaScript does, sixteen bytes at a time, and returns the address after them. */
function place(
  f: FunctionBuilder,
  at: number,
  begin: WasmNode,
  count: WasmNode,
  point: WasmNode,
): void {
  const copy = (to: WasmNode, from: WasmNode) => {
    const [target, source] = [f.keep(to), f.keep(from)];
    f.emit(v128.store(target, v128.load(source)), v128.store(target, v128.load(source, 16), 16));
  };
  f.if(i32.le_s(point, i32.const(0)), () => {
    f.emit(v128.store(f.get(at), ZEROS), i32.store8(f.get(at), i32.const(POINT), 1));
    const after = f.keep(i32.sub(i32.add(f.get(at), i32.const(2)), point));
    copy(after, begin);
    f.return(i32.add(after, count));
  });
  f.if(i32.lt_s(point, count), () => {
    copy(f.get(at), begin);
    const middle = f.keep(i32.add(f.get(at), point));
    f.emit(i32.store8(middle, i32.const(POINT)));
    copy(i32.add(middle, i32.const(1)), i32.add(begin, point));
    f.return(i32.add(i32.add(f.get(at), count), i32.const(1)));
  });
  copy(f.get(at), begin);
  const end = f.keep(i32.add(f.get(at), count));
  f.emit(v128.store(end, ZEROS), v128.store(end, ZEROS, 16));
  f.emit(i32.add(f.get(at), point));
}
