import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (name: string) =>
  fileURLToPath(new URL(`./packages/${name}/src/index.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      '@corpuscle/core': source('core'),
      '@corpuscle/patterns': source('patterns'),
      '@corpuscle/operators': source('operators'),
      '@corpuscle/cli': source('cli'),
      '@corpuscle/webgl': source('webgl'),
    },
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    // WebGPU tests run on the machine's GPU where there is one, otherwise on a software adapter from npm.
    globalSetup: ['test/setup/softwareGpu.ts'],
    env: { CORPUSCLE_SOFTWARE_GPU: '1' },
  },
});
