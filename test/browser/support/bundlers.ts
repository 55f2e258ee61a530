import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { type Plugin, rollup } from 'rollup';
import { build as viteBuild } from 'vite';
import webpack from 'webpack';

/** Makes `out/page.js` of `page.js` in a project's folder, as a user's bundler does it with no more than it must be told. */
type Bundle = (folder: string) => Promise<void>;

/** Rollup leaves this to others. */
const minify: Plugin = {
  name: 'minify',
  renderChunk: async (code) => (await esbuild.transform(code, { minify: true })).code,
};

/** The bundlers that projects use, each with nothing about the packages. */
export const bundlers: Readonly<Record<'esbuild' | 'vite' | 'rollup' | 'webpack', Bundle>> = {
  async esbuild(folder) {
    await esbuild.build({
      entryPoints: [join(folder, 'page.js')],
      outdir: join(folder, 'out'),
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
    });
  },

  async vite(folder) {
    await viteBuild({
      root: folder,
      logLevel: 'silent',
      configFile: false,
      build: {
        outDir: 'out',
        target: 'es2022',
        rollupOptions: {
          input: join(folder, 'page.js'),
          output: { entryFileNames: 'page.js' },
        },
      },
    });
  },

  async rollup(folder) {
    const bundle = await rollup({
      input: join(folder, 'page.js'),
      plugins: [nodeResolve({ browser: true }), minify],
      onLog(level, log) {
        if (level === 'warn' && log.code !== 'CIRCULAR_DEPENDENCY') throw new Error(log.message);
      },
    });
    await bundle.write({ dir: join(folder, 'out'), format: 'es' });
    await bundle.close();
  },

  webpack: (folder) =>
    new Promise((resolve, reject) => {
      const compiler = webpack({
        mode: 'production',
        context: folder,
        entry: { page: './page.js' },
        output: { path: join(folder, 'out'), filename: 'page.js' },
        performance: false,
      });
      compiler.run((error, stats) => {
        const [first] = [
          ...(stats?.compilation.errors ?? []),
          ...(stats?.compilation.warnings ?? []),
        ];
        compiler.close(() => {
          if (error ?? first) reject(error ?? first);
          else resolve();
        });
      });
    }),
};
