import { type DeviceReal, realType } from '../double/DeviceReals.js';
import { giveRealWgsl, REAL_WORDS } from './accumulators.js';

/** What neighbors receive in one field. */
export interface Given {
  readonly field: string;
  /** Of what a thread gives. */
  readonly type: 'f32' | 'vec2f' | 'i32' | 'u32';
  /** The array that a thread collects it in. */
  readonly array: string;
}

const isReal = ({ type }: Pick<Given, 'type'>): boolean => type === 'f32' || type === 'vec2f';
const wordsOf = (given: Pick<Given, 'type'>): number => (isReal(given) ? REAL_WORDS : 1);

/** Words of the buffer `given`: marks of each row, and an accumulator an output and row after them. */
export const givenWords = (given: readonly Given[], rows: number): number =>
  rows * given.reduce((sum, each) => sum + wordsOf(each), 1);

/** Where the first word of output k of a row is in the buffer `given`; the next ones follow at distances of `P.count`. */
export const wordsAt = (given: readonly Given[], k: number, row: string): string =>
  `P.count * ${givenWords(given.slice(0, k), 1)}u + ${row}`;

/** Statements that add `values[k]` to the accumulators of the outputs `given[k]` of a row. */
export function giveStatements(
  given: readonly Given[],
  row: string,
  values: readonly { readonly of: Given; readonly value: string }[],
): string {
  const each = values.map(({ of, value }) => ({
    of,
    value,
    at: wordsAt(given, given.indexOf(of), row),
  }));
  const reals = each.filter(({ of }) => isReal(of));
  const integers = each.filter(({ of }) => !isReal(of));
  // The first word of a float is empty.
  const words = reals.some(({ of }) => of.type === 'vec2f') ? [0, 1, 2] : [1, 2];
  const ofEach = (text: (k: number) => string): string[] => reals.map((_, k) => text(k));
  return [
    ...integers.map(({ at, value }) => `atomicAdd(&given[${at}], bitcast<u32>(${value}));`),
    ...reals.map(
      ({ of, at, value }, k) => `let share${k} = shareOf(${row}, ${at}, ${split(of, value)});`,
    ),
    ...ofEach((k) => `var carry${k} = 0u;`),
    ...words.flatMap((w) => [
      ...ofEach((k) => `let value${k}_${w} = share${k}.words[${w}] + carry${k};`),
      ...ofEach((k) => `let before${k}_${w} = addWord(share${k}, ${w}u, value${k}_${w});`),
      ...ofEach(
        (k) => `carry${k} = carryFrom(share${k}, before${k}_${w}, value${k}_${w}, carry${k});`,
      ),
    ]),
    ...ofEach((k) => `giveCarry(share${k}, carry${k});`),
  ].join('\n  ');
}

/** A real as high and low part that do not overlap. */
const split = ({ type }: Given, value: string): string =>
  type === 'f32' ? `vec2f(${value}, 0.0)` : `ds_sum((${value}).x, (${value}).y)`;

/** What `giveStatements` call. */
export const giveDeclarations = (given: readonly Given[]): string =>
  given.some(isReal) ? giveRealWgsl : '';

/** `give(row, k)`: adds element k of every private array to the accumulators of a row. */
export function giveText(given: readonly Given[]): string {
  if (given.length === 0) return '';
  const values = given.map((of) => ({ of, value: `${of.array}[k]` }));
  return `${giveDeclarations(given)}
fn give(row: u32, k: u32) {
  ${giveStatements(given, 'row', values)}
}`;
}

/** Gives all that a thread has collected. Zeros are passed over before lanes of a wave meet, not while others give. */
export function giveAllText(given: readonly Given[]): string {
  if (given.length === 0) return '';
  const isZero = given.map(({ array, type }) =>
    type === 'vec2f' ? `all(${array}[k] == vec2f(0.0, 0.0))` : `${array}[k] == ${type}(0)`,
  );
  return `for (var k = 0u; k < n.count_; k++) {
      while (k < n.count_ && ${isZero.join(' && ')}) { k++; }
      if (k < n.count_) { give(n_row[k], k); }
    }`;
}

/** The type of what arrives in a row's field. */
export const receivedType = ({ type }: Given, state: DeviceReal): Given['type'] =>
  isReal({ type }) ? realType(state) : type;
