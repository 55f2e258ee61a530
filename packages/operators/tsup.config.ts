import { defineConfig } from 'tsup';

export default defineConfig([
  {
    entry: {
      index: 'src/index.ts',
      'platform/node': 'src/platform/node.ts',
      'platform/browser': 'src/platform/browser.ts',
    },
    format: ['esm'],
    dts: { entry: 'src/index.ts' },
    target: 'node20',
    sourcemap: true,
    esbuildOptions(options) {
      options.sourcesContent = false; // sources would be a fifth of an installation
    },
    // h5wasm is optional: it is found where it is installed. What package.json chooses for Node or for a page is chosen there.
    external: [/^h5wasm/, '#operators/platform'],
    clean: ['*', '!*Worker.*', '!**/*.d.ts'], // a build with declarations removes them itself
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
    esbuildOptions(options) {
      options.minifyWhitespace = true; // comments and blanks would be a twentieth of one
    },
    external: [/^h5wasm/],
    noExternal: [/^@corpuscle\//],
  },
]);
