import { availableParallelism, devNull, hostname as nameOfHost, totalmem } from 'node:os';
import process from 'node:process';
import type { Host } from './Host.js';

/*
 * All of Node that the packages use for files and for their process. A page has the same names in ./browser.ts; the condition
 * `browser` of package.json chooses.
 */
export { createHash, type Hash, randomBytes } from 'node:crypto';
export {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
  writev,
  writevSync,
} from 'node:fs';
export { type FileHandle, open, rename } from 'node:fs/promises';
export { default as path } from 'node:path';

/** The name of this machine. */
export const hostname = nameOfHost();

export { base64, byteLength, joinBytes, textOfBytes, utf8 } from '../io/bytes.js';

/** This process. */
export const host: Host = {
  name: 'node',
  threads: availableParallelism,
  workingDirectory: () => process.cwd(),
  nowhere: devNull,
  environment: (name) => process.env[name],
  identity: () => process.pid,
  isRunning(identity) {
    try {
      process.kill(identity, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
  pause(milliseconds) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  },
  later: (call) => void setImmediate(call),
  release: (timer) => {
    (timer as NodeJS.Timeout).unref();
    return timer;
  },
  onExit: (call) => void process.on('exit', call),
  beforeExit: (call) => void process.once('beforeExit', call),
  residentBytes: () => process.memoryUsage().rss,
  machineBytes: totalmem,
};
