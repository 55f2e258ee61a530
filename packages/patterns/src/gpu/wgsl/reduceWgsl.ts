/** One result of a reduction on the device. */
export interface DeviceResult {
  readonly name: string;
  readonly type: 'f32' | 'i32' | 'u32';
  readonly op: 'sum' | 'max' | 'min';
}

const LIMITS = {
  f32: { max: 'bitcast<f32>(0xff7fffffu)', min: 'bitcast<f32>(0x7f7fffffu)', sum: '0.0' },
  i32: { max: '(-2147483647 - 1)', min: '2147483647', sum: '0' },
  u32: { max: '0u', min: '4294967295u', sum: '0u' },
} as const;

/** The value that changes nothing. */
export const identityOf = ({ type, op }: DeviceResult): string => LIMITS[type][op];

/** The same as a number of the host. */
export function identityValue({ type, op }: DeviceResult): number {
  if (op === 'sum') return 0;
  const sign = op === 'max' ? -1 : 1;
  if (type === 'f32') return sign * (2 - 2 ** -23) * 2 ** 127;
  if (type === 'i32') return op === 'max' ? -(2 ** 31) : 2 ** 31 - 1;
  return op === 'max' ? 0 : 2 ** 32 - 1;
}

/** An accumulator is two words: high and low part of a compensated sum, or one number and a zero. */
export const packedWgsl = (value: string): string => `vec2u(bitcast<u32>(${value}), 0u)`;

/**
 * `combine_<k>(a, b)` for every result. Sums of reals carry their rounding errors along (Knuth's two-sum). Every addition
 * is written fma(a, one, b) with `one` read from the uniform record: shader compilers would otherwise rearrange the
 * additions and lose the errors.
 */
export function combineWgsl(results: readonly DeviceResult[]): string {
  const functions = results.map(({ type, op }, k) => {
    const a = `bitcast<${type}>(a.x)`;
    const b = `bitcast<${type}>(b.x)`;
    let result = packedWgsl(op === 'sum' ? `${a} + ${b}` : `${op}(${a}, ${b})`);
    if (type === 'f32' && op === 'sum') result = 'addCompensated(a, b)';
    return `fn combine_${k}(a: vec2u, b: vec2u) -> vec2u { return ${result}; }`;
  });
  return `
fn plus(a: f32, b: f32) -> f32 { return fma(a, P.one, b); }
fn addCompensated(p: vec2u, q: vec2u) -> vec2u {
  let a = bitcast<vec2f>(p);
  let b = bitcast<vec2f>(q);
  let s = plus(a.x, b.x);
  let t = plus(s, -a.x);
  let e = plus(plus(a.x, -plus(s, -t)), plus(b.x, -t));
  return bitcast<vec2u>(vec2f(s, plus(plus(a.y, b.y), e)));
}
${functions.join('\n')}
`;
}

/** Results that share the barriers of one tree; bounds workgroup memory to 8 KiB for 256 lanes. */
const TOGETHER = 4;

/** Workgroup memory for `treeWgsl`. */
export const treeMemoryWgsl = (lanes: number, results: number): string =>
  `var<workgroup> tree: array<array<vec2u, ${lanes}>, ${Math.min(TOGETHER, results)}>;\n`;

/**
 * Statements that combine `own_<k>` of all lanes and let lane 0 store the outcome in `to[k · stride + at]`. The order is
 * that of a binary tree, always the same. Control flow must be uniform.
 */
export function treeWgsl(
  results: readonly DeviceResult[],
  lanes: number,
  to: string,
  stride: string,
  at: string,
): string {
  const text: string[] = [];
  for (let first = 0; first < results.length; first += TOGETHER) {
    const slots = [...results.keys()].slice(first, first + TOGETHER);
    const each = (statement: (k: number, slot: number) => string): string =>
      slots.map((k) => statement(k, k - first)).join('\n    ');
    text.push(`
  ${first > 0 ? 'workgroupBarrier();' : ''}
  ${each((k, slot) => `tree[${slot}][lane] = own_${k};`)}
  workgroupBarrier();
  for (var half = ${lanes / 2}u; half > 0u; half >>= 1u) {
    if (lane < half) {
      ${each((k, slot) => `tree[${slot}][lane] = combine_${k}(tree[${slot}][lane], tree[${slot}][lane + half]);`)}
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    ${each((k, slot) => `${to}[${k}u * ${stride} + ${at}] = tree[${slot}][0];`)}
  }`);
  }
  return text.join('\n');
}
