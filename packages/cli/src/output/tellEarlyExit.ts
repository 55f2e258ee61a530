import { writeSync } from 'node:fs';
import { exitCode } from '../exitCodes.js';

/** How a process ends that has been told to, or that waits for what never comes (Node says 13). */
const LOOKS_DONE: readonly number[] = [0, 13];

/**
 * From now on a process that ends is a run that failed, until the function given back is called. An operator that calls
 * `process.exit()`, or waits for what never comes, must not look like a run that is done.
 */
export function tellEarlyExit(): () => void {
  let drained = false;
  const drain = () => {
    drained = true;
  };
  const tell = (code: number) => {
    if (!LOOKS_DONE.includes(code)) return;
    process.exitCode = exitCode.failed;
    const why = drained
      ? 'what an operator waits for never comes'
      : 'an operator has ended the process';
    writeSync(2, `corpuscle: the run is not done: ${why}; files hold what was written before\n`);
  };
  process.on('beforeExit', drain);
  process.on('exit', tell);
  return () => {
    process.off('beforeExit', drain);
    process.off('exit', tell);
  };
}
