import { joinDouble } from '@corpuscle/functor/wgsl';

/** One result of a reduction on the device; a `vec2f` is a double-single number. */
export interface DeviceResult {
  readonly name: string;
  readonly type: 'f32' | 'vec2f' | 'i32' | 'u32';
  readonly op: 'sum' | 'max' | 'min';
}

/** A result, and where it goes. */
export interface PlacedResult extends DeviceResult {
  readonly place: number;
}

const LIMITS = {
  f32: { max: 'bitcast<f32>(0xff7fffffu)', min: 'bitcast<f32>(0x7f7fffffu)', sum: '0.0' },
  vec2f: {
    max: 'vec2f(bitcast<f32>(0xff7fffffu), 0.0)',
    min: 'vec2f(bitcast<f32>(0x7f7fffffu), 0.0)',
    sum: 'vec2f(0.0, 0.0)',
  },
  i32: { max: '(-2147483647 - 1)', min: '2147483647', sum: '0' },
  u32: { max: '0u', min: '4294967295u', sum: '0u' },
} as const;

/** The value that changes nothing. */
export const identityOf = ({ type, op }: DeviceResult): string => LIMITS[type][op];

/** The accumulator that changes nothing, see `packedWgsl`. */
export const emptyWgsl = (result: DeviceResult): string =>
  result.op === 'sum' ? 'vec2u(0u)' : packedWgsl(result, identityOf(result));

/** The same as a number of the host. */
export function identityValue({ type, op }: DeviceResult): number {
  if (op === 'sum') return 0;
  const sign = op === 'max' ? -1 : 1;
  if (type === 'f32' || type === 'vec2f') return sign * (2 - 2 ** -23) * 2 ** 127;
  if (type === 'i32') return op === 'max' ? -(2 ** 31) : 2 ** 31 - 1;
  return op === 'max' ? 0 : 2 ** 32 - 1;
}

/**
 * An accumulator is two words: high and low part of a double-single number or of a compensated sum of reals; low and high word of a sum of integers,
 * which so never overflows; one number and a zero for extremes.
 */
export function packedWgsl({ type, op }: DeviceResult, value: string): string {
  if (type === 'vec2f') return `bitcast<vec2u>(${value})`;
  const bits = `bitcast<u32>(${value})`;
  return op === 'sum' && type === 'i32'
    ? `vec2u(${bits}, bitcast<u32>((${value}) >> 31u))`
    : `vec2u(${bits}, 0u)`;
}

/** Bits of two floats. */
const WORDS = new Uint32Array(2);
const FLOATS = new Float32Array(WORDS.buffer);

/** The number an accumulator stands for. */
export function unpackResult({ type, op }: DeviceResult, low: number, high: number): number {
  if (type === 'f32' || type === 'vec2f') {
    WORDS[0] = low;
    WORDS[1] = high;
    return joinDouble(FLOATS[0]!, FLOATS[1]!);
  }
  if (op === 'sum') return (type === 'i32' ? high | 0 : high) * 2 ** 32 + low;
  return type === 'i32' ? low | 0 : low;
}

/** The function that combines two partial results of this kind. */
export function combinerOf({ type, op }: DeviceResult): string {
  return op === 'sum' ? SUMS[type] : `${op}${KINDS[type]}`;
}

const SUMS = { f32: 'addReals', vec2f: 'addDoubles', i32: 'addWhole', u32: 'addWhole' } as const;
const KINDS = { f32: 'Reals', vec2f: 'Doubles', i32: 'Signed', u32: 'Unsigned' } as const;

/**
 * The functions that combine partial results, two (`addReals`) or four (`addReals4`) of them, neighbors first. Sums of reals carry
 * their rounding errors along (Knuth's two-sum). Every addition is written fma(a, one, b) with `one` read from the uniform
 * record: shader compilers would otherwise rearrange the additions and lose the errors.
 */
export function combineWgsl(results: readonly DeviceResult[]): string {
  const kinds = new Map(results.map((result) => [combinerOf(result), result]));
  return [...kinds].map(([name, kind]) => `${combiner(name, kind)}${ofFour(name)}`).join('');
}

function combiner(name: string, { type, op }: DeviceResult): string {
  if (name === 'addReals') return ADD_REALS;
  if (name === 'addWhole') return ADD_WHOLE;
  if (type === 'vec2f')
    return `
// Double-single numbers.
fn ${name}(a: vec2u, b: vec2u) -> vec2u {
  return bitcast<vec2u>(ds_${op === 'sum' ? 'add' : op}(bitcast<vec2f>(a), bitcast<vec2f>(b)));
}
`;
  return `
fn ${name}(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(bitcast<u32>(${op}(bitcast<${type}>(a.x), bitcast<${type}>(b.x))), 0u);
}
`;
}

const ofFour = (name: string): string => `
// The same for four, neighbors first.
fn ${name}4(a: vec2u, b: vec2u, c: vec2u, d: vec2u) -> vec2u { return ${name}(${name}(a, b), ${name}(c, d)); }
`;

const ADD_REALS = `
// Compilers rearrange plain additions.
fn plus(a: f32, b: f32) -> f32 { return fma(a, P.one, b); }
// Sums of reals, each with its rounding error.
fn addReals(p: vec2u, q: vec2u) -> vec2u {
  let a = bitcast<vec2f>(p);
  let b = bitcast<vec2f>(q);
  let s = plus(a.x, b.x);
  let t = plus(s, -a.x);
  let e = plus(plus(a.x, -plus(s, -t)), plus(b.x, -t));
  return bitcast<vec2u>(vec2f(s, plus(plus(a.y, b.y), e)));
}
`;

const ADD_WHOLE = `
// Sums of whole numbers in 64 bits.
fn addWhole(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}
`;
