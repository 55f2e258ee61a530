import { defineConfig } from 'tsup';

export default defineConfig([
  {
    entry: ['src/index.ts'],
    format: ['esm'],
    dts: { entry: 'src/index.ts' },
    target: 'node20',
    sourcemap: true,
    clean: ['*', '!frameWorker.*'],
  },
  // CommonJS that holds all it needs: a process may end while it loads, which ES modules of Node 20 do not like.
  {
    entry: { frameWorker: 'src/io/thread/frameWorker.ts' },
    format: ['cjs'],
    target: 'node20',
    sourcemap: true,
    noExternal: [/^@corpuscle\//],
  },
]);
