import type { Grid } from '@corpuscle/core';
import type { WgslField } from '../../lower/wgsl/WgslEnv.js';
import { wgslMember } from '../../lower/wgsl/wgslNames.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { ParticleAccess } from '../pattern/ParticleAccess.js';
import { cellVectorWgsl, cellWgsl } from '../wgsl/frameWgsl.js';

/** What neighbours receive in one field. */
export interface Given {
  readonly field: string;
  readonly type: 'f32' | 'i32' | 'u32';
  /** The private array that a thread collects it in. */
  readonly array: string;
}

/** Reals are counted in units of 2^-36: sums are exact, and the same in whatever order threads add. */
const FRACTION_BITS = 36;
/** Contributions beyond are cut to this; a hundred of them still fit. */
const LARGEST = 2 ** 20;

export const GIVE_LANES = 128;

/** Words of the buffer `given`: a mark for each row, and two words an output and row behind them. */
export const givenWords = (outputs: number, rows: number): number => rows * (1 + 2 * outputs);

/** Where output k of a row is in the buffer `given`. */
export const wordsAt = (k: number, row: string): string => `P.count * ${1 + 2 * k}u + 2u * ${row}`;

/**
 * `giveReal(at, x)`: adds a real to an accumulator. Its magnitude is split into a high and a low word, both exact; the carry of
 * the low word is known from its old value.
 */
export const giveRealText = `
fn giveReal(at: u32, x: f32) {
  let units = min(abs(x), ${LARGEST}.0) * ${2 ** (FRACTION_BITS - 32)}.0;
  let whole = floor(units);
  var low = u32((units - whole) * 4294967296.0);
  var high = u32(whole);
  if (x < 0.0) {
    high = ~high + select(0u, 1u, low == 0u);
    low = ~low + 1u;
  }
  let old = atomicAdd(&given[at], low);
  high += select(0u, 1u, old + low < low);
  if (high != 0u) { atomicAdd(&given[at + 1u], high); }
}`;

/** A statement that adds `value` to the accumulator at `at`. */
export const giveStatement = ({ type }: Given, at: string, value: string): string =>
  type === 'f32'
    ? `giveReal(${at}, ${value});`
    : `atomicAdd(&given[${at}], bitcast<u32>(${value}));`;

/** `give(row, k)`: adds element k of every private array to the accumulators of a row. */
export function giveText(given: readonly Given[]): string {
  if (given.length === 0) return '';
  const statements = given.map((gift, k) =>
    giveStatement(gift, wordsAt(k, 'row'), `${gift.array}[k]`),
  );
  return `${giveRealText}
fn give(row: u32, k: u32) {
  ${statements.join('\n  ')}
}`;
}

const FROM_UNITS = `
fn fromUnits(low: u32, high: u32) -> f32 {
  let negative = high >= 0x80000000u;
  let l = select(low, ~low + 1u, negative);
  let h = select(high, ~high + select(0u, 1u, low == 0u), negative);
  let size = f32(h) * ${2 ** (32 - FRACTION_BITS)} + f32(l) * ${2 ** -FRACTION_BITS};
  return select(size, -size, negative);
}
`;

/** Adds the accumulators to the fields. */
export function givenKernel(
  name: string,
  given: readonly Given[],
  grid: Grid,
  state: DeviceReal,
): { source: KernelSource; blocks: readonly { name: string; written: boolean }[] } {
  const access = new ParticleAccess(grid, state);
  const fields = given.map(
    ({ field, type }): WgslField => ({ field, member: wgslMember(field), type, written: true }),
  );
  const load = access.loadRows(fields, 'row', 'index');
  const add = fields.map((field, k) => {
    const at = wordsAt(k, 'index');
    const low = `given[${at}]`;
    if (field.type !== 'f32') return access.add(field, 'row', `bitcast<${field.type}>(${low})`);
    return access.add(field, 'row', `fromUnits(${low}, given[${at} + 1u])`);
  });
  const source: KernelSource = {
    label: `${name}: neighbours' share`,
    workgroupSize: GIVE_LANES,
    buffers: [...access.buffers, { name: 'given', type: 'array<u32>', access: 'read' }],
    params: { ...access.params, count: 'u32', one: 'f32' },
    declarations: `${access.usesFrame ? cellWgsl + cellVectorWgsl(false) : ''}${access.declarations}${FROM_UNITS}`,
    body: `
  if (index < P.count) {
    ${load}
    ${add.join('\n    ')}
    ${access.storeRows(fields, 'row', 'index')}
  }`,
  };
  return { source, blocks: access.blocks };
}
