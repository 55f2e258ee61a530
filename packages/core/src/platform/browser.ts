import type { Host } from './Host.js';

export {
  accessSync,
  closeSync,
  constants,
  existsSync,
  type FileHandle,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rename,
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
} from './browser/files.js';
export { createHash, type Hash, randomBytes } from './browser/hash.js';
/* What ./node.ts gives, in a page: the files are in memory. */
export { path } from './browser/path.js';

/** There is one page. */
export const hostname = 'page';

export { base64, byteLength, joinBytes, textOfBytes, utf8 } from '../io/bytes.js';

/** Variables that a page sets before it opens a context: `globalThis.corpuscle = { CORPUSCLE_SOFTWARE_GPU: '1' }`. */
const settings = () => (globalThis as { corpuscle?: Readonly<Record<string, string>> }).corpuscle;

const turns = new MessageChannel();
const waiting: (() => void)[] = [];
turns.port1.onmessage = () => waiting.shift()?.();

/** This page, or a worker of it. */
export const host: Host = {
  name: 'browser',
  threads: () => (globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1),
  workingDirectory: () => '/',
  nowhere: '/dev/null',
  environment: (name) => settings()?.[name],
  identity: () => 1,
  isRunning: (identity) => identity === 1,
  pause() {},
  // Timers of pages wait for 4 ms when they follow each other, messages do not.
  later(call) {
    waiting.push(call);
    turns.port2.postMessage(null);
  },
  release: (timer) => timer,
  onExit() {},
  beforeExit: (call) => void setTimeout(call, 10_000),
  residentBytes: () => 0,
  machineBytes: () => Number.POSITIVE_INFINITY,
};
