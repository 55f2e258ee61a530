import { defineConfig } from 'vitest/config';

/** What was built is looked at: `pnpm run test:site`. */
export default defineConfig({ test: { include: ['packages/site/test/*.site.ts'] } });
