import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './test/setup/SlowFirst.js';
import { testFiles } from './test/setup/testFiles.js';

const packages = fileURLToPath(new URL('./packages/', import.meta.url));
const { shared, alone } = testFiles({ long: process.env.CORPUSCLE_LONG === '1' });
const source = (name: string, file: string) => `${packages}${name}/src/${file}`;

/** The C library keeps what is freed: a software adapter that compiles kernel after kernel would give its memory back each time. */
const keptMemory = {
  MALLOC_TRIM_THRESHOLD_: `${2 ** 29}`,
  MALLOC_TOP_PAD_: `${2 ** 25}`,
  MALLOC_MMAP_THRESHOLD_: `${2 ** 25}`,
};

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@corpuscle\/functor\/(\w+)$/, replacement: source('functor', 'entries/$1.ts') },
      {
        find: /^(?:#|@corpuscle\/)(\w+)\/platform$/,
        replacement: source('$1', 'platform/node.ts'),
      },
      { find: '@corpuscle/app/session', replacement: source('app', 'session/index.ts') },
      {
        find: /^@corpuscle\/patterns\/(engines|replicas)$/,
        replacement: source('patterns', 'entries/$1.ts'),
      },
      { find: /^@corpuscle\/core\/(files|signals)$/, replacement: source('core', 'entries/$1.ts') },
      { find: /^@corpuscle\/(\w+)$/, replacement: source('$1', 'index.ts') },
    ],
  },
  test: {
    pool: 'forks',
    // One more than the cores of a small machine: tests that start processes or use a device wait for a tenth of their time.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Continuous integration makes a test that fails once more, and counts how often it did.
    retry: process.env.CI === 'true' ? 1 : 0,
    sequence: { sequencer: SlowFirst },
    // What TypeScript becomes is kept for the next run: `test:long`, or one file again.
    experimental: { fsModuleCache: true },
    // WebGPU tests run on the machine's GPU where there is one, otherwise on a software adapter from npm.
    globalSetup: ['test/setup/softwareGpu.ts'],
    env: { CORPUSCLE_SOFTWARE_GPU: '1', ...keptMemory },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: [...shared],
          isolate: false,
          setupFiles: ['test/setup/lendDevices.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: [...alone] } },
    ],
  },
});
