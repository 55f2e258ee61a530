import { defineConfig } from 'tsup';

export default defineConfig([
  {
    entry: ['src/index.ts'],
    format: ['esm'],
    // The declarations say AsyncDisposable, which projects for ES2022 do not have by themselves.
    dts: {
      entry: 'src/index.ts',
      banner: '/// <reference lib="esnext.disposable" />',
      compilerOptions: { stripInternal: true },
    },
    target: 'node20',
    sourcemap: true,
    clean: ['*', '!worker.*'],
    external: ['webgpu'], // tsup leaves out dependencies by itself, and not optional ones
  },
  // CommonJS: piscina calls require() first, and requiring an ES module while a process ends aborts Node 20.
  // For the same reason it holds all it needs.
  {
    entry: ['src/worker.ts'],
    format: ['cjs'],
    target: 'node20',
    sourcemap: true,
    noExternal: [/^@corpuscle\//],
  },
]);
