import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { type MinifyOptions, minify } from 'terser';
import { build as buildWithTsup } from 'tsup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong, itOnce, runs } from '../../../test/support/runs.js';
import { failures } from './fixtures/bundlers/check.js';
import { instrument } from './support/instrument.js';

const entry = fileURLToPath(new URL('./fixtures/bundlers/main.ts', import.meta.url));
const root = fileURLToPath(new URL('../../../', import.meta.url));
const execute = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpuscle-bundlers-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function bundle(options: BuildOptions, program = entry): Promise<string> {
  const result = await build({
    entryPoints: [program],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    ...options,
  });
  return result.outputFiles![0]!.text;
}

const built = (file: string) => new URL(`../dist/${file}`, import.meta.url).href;
/** Most of a bundle is the compiler: minifiers work on it with tsup alone, not in each of their cases. */
const functorsAlone: Plugin = {
  name: 'functors alone',
  setup({ onResolve }) {
    onResolve({ filter: /\/src\/.*\.js$/ }, ({ path }) => ({
      path: built(/lowerToJavaScript/.test(path) ? 'entries/javascript.js' : 'index.js'),
      external: true,
    }));
  },
};

let files = 0;

/** Imports programs in a process of their own, one after the other, and tells what each has printed, or its error. */
const importer = `
  let told = '';
  process.stdout.write = (text) => ((told += text), true);
  process.on('message', async (file) => {
    told = '';
    const error = await import(file).then(() => null, (thrown) => String(thrown));
    process.send({ error, told });
  });`;
let importing: ChildProcess | undefined;
afterAll(() => {
  importing?.kill();
});

/** Runs a program and returns the functors that failed in it. */
async function run(text: string): Promise<unknown> {
  const file = join(folder, `bundle${files++}.mjs`);
  await writeFile(file, text);
  if (!importing) {
    const script = join(folder, 'importer.mjs');
    await writeFile(script, importer);
    importing = fork(script, { execArgv: [] });
  }
  importing.send(pathToFileURL(file).href);
  const [{ error, told }] = await once(importing, 'message');
  if (error !== null) throw new Error(error);
  return JSON.parse(told);
}

describe('a conversion called without h, and ** for ES2015', () => {
  const bare = fileURLToPath(new URL('./fixtures/bundlers/bare.ts', import.meta.url));

  itOnce.each<[string, BuildOptions]>([
    ['a bundle', {}],
    ['a bundle for ES2015', { target: 'es2015' }],
    ['a bundle with kept names', { keepNames: true }],
  ])('survive %s', async (_, options) => {
    expect(await run(await bundle(options, bare))).toEqual([]);
  });

  itOnce('fail after renaming, and the error says what to write instead', async () => {
    const minified = run(await bundle({ minify: true }, bare));
    await expect(minified).rejects.toThrow(/conversions are h\.i32, h\.u32 and h\.real/);
  });
});

describe('functors survive', () => {
  itOnce('vitest', () => {
    expect(failures()).toEqual([]);
  });

  itOnce('tsx', async () => {
    const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
    const { stdout } = await execute(process.execPath, [tsx, entry], { cwd: root });
    expect(JSON.parse(stdout)).toEqual([]);
  });

  itOnce.each<[string, BuildOptions]>([
    ['bundle', {}],
    ['minify', { minify: true }],
    ['minify and keep names', { minify: true, keepNames: true }],
    ['es2015', { target: 'es2015' }],
    ['es2015, minified', { target: 'es2015', minify: true }],
    ['CommonJS', { format: 'cjs', minifySyntax: true }],
    ['syntax only', { minifySyntax: true }],
  ])('esbuild: %s', async (_, options) => {
    const text = await bundle(options);
    expect(
      await run(options.format === 'cjs' ? `const module = { exports: {} };\n${text}` : text),
    ).toEqual([]);
  });

  const minifiers: [string, MinifyOptions][] = [
    ['defaults', {}],
    ['modules, three passes', { module: true, compress: { passes: 3 } }],
    [
      'everything unsafe but arithmetic',
      {
        module: true,
        toplevel: true,
        compress: {
          passes: 3,
          unsafe: true,
          unsafe_arrows: true,
          unsafe_methods: true,
          pure_getters: true,
          hoist_vars: false,
          hoist_props: true,
        },
      },
    ],
    [
      'hoisted variables',
      { module: true, compress: { hoist_vars: true, hoist_funs: true, passes: 2 } },
    ],
    [
      'sequences and conditionals',
      {
        module: true,
        compress: {
          sequences: 200,
          conditionals: true,
          if_return: true,
          join_vars: true,
          collapse_vars: true,
          reduce_vars: true,
          inline: 3,
          passes: 4,
        },
      },
    ],
    ['kept names', { module: true, keep_fnames: true }],
    ['es5 output rules', { module: true, ecma: 5 }],
  ];
  const some = ['defaults', 'everything unsafe but arithmetic', 'es5 output rules'];
  it.each(minifiers.filter(([name]) => isLong !== some.includes(name)))(
    'terser: %s',
    async (_, options) => {
      const { code } = await minify(await bundle({ plugins: [functorsAlone] }), options);
      expect(await run(code!)).toEqual([]);
    },
  );

  const tsup: [string, boolean | 'terser'][] = [
    ['minify', true],
    ['plain', false],
    ['terser', 'terser'],
  ];
  it.each(runs(tsup.slice(0, 1), tsup.slice(1)))('tsup: %s', async (name, option) => {
    const outDir = join(folder, `tsup-${name}`);
    await buildWithTsup({
      entry: { main: entry },
      outDir,
      format: ['esm'],
      minify: option,
      config: false,
      silent: true,
      splitting: false,
      noExternal: [/.*/],
      clean: false,
      outExtension: () => ({ js: '.mjs' }),
    });
    expect(await run(await readFile(join(outDir, 'main.mjs'), 'utf8'))).toEqual([]);
  });

  itOnce.each<[string, BuildOptions]>([
    ['plain', {}],
    ['minified', { minify: true }],
  ])("coverage counters as istanbul's: %s", async (_, options) => {
    const text = await bundle({ ...options, plugins: [functorsAlone] });
    const counted = instrument(text);
    expect(counted.split('cov_1a2b3c().').length).toBeGreaterThan(100);
    expect(await run(counted)).toEqual([]);
  });
});
