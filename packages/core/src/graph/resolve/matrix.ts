import { setAt } from '../yaml/applyOption.js';
import {
  describeNode,
  errorAt,
  type MapEntry,
  type MapNode,
  plainOf,
  type ScalarNode,
  type SourceNode,
} from '../yaml/SourceNode.js';
import { configurationEntries } from './resolveConfiguration.js';

/** Simulations of one document at most. */
const MOST = 10_000;

/** One simulation of a sweep. */
export interface MatrixPoint {
  /** Of its folder: `temperature=0.8,seed=1`. */
  readonly name: string;
  readonly values: readonly (readonly [key: MapEntry, value: SourceNode])[];
}

/**
 * The simulations of `matrix: { temperature: [0.8, 1], seed: 1..4 }`: every value with every other, the last name fastest. None
 * where there is no matrix.
 * @throws CorpuscleError WRONG_TYPE, INVALID_VALUE
 */
export function matrixOf(document: MapNode): readonly MatrixPoint[] {
  const matrix = document.entries.get('matrix');
  if (!matrix) return [];
  if (matrix.value.kind !== 'map' || matrix.value.entries.size === 0)
    throw errorAt(
      matrix.value,
      'WRONG_TYPE',
      `matrix is ${describeNode(matrix.value)}: give names with lists of values, such as { seed: 1..4 }`,
    );
  let points: MatrixPoint[] = [{ name: '', values: [] }];
  for (const key of matrix.value.entries.values()) {
    const values = valuesOf(key);
    if (points.length * values.length > MOST)
      throw errorAt(key, 'INVALID_VALUE', `the matrix has more than ${MOST} simulations`);
    points = points.flatMap(({ name, values: before }) =>
      values.map((value) => ({
        name: `${name === '' ? '' : `${name},`}${wordOf(key.key)}=${wordOf(plainOf(value))}`,
        values: [...before, [key, value] as const],
      })),
    );
  }
  const names = new Set<string>();
  for (const { name, values } of points) {
    if (names.has(name))
      throw errorAt(values.at(-1)![1], 'INVALID_VALUE', `the matrix has ${name} twice: remove one`);
    names.add(name);
  }
  return points;
}

/** The document of one simulation: a name of `configuration` or `global`, or a path as for --set, has its value. */
export function applyPoint(document: MapNode, { values }: MatrixPoint): MapNode {
  return values.reduce((before, [entry, value]) => {
    const { key } = entry;
    const section = Object.hasOwn(configurationEntries, key) ? 'configuration' : 'global';
    const path = key.includes('.') ? key : `${section}.${key}`;
    return setAt(before, path, value, entry);
  }, document);
}

function valuesOf(key: MapEntry): readonly SourceNode[] {
  const { value } = key;
  if (value.kind === 'list' && value.items.length > 0) return value.items;
  const range = value.kind === 'scalar' ? /^(-?\d+)\.\.(-?\d+)$/.exec(String(value.value)) : null;
  const [first, last] = range ? [Number(range[1]), Number(range[2])] : [0, -1];
  if (last - first >= MOST)
    throw errorAt(value, 'INVALID_VALUE', `the matrix has more than ${MOST} simulations`);
  if (value.kind === 'list' || last < first)
    throw errorAt(
      value,
      'WRONG_TYPE',
      `'${key.key}' in matrix is ${value.kind === 'list' ? 'an empty list' : describeNode(value)}: give a list of values, or a range such as 1..4`,
    );
  return Array.from(
    { length: last - first + 1 },
    (_, k): ScalarNode => ({ ...(value as ScalarNode), value: first + k }),
  );
}

/** A key or a value as a part of the name of a folder. */
const wordOf = (plain: unknown): string => {
  const text = typeof plain === 'object' ? JSON.stringify(plain) : String(plain);
  return text.replace(/[^\w.+-]+/g, '_').replace(/^\.+/, '_');
};
