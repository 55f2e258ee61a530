import { type DeviceReal, realType } from '../double/DeviceReals.js';
import { REAL_WORDS, scatterRealWgsl } from './accumulators.js';

/** What neighbors receive in one field. */
export interface Scattered {
  readonly field: string;
  /** Of what a thread adds. */
  readonly type: 'f32' | 'vec2f' | 'i32' | 'u32';
  /** The array that a thread collects it in. */
  readonly array: string;
}

const isReal = ({ type }: Pick<Scattered, 'type'>): boolean => type === 'f32' || type === 'vec2f';
const wordsOf = (scattered: Pick<Scattered, 'type'>): number =>
  isReal(scattered) ? REAL_WORDS : 1;

/** Words of the buffer `scattered`: marks of each row, and an accumulator an output and row after them. */
export const scatterWords = (scattered: readonly Scattered[], rows: number): number =>
  rows * scattered.reduce((sum, each) => sum + wordsOf(each), 1);

/** Where the first word of output k of a row is in the buffer `scattered`; the next ones follow at distances of `P.count`. */
export const wordsAt = (scattered: readonly Scattered[], k: number, row: string): string =>
  `P.count * ${scatterWords(scattered.slice(0, k), 1)}u + ${row}`;

/** Statements that add `values[k]` to the accumulators of the outputs `scattered[k]` of a row. */
export function scatterStatements(
  scattered: readonly Scattered[],
  row: string,
  values: readonly { readonly of: Scattered; readonly value: string }[],
): string {
  const each = values.map(({ of, value }) => ({
    of,
    value,
    at: wordsAt(scattered, scattered.indexOf(of), row),
  }));
  const reals = each.filter(({ of }) => isReal(of));
  const integers = each.filter(({ of }) => !isReal(of));
  // The first word of a float is empty.
  const words = reals.some(({ of }) => of.type === 'vec2f') ? [0, 1, 2] : [1, 2];
  const ofEach = (text: (k: number) => string): string[] => reals.map((_, k) => text(k));
  return [
    ...integers.map(({ at, value }) => `atomicAdd(&scattered[${at}], bitcast<u32>(${value}));`),
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
    ...ofEach((k) => `scatterCarry(share${k}, carry${k});`),
  ].join('\n  ');
}

/** A real as high and low part that do not overlap. */
const split = ({ type }: Scattered, value: string): string =>
  type === 'f32' ? `vec2f(${value}, 0.0)` : `ds_sum((${value}).x, (${value}).y)`;

/** What `scatterStatements` call. */
export const scatterDeclarations = (scattered: readonly Scattered[]): string =>
  scattered.some(isReal) ? scatterRealWgsl : '';

/** `scatter(row, k)`: adds element k of every private array to the accumulators of a row. */
export function scatterText(scattered: readonly Scattered[]): string {
  if (scattered.length === 0) return '';
  const values = scattered.map((of) => ({ of, value: `${of.array}[k]` }));
  return `${scatterDeclarations(scattered)}
fn scatter(row: u32, k: u32) {
  ${scatterStatements(scattered, 'row', values)}
}`;
}

/** Scatters all that a thread has collected. Zeros are passed over before lanes of a wave meet, not while others add. */
export function scatterAllText(scattered: readonly Scattered[]): string {
  if (scattered.length === 0) return '';
  const isZero = scattered.map(({ array, type }) =>
    type === 'vec2f' ? `all(${array}[k] == vec2f(0.0, 0.0))` : `${array}[k] == ${type}(0)`,
  );
  return `for (var k = 0u; k < n.count_; k++) {
      while (k < n.count_ && ${isZero.join(' && ')}) { k++; }
      if (k < n.count_) { scatter(n_row[k], k); }
    }`;
}

/** The type of what arrives in a row's field. */
export const receivedType = ({ type }: Scattered, state: DeviceReal): Scattered['type'] =>
  isReal({ type }) ? realType(state) : type;
