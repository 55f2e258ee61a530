import vm from 'node:vm';
import { CorpuscleError } from '@corpuscle/core';

/** Seconds that what takes microseconds may take. */
const LIMIT = 2;

let call: { readonly script: vm.Script; readonly global: { run?: () => unknown } } | undefined;

/**
 * Runs functions that a user has written, once and on the main thread, and ends them where they have no end: V8 takes the thread
 * out of them.
 * @param work what messages say has no end, such as `'my_pair'`
 * @throws CorpuscleError INVALID_VALUE
 */
export function withinTime<R>(work: string, run: () => R): R {
  call ??= { script: new vm.Script('run()'), global: vm.createContext({}) };
  const { script, global } = call;
  global.run = run;
  try {
    return script.runInContext(global, { timeout: 1000 * LIMIT, displayErrors: false }) as R;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${work} has worked for ${LIMIT} s, and has been ended: a loop of it has no end`,
    );
  } finally {
    delete global.run;
  }
}
