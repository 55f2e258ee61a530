import type { MathBuiltin } from '../ir.js';
import { type Builtin, innerBuiltins, mathBuiltins } from '../library/builtins.js';
import { type ParsedFunction, parseFunction } from './parseFunction.js';

/** Before the name of a function of the library, so that a user's helper may have the same. */
export const BUILTIN = '$';

/** The function of the library that a name with {@link BUILTIN} stands for. */
export const builtinOf = (name: string): Builtin | null =>
  name.startsWith(BUILTIN) ? libraryOf(name.slice(BUILTIN.length)) : null;

const libraryOf = (name: string): Builtin =>
  (innerBuiltins[name] ?? mathBuiltins[name as MathBuiltin])!;

const parsedBuiltins = new Map<string, ParsedFunction>();

/** The library is parsed once, each function when it is first called. */
export function parsedBuiltin(name: string, { fn }: Builtin): ParsedFunction {
  let parsed = parsedBuiltins.get(name);
  if (!parsed) {
    const site = { file: '@corpuscle/functor', line: 1, column: 1 };
    parsed = {
      ...parseFunction(fn, `'${name.slice(BUILTIN.length)}' of the library`, site),
      builtin: true,
    };
    parsedBuiltins.set(name, parsed);
  }
  return parsed;
}
