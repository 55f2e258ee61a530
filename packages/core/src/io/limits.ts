import { CorpuscleError } from '@corpuscle/functor/error';

/**
 * What readers accept at most. A file above a limit is refused with a place, before anything of that size is made.
 * The limits lie far above real files; docs/limits.md lists them.
 */
export const limits = {
  /** Characters of one line of a text file. */
  lineLength: 1024 * 1024,
  /** Columns of one line of particles. */
  columns: 65_536,
  /** Names of species in one file, where the simulation does not list its particle types. */
  species: 4096,
  /** Bytes a file is taken to have where its size is unknown: a pipe, a compressed file. */
  unknownSize: 2 ** 30,
  /** Characters of one YAML document. */
  documentLength: 1024 * 1024,
  /** Maps and lists inside each other, in a document as it is after aliases are resolved. */
  documentDepth: 100,
  /** Keys of one map of a document. */
  mapKeys: 1024,
  /** Values that aliases (`*name`, `<<`) add to a document. */
  aliasedNodes: 100_000,
  /** Operators and batches of a simulation, each counted as often as it is used. */
  graphNodes: 10_000,
  /** Mistakes of a document that are told at once. */
  mistakes: 100,
  /** Files that a simulation is read from, each counted as often as it is included. */
  files: 256,
  /** Characters of a number with units, or of a formula. */
  expressionLength: 4096,
  /** Parentheses, signs and powers inside each other, in a number with units or a formula. */
  expressionDepth: 100,
  /** Operators of a formula. */
  formulaOperators: 400,
} as const;

/**
 * A new array of numbers for a file's values. A host that has no room for it is told as an error of Corpuscle.
 * @throws CorpuscleError OUT_OF_MEMORY
 */
export function allocateNumbers(count: number, what: string): Float64Array<ArrayBuffer> {
  try {
    return new Float64Array(count);
  } catch (cause) {
    throw new CorpuscleError(
      'OUT_OF_MEMORY',
      `${what} needs ${count} numbers, for which there is no memory: read a smaller file`,
      { cause },
    );
  }
}
