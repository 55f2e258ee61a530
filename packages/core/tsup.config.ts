import { defineConfig } from 'tsup';

const entry = {
  index: 'src/index.ts',
  'entries/files': 'src/entries/files.ts',
  'entries/signals': 'src/entries/signals.ts',
  'platform/node': 'src/platform/node.ts',
};

export default defineConfig({
  entry: { ...entry, 'platform/browser': 'src/platform/browser.ts' },
  format: ['esm'],
  dts: { entry },
  target: 'node20',
  sourcemap: true,
  esbuildOptions(options) {
    options.sourcesContent = false; // sources would be a fifth of an installation
  },
  // What package.json chooses for Node or for a page is chosen where the package is used.
  external: ['#core/platform'],
  clean: ['!**/*.d.ts'], // a build with declarations removes them itself
});
