import { CorpuscleError } from '@corpuscle/core';
import { fromCaller } from '@corpuscle/functor/error';

/**
 * Runs `make`, and says of mistakes in functions where `maker` was called: that is where the author wrote them, while the
 * functor itself is defined in one of our files.
 */
export function declaredAt<T>(maker: (...args: never[]) => unknown, make: () => T): T {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, maker);
  try {
    return make();
  } catch (error) {
    if (!(error instanceof CorpuscleError) || !error.code.startsWith('FUNCTOR_'))
      throw fromCaller(error, maker);
    const caller = holder.stack?.split('\n')[1] ?? '';
    const site = /((?:file:\/\/)?[^\s()]+):(\d+):(\d+)\)?$/.exec(caller);
    if (!site) throw fromCaller(error, maker);
    const [file, line, column] = [
      site[1]!.replace('file://', ''),
      Number(site[2]),
      Number(site[3]),
    ];
    const message = error.message
      .replace(/\(defined at .*?:\d+:\d+\)/, () => `(defined at ${file}:${line}:${column})`)
      .replace('pass it to the helper as an argument', 'make it a coefficient or write the number');
    const location = { ...error.location, file, line, column };
    throw new CorpuscleError(error.code, message, { location, cause: error });
  }
}
