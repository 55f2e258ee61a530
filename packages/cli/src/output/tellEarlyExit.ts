import { writeSync } from 'node:fs';
import { isOurs, type SourceLocation } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';
import { placeOf } from '../typescript/importFailure.js';
import { displayPath, formatError } from './formatError.js';

/** How a process ends that has been told to, or that waits for what never comes (Node says 13). */
const LOOKS_DONE: readonly number[] = [0, 13];

/**
 * From now on a process that ends is a run that failed, until the function given back is called. An operator that calls
 * `process.exit()`, or waits for what never comes, must not look like a run that is done. What it throws after its call, in a timer or
 * in a promise that nobody awaits, is told at its place.
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
  const fail = (error: unknown) => {
    const location = placeOf(error);
    const isDefect = location && isOurs(location.file);
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    writeSync(2, isDefect ? formatError(error) : formatFailure(what, location));
    process.exit(exitCode.failed);
  };
  process.on('beforeExit', drain);
  process.on('exit', tell);
  process.on('uncaughtException', fail);
  return () => {
    process.off('uncaughtException', fail);
    process.off('beforeExit', drain);
    process.off('exit', tell);
  };
}

function formatFailure(what: string, location: SourceLocation | undefined): string {
  const place = location
    ? `${displayPath(location.file)}:${location.line}:${location.column}`
    : 'corpuscle';
  return `${place}: the run is not done: what an operator began and did not await has failed: ${what}; files hold what was written before\n`;
}
