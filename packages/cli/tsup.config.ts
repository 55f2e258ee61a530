import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

export default defineConfig([
  {
    entry: {
      index: 'src/index.ts',
      main: 'src/main.ts',
      typeScriptHooks: 'src/typescript/typeScriptHooks.ts',
    },
    format: ['esm'],
    external: ['@swc/wasm-typescript'], // optional
    dts: { entry: 'src/index.ts' },
    target: 'node20',
    sourcemap: true,
    esbuildOptions(options) {
      options.sourcesContent = false; // sources would be a fifth of an installation
    },
    clean: ['*', '!earWorker.*', '!**/*.d.ts'], // a build with declarations removes them itself
    // Editors find the schema of input files in the package, and `view` finds its page.
    async onSuccess() {
      rmSync('dist/page', { recursive: true, force: true });
      cpSync('../app/dist', 'dist/page', { recursive: true });
      const schema = execFileSync(process.execPath, ['bin/corpuscle.js', 'schema']);
      writeFileSync('dist/simulation.schema.json', schema);
    },
  },
  // CommonJS that holds all it needs: it starts soon.
  {
    entry: { earWorker: 'src/signals/earWorker.ts' },
    format: ['cjs'],
    target: 'node20',
    sourcemap: false,
    noExternal: [/^@corpuscle\//],
  },
]);
