import {
  FunctionBuilder,
  f64,
  i32,
  i64,
  select,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';

/**
 * Where the module keeps what it reads: powers of ten as fractions of 128 bits and as whole numbers, where the text ends, and what is
 * in columns.
 */
export const layout = { powers: 0, lowest: -8, highest: 28, tens: 1024, at: 1168, kinds: 1184 };

const [MASK, POINT, ZERO, EIGHT] = [0xffffffffn, 46, 48, 100_000_000n] as const;
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
  f.emit(i32.store8(f.get(at), i32.const(45))); // a branch for the sign would often be guessed wrong
  f.increment(at, i32.wrap_i64(i64.shr_u(bits, i64.const(63n))));
  f.if(f64.eq(size, f64.const(0)), () => {
    f.emit(i32.store8(f.get(at), i32.const(ZERO)));
    f.return(i32.add(f.get(at), i32.const(1)));
  });
  const isPlain = i32.and(f64.ge(size, f64.const(1e-6)), f64.lt(size, f64.const(1e21)));
  f.if(i32.eqz(isPlain), () => f.return(i32.const(0)));
  const { significand, exponent } = shortest(f, bits);
  f.if(i32.ge_s(exponent, i32.const(0)), () => {
    whole(f, at, significand);
    const end = f.keep(i32.add(f.get(at), exponent));
    f.emit(v128.store(f.get(at), ZEROS), v128.store(f.get(at), ZEROS, 16));
    f.return(end);
  });
  // No whole number is nearer to x than x: the decimal has the same whole part.
  const before = f.keep(i64.trunc_sat_f64_u(size));
  whole(f, at, before);
  f.emit(i32.store8(f.get(at), i32.const(POINT)));
  f.increment(at);
  const places = f.keep(i32.sub(i32.const(0), exponent));
  const after = i64.sub(significand, i64.mul(before, powerOfTen(f, places)));
  fraction(f, at, f.keep(after), places);
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
    const product = productOf(f, high, low, f.keep(i64.shl(four, h)));
    const value = roundedToOdd(f, product);
    // Two more and two fewer of c · 4 are a shift of the power of ten away; below a power of two it is one.
    const up = multiple(f, high, low, f.keep(i64.add(h, i64.const(1n))));
    const nearer = i64.sub(i64.add(h, i64.const(1n)), i64.extend_i32_u(isCloser));
    const down = multiple(f, high, low, f.keep(nearer));
    const lower = f.keep(i64.add(roundedToOdd(f, difference(f, product, down)), odd));
    const upper = f.keep(i64.sub(roundedToOdd(f, sum(f, product, up)), odd));
    const s = f.keep(i64.shr_u(value, i64.const(2n)));
    const base = f.keep(i64.shl(s, i64.const(2n)));
    const isIn = i64.le_u(lower, base);
    const isNextIn = f.keep(i64.le_u(i64.add(base, i64.const(4n)), upper));
    const middle = f.keep(i64.add(base, i64.const(2n)));
    const isTie = i32.and(i64.eq(value, middle), i32.wrap_i64(i64.and(s, i64.const(1n))));
    const isNextCloser = i32.or(i64.gt_u(value, middle), isTie);
    const isNext = select(i32.ne(isIn, isNextIn), isNextIn, isNextCloser);
    const nearest = i64.add(s, i64.extend_i32_u(isNext));
    // One digit fewer, where just one such decimal is in the interval. Without branches: they would be guessed wrong.
    const tenth = f.keep(i64.div_u(s, i64.const(10n)));
    const forty = f.keep(i64.mul(tenth, i64.const(40n)));
    const isHighIn = f.keep(i64.le_u(i64.add(forty, i64.const(40n)), upper));
    const isFewer = f.keep(i32.ne(i64.le_u(lower, forty), isHighIn));
    const fewer = i64.add(tenth, i64.extend_i32_u(isHighIn));
    f.set(found, select(isFewer, fewer, nearest));
    f.set(exponent, i32.add(k, isFewer));
  });
  return { significand: f.get(found), exponent: f.get(exponent) };
}

/** Whole numbers of 192 bits, the low 64 first. */
type Wide = readonly [WasmNode, WasmNode, WasmNode];

function productOf(f: FunctionBuilder, high: WasmNode, low: WasmNode, factor: WasmNode): Wide {
  const carried = multiplyHigh(f, low, factor);
  const middle = f.keep(i64.add(i64.mul(high, factor), carried));
  const over = i64.extend_i32_u(i64.lt_u(middle, carried));
  return [
    f.keep(i64.mul(low, factor)),
    middle,
    f.keep(i64.add(multiplyHigh(f, high, factor), over)),
  ];
}

/** A number of 128 bits times 2^shift. */
function multiple(f: FunctionBuilder, high: WasmNode, low: WasmNode, shift: WasmNode): Wide {
  const rest = f.keep(i64.sub(i64.const(64n), shift));
  const middle = i64.or(i64.shl(high, shift), i64.shr_u(low, rest));
  return [f.keep(i64.shl(low, shift)), f.keep(middle), f.keep(i64.shr_u(high, rest))];
}

function sum(f: FunctionBuilder, a: Wide, b: Wide): Wide {
  const low = f.keep(i64.add(a[0], b[0]));
  const carry = f.keep(i64.extend_i32_u(i64.lt_u(low, a[0])));
  const most = f.keep(i64.add(a[1], b[1]));
  const middle = f.keep(i64.add(most, carry));
  const over = i32.or(i64.lt_u(most, a[1]), i64.lt_u(middle, carry));
  return [low, middle, i64.add(i64.add(a[2], b[2]), i64.extend_i32_u(over))];
}

