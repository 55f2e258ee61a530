import { CorpuscleError, type SourceLocation } from '@corpuscle/functor/error';
import { isOurs, placesIn } from './stackPlaces.js';

/** Stacks of the calls that have defined operators, which are made into text when one is wrong. */
const stacks = new WeakMap<object, { readonly stack?: string }>();

/** Notes where a definition is made: outside of our packages, that is where its author has to mend it. */
export function noteDefinition(definition: object, maker: (...args: never[]) => unknown): void {
  const holder: { stack?: string } = {};
  // Older browsers give no stacks.
  Error.captureStackTrace?.(holder, maker);
  stacks.set(definition, holder);
}

/** An error of a definition with its place, where that is known and the error has none. */
export function atDefinition(error: unknown, definition: object): unknown {
  const location = placeOf(stacks.get(definition)?.stack ?? '');
  if (!(error instanceof CorpuscleError) || error.location || !location) return error;
  return new CorpuscleError(error.code, error.message, { location, cause: error });
}

/** The first place of a stack in a file that is not ours. */
function placeOf(stack: string): SourceLocation | undefined {
  const place = placesIn(stack).find((one) => !isOurs(one));
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(place ?? '') ?? [];
  return file === undefined
    ? undefined
    : { file: decodeURI(file), line: Number(line), column: Number(column) };
}
