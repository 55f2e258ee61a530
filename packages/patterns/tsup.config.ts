import { build } from 'esbuild';
import { defineConfig } from 'tsup';

/** The worker of a page as text, so that bundlers of users need not find it. */
const workerCode = {
  name: 'worker-code',
  setup({ onResolve, onLoad }: import('esbuild').PluginBuild) {
    onResolve({ filter: /^worker-code$/ }, ({ path }) => ({ path, namespace: 'worker-code' }));
    onLoad({ filter: /.*/, namespace: 'worker-code' }, async () => {
      const { outputFiles } = await build({
        entryPoints: ['src/platform/browser/serveInPage.ts'],
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        target: 'es2022',
      });
      return { contents: outputFiles[0]!.text, loader: 'text' };
    });
  },
};

export default defineConfig([
  {
    entry: {
      index: 'src/index.ts',
      'entries/boxes': 'src/entries/boxes.ts',
      'entries/engines': 'src/entries/engines.ts',
      'entries/replicas': 'src/entries/replicas.ts',
      'platform/node': 'src/platform/node.ts',
      'platform/browser': 'src/platform/browser.ts',
    },
    esbuildPlugins: [workerCode],
    format: ['esm'],
    // The declarations say AsyncDisposable, which projects for ES2022 do not have by themselves.
    dts: {
      entry: {
        index: 'src/index.ts',
        'entries/boxes': 'src/entries/boxes.ts',
        'entries/engines': 'src/entries/engines.ts',
        'entries/replicas': 'src/entries/replicas.ts',
      },
      banner: '/// <reference lib="esnext.disposable" />',
      compilerOptions: { stripInternal: true },
    },
    target: 'node20',
    sourcemap: true,
    esbuildOptions(options) {
      options.sourcesContent = false; // sources would be a fifth of an installation
    },
    clean: ['*', '!worker.*', '!**/*.d.ts'], // a build with declarations removes them itself
    // tsup leaves out dependencies by itself, and not optional ones. What package.json chooses is chosen where it is used.
    external: ['webgpu', '#patterns/platform'],
  },
  // CommonJS: piscina calls require() first, and requiring an ES module while a process ends aborts Node 20.
  // For the same reason it holds all it needs.
  {
    entry: ['src/worker.ts'],
    format: ['cjs'],
    target: 'node20',
    sourcemap: false,
    noExternal: [/^@corpuscle\//],
  },
]);
