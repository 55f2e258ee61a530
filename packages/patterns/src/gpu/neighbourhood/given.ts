import { type DeviceReal, realType } from '../double/DeviceReals.js';
import { giveRealWgsl, REAL_WORDS } from './accumulators.js';

/** What neighbours receive in one field. */
export interface Given {
  readonly field: string;
  /** Of what a thread gives. */
  readonly type: 'f32' | 'vec2f' | 'i32' | 'u32';
  /** The array that a thread collects it in. */
  readonly array: string;
}

const isReal = ({ type }: Pick<Given, 'type'>): boolean => type === 'f32' || type === 'vec2f';
const wordsOf = (given: Pick<Given, 'type'>): number => (isReal(given) ? REAL_WORDS : 1);

/** Words of the buffer `given`: marks of each row, and an accumulator an output and row behind them. */
export const givenWords = (given: readonly Given[], rows: number): number =>
  rows * given.reduce((sum, each) => sum + wordsOf(each), 1);

/** Where output k of a row is in the buffer `given`. */
export function wordsAt(given: readonly Given[], k: number, row: string): string {
  return `P.count * ${givenWords(given.slice(0, k), 1)}u + ${wordsOf(given[k]!)}u * ${row}`;
}

/** A statement that adds `value` to the accumulator of output k of a row. */
export function giveStatement(
  given: readonly Given[],
  k: number,
  row: string,
  value: string,
): string {
  const { type } = given[k]!;
  const at = wordsAt(given, k, row);
  if (type === 'f32') return `giveReal(${row}, ${at}, vec2f(${value}, 0.0));`;
  if (type === 'vec2f') return `giveReal(${row}, ${at}, ds_sum((${value}).x, (${value}).y));`;
  return `atomicAdd(&given[${at}], bitcast<u32>(${value}));`;
}

/** What `giveStatement` calls. */
export const giveDeclarations = (given: readonly Given[]): string =>
  given.some(isReal) ? giveRealWgsl : '';

/** `give(row, k)`: adds element k of every private array to the accumulators of a row. */
export function giveText(given: readonly Given[]): string {
  if (given.length === 0) return '';
  const statements = given.map(({ array }, k) => giveStatement(given, k, 'row', `${array}[k]`));
  return `${giveDeclarations(given)}
fn give(row: u32, k: u32) {
  ${statements.join('\n  ')}
}`;
}

/** The type of what arrives in a row's field. */
export const receivedType = ({ type }: Given, state: DeviceReal): Given['type'] =>
  isReal({ type }) ? realType(state) : type;
