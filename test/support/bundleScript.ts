import { isBuiltin } from 'node:module';
import { build, type Plugin } from 'esbuild';

const FOUND = Symbol('found');

/** Packages are imported as they are built, from where they lie. */
const packages: Plugin = {
  name: 'packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === FOUND || kind === 'entry-point') return undefined;
      if (isBuiltin(path)) return { path, external: true };
      const found = await resolve(path, { kind, resolveDir, pluginData: FOUND });
      return { path: found.path, errors: found.errors, external: true };
    });
  },
};

/**
 * Makes one file of JavaScript of a script in TypeScript and all that it imports by path. Node starts it at once: tsx would read
 * the sources of packages, which takes three seconds of processor time in every process.
 */
export async function bundleScript(file: string, outfile: string): Promise<void> {
  const conditions = ['node', 'import'];
  const form = { bundle: true, format: 'esm', platform: 'node', target: 'node20' } as const;
  // Paths of tsconfig.json lead to sources.
  const found = { conditions, plugins: [packages], tsconfigRaw: {} };
  await build({ ...form, ...found, entryPoints: [file], outfile });
}