function difference(f: FunctionBuilder, a: Wide, b: Wide): Wide {
  const borrow = f.keep(i64.extend_i32_u(i64.lt_u(a[0], b[0])));
  const most = f.keep(i64.sub(a[1], b[1]));
  const middle = f.keep(i64.sub(most, borrow));
  const under = i32.or(i64.lt_u(a[1], b[1]), i64.lt_u(most, borrow));
  return [a[0], middle, i64.sub(i64.sub(a[2], b[2]), i64.extend_i32_u(under))];
}

/** The upper 64 bits, the last one set where there is more: bounds compare right then. */
function roundedToOdd(f: FunctionBuilder, [, middle, high]: Wide): WasmNode {
  return f.keep(i64.or(high, i64.extend_i32_u(i64.gt_u(middle, i64.const(1n)))));
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

/** 10^k of 64 bits, for k up to 17; of more digits the part before the point is 0. */
function powerOfTen(f: FunctionBuilder, k: WasmNode): WasmNode {
  const most = select(i32.lt_s(k, i32.const(17)), k, i32.const(17));
  return f.keep(i64.load(i32.shl(most, i32.const(3)), layout.tens));
}

/**
 * The eight digits of a number below 10^8, one a byte, the first in the lowest: halves of four, of two, of one digit are made
 * side by side, by multiplications with reciprocals.
 */
function eightDigits(f: FunctionBuilder, value: WasmNode): WasmNode {
  const halve = (v: WasmNode, [reciprocal, shift, mask, base, place]: readonly bigint[]) => {
    const quotient = i64.shr_u(i64.mul(v, i64.const(reciprocal!)), i64.const(shift!));
    const high = f.keep(i64.and(quotient, i64.const(mask!)));
    const low = i64.sub(v, i64.mul(high, i64.const(base!)));
    return f.keep(i64.or(high, i64.shl(low, i64.const(place!))));
  };
  const fours = halve(value, [109_951_163n, 40n, 0xffffn, 10_000n, 32n]);
  const twos = halve(fours, [10_486n, 20n, 0x7f_0000_007fn, 100n, 16n]);
  return halve(twos, [103n, 10n, 0xf_000f_000f_000fn, 10n, 8n]);
}

const asText = (digits: WasmNode): WasmNode => i64.or(digits, i64.const(0x3030_3030_3030_3030n));

/** Writes a whole number of at most 18 digits, and moves `at` after it. */
function whole(f: FunctionBuilder, at: number, value: WasmNode): void {
  const put = (digits: WasmNode) => {
    f.emit(i64.store(f.get(at), asText(digits)));
    f.increment(at, 8);
  };
  /** Of a number below 10^8, without zeros before it. */
  const short = (number: WasmNode) => {
    const digits = eightDigits(f, number);
    const used = i64.or(digits, i64.const(1n << 56n)); // one digit of 0
    const zeros = f.keep(i64.shr_u(i64.ctz(used), i64.const(3n)));
    const shift = i64.shl(zeros, i64.const(3n));
    f.emit(i64.store(f.get(at), i64.shr_u(asText(digits), shift)));
    f.increment(at, i32.sub(i32.const(8), i32.wrap_i64(zeros)));
  };
  f.if(
    i64.lt_u(value, i64.const(EIGHT)),
    () => short(value),
    () => {
      const upper = f.keep(i64.div_u(value, i64.const(EIGHT)));
      const lower = f.keep(i64.sub(value, i64.mul(upper, i64.const(EIGHT))));
      f.if(
        i64.lt_u(upper, i64.const(EIGHT)),
        () => short(upper),
        () => {
          const first = f.keep(i64.div_u(upper, i64.const(EIGHT)));
          short(first);
          put(eightDigits(f, f.keep(i64.sub(upper, i64.mul(first, i64.const(EIGHT))))));
        },
      );
      put(eightDigits(f, lower));
    },
  );
}

/** Writes the digits after the point, so many places, without zeros at the end, and returns the address after them. */
function fraction(f: FunctionBuilder, at: number, value: WasmNode, places: WasmNode): void {
  // As 17 digits, after zeros where there are more places.
  const rest = f.keep(i32.sub(i32.const(17), places));
  f.if(i32.lt_s(rest, i32.const(0)), () => {
    f.emit(v128.store(f.get(at), ZEROS));
    f.set(at, i32.sub(f.get(at), rest));
  });
  const missing = f.keep(select(i32.gt_s(rest, i32.const(0)), rest, i32.const(0)));
  const all = f.keep(i64.mul(value, powerOfTen(f, missing)));
  const upper = f.keep(i64.div_u(all, i64.const(EIGHT)));
  const first = f.keep(i32.div_u(i32.wrap_i64(upper), i32.const(100_000_000)));
  const middle = f.keep(i64.sub(upper, i64.mul(i64.extend_i32_u(first), i64.const(EIGHT))));
  const last = f.keep(i64.sub(all, i64.mul(upper, i64.const(EIGHT))));
  const [eight, more] = [eightDigits(f, middle), eightDigits(f, last)];
  f.emit(
    i32.store8(f.get(at), i32.add(first, i32.const(ZERO))),
    i64.store(f.get(at), asText(eight), 1),
    i64.store(f.get(at), asText(more), 9),
  );
  const zerosOf = (digits: WasmNode) => i32.shr_u(i32.wrap_i64(i64.clz(digits)), i32.const(3));
  const zeros = select(i64.eqz(more), i32.add(zerosOf(eight), i32.const(8)), zerosOf(more));
  f.return(i32.sub(i32.add(f.get(at), i32.const(17)), zeros));
}
