import { CorpuscleError } from '@corpuscle/functor/error';

/** Arrays that a checkpoint holds with all their bits. */
export type SavedArray =
  | Float64Array
  | Float32Array
  | Uint32Array
  | Int32Array
  | BigUint64Array
  | Uint8Array;

/** What an operator may save: plain data, with arrays of numbers anywhere in it. What is undefined is left out. */
export type Saved =
  | SavedArray
  | null
  | undefined
  | boolean
  | number
  | string
  | readonly Saved[]
  | { readonly [name: string]: Saved };

/** An array of a checkpoint, and its place in what was saved: `particles.blocks.position`. */
export interface NamedArray {
  readonly name: string;
  readonly array: SavedArray;
}

/** Saved data as JSON has no typed arrays, and no numbers beyond the finite ones. */
export interface Packed {
  readonly json: unknown;
  readonly arrays: readonly NamedArray[];
}

/** Levels of nesting; a file with more is not one of ours. */
const DEEPEST = 64;

/**
 * Divides saved data into JSON and arrays.
 *
 *   { x: Float64Array, y: NaN }   →   { "x": { "$array": 0 }, "y": { "$number": "NaN" } }  and the array, named x
 *
 * @throws CorpuscleError INVALID_VALUE for what cannot be saved.
 */
export function packSaved(saved: Saved): Packed {
  const arrays: NamedArray[] = [];
  const pack = (value: Saved, path: readonly string[]): unknown => {
    if (isSavedArray(value)) {
      arrays.push({ name: path.join('.'), array: value });
      return { $array: arrays.length - 1 };
    }
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return { $number: Object.is(value, -0) ? '-0' : String(value) };
    if (Array.isArray(value))
      return value.map((item: Saved, k) => pack(item ?? null, [...path, String(k)]));
    if (value === null || ['boolean', 'number', 'string', 'undefined'].includes(typeof value))
      return value;
    if (!isPlainObject(value) || path.length > DEEPEST) throw unsaved(path.join('.'));
    const entries = Object.entries(value).map(([name, item]) => [
      name,
      pack(item, [...path, name]),
    ]);
    return Object.fromEntries(entries);
  };
  return { json: pack(saved, []), arrays };
}

/** @throws CorpuscleError INVALID_VALUE for what `packSaved` does not take. @param name what messages call it */
export function checkSaved(value: unknown, name: string, depth = 0): void {
  if (value === null || isSavedArray(value)) return;
  if (['boolean', 'number', 'string', 'undefined'].includes(typeof value)) return;
  const isList = Array.isArray(value);
  if ((!isList && !isPlainObject(value)) || depth > DEEPEST) throw unsaved(name);
  for (const [key, item] of isList ? value.entries() : Object.entries(value))
    if (typeof item !== 'number') checkSaved(item, `${name}.${key}`, depth + 1);
}

const unsaved = (name: string): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `${name} cannot be saved: a checkpoint takes numbers, texts, arrays and plain objects`,
  );

const ARRAYS = [Float64Array, Float32Array, Uint32Array, Int32Array, BigUint64Array, Uint8Array];

const isSavedArray = (value: unknown): value is SavedArray =>
  ArrayBuffer.isView(value) && ARRAYS.some((type) => value instanceof type);

/** Whether it is an object without a class: of a map, a set or a date a checkpoint would hold nothing. */
function isPlainObject(value: unknown): value is { readonly [name: string]: Saved } {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * The opposite of `packSaved`.
 * @throws CorpuscleError FILE_FORMAT for JSON that `packSaved` does not make.
 */
export function unpackSaved(json: unknown, arrays: readonly SavedArray[]): Saved {
  const unpack = (value: unknown, depth: number): Saved => {
    if (depth > DEEPEST)
      throw new CorpuscleError('FILE_FORMAT', `data nest deeper than ${DEEPEST} levels`);
    if (Array.isArray(value)) return value.map((item) => unpack(item, depth + 1));
    if (typeof value !== 'object' || value === null) return value as Saved;
    if ('$array' in value) return arrayOf(value.$array, arrays);
    if ('$number' in value) return Number(value.$number);
    const entries = Object.entries(value).map(([name, item]) => [name, unpack(item, depth + 1)]);
    return Object.fromEntries(entries);
  };
  return unpack(json, 0);
}

function arrayOf(number: unknown, arrays: readonly SavedArray[]): SavedArray {
  const array = arrays[number as number];
  if (array) return array;
  throw new CorpuscleError('FILE_FORMAT', `there is no array ${String(number)}`);
}
