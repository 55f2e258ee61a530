import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.js';

/** The page as it is built, in a browser: `pnpm run test:app`. */
const { projects: _, ...test } = base.test!;
export default mergeConfig(
  { resolve: base.resolve, test: { ...test, testTimeout: 240_000, hookTimeout: 240_000 } },
  {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    test: { include: ['packages/app/test/*.page.ts'] },
  },
);
