import { defineConfig } from 'vitest/config';

/** The packages as they are built and packed, used by projects outside the repository: `pnpm run test:packed`. */
export default defineConfig({
  test: {
    include: ['test/packed/**/*.packed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    globalSetup: ['test/packed/setup.ts'],
  },
});
