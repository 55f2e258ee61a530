import { defineConfig } from 'tsup';

export default defineConfig([
  {
    entry: ['src/index.ts'],
    format: ['esm'],
    dts: { entry: 'src/index.ts' },
    target: 'node20',
    sourcemap: true,
    external: [/^h5wasm/], // optional: found where it is installed
    clean: ['*', '!*Worker.*'],
  },
  // CommonJS that holds all it needs: a process may end while it loads, which ES modules of Node 20 do not like.
  {
    entry: {
      frameWorker: 'src/io/thread/frameWorker.ts',
      h5mdWorker: 'src/io/h5md/h5mdWorker.ts',
    },
    format: ['cjs'],
    target: 'node20',
    sourcemap: false, // they would be a quarter of an installation
    external: [/^h5wasm/],
    noExternal: [/^@corpuscle\//],
  },
]);
