import { defineConfig } from 'tsup';

const subpaths = ['error', 'ir', 'javascript', 'passes', 'random', 'wasm', 'wgsl'];
const entry = ['src/index.ts', ...subpaths.map((name) => `src/entries/${name}.ts`)];

export default defineConfig({
  entry,
  format: ['esm'],
  dts: { entry },
  target: 'node20',
  sourcemap: true,
  esbuildOptions(options) {
    options.sourcesContent = false; // sources would be a fifth of an installation
  },
  // One copy of each module, whichever entries are imported.
  splitting: true,
  clean: ['!**/*.d.ts'], // a build with declarations removes them itself
});
