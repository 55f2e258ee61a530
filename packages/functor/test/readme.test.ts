import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
let example: {
  compile(): (arrays: object, params: object, count: number) => void;
  run(x: Float64Array, rate: Float64Array, dt: number): Promise<Float64Array>;
  wgsl: { functions: string };
  understood: string;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpuscle-readme-'));
  const page = await readFile(join(packageFolder, 'README.md'), 'utf8');
  const [, text] = /^```ts growth\.ts\n([\s\S]*?)^```$/m.exec(page)!;
  const file = join(folder, 'growth.ts');
  await writeFile(file, text!);
  const outfile = join(folder, 'growth.mjs');
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    format: 'esm',
    // Nothing of Node is at hand: a page must be able to do this.
    platform: 'browser',
    alias: { '@corpuscle/functor': join(packageFolder, 'src/index.ts') },
  });
  example = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
});
afterAll(() => rm(folder, { recursive: true }));

it('the example of README, bundled for a page, computes what the function says', () => {
  const x = Float64Array.of(1, 2, 3);
  const rate = Float64Array.of(0, 0.5, -1);
  example.compile()({ x, rate }, { dt: 2 }, 3);
  expect([...x]).toEqual([1, 2 * Math.exp(1), 3 * Math.exp(-2)]);
});

it('the example of README computes the same in WebAssembly', async () => {
  const [x, rate] = [Float64Array.of(1, 2, 3), Float64Array.of(0, 0.5, -1)];
  const values = await example.run(x, rate, 2);
  [1, 2 * Math.exp(1), 3 * Math.exp(-2)].forEach((value, k) => {
    expect(Math.abs(values[k]! / value - 1)).toBeLessThan(4e-16);
  });
});

it('the example of README prints WGSL and the IR', () => {
  expect(example.wgsl.functions).toContain('fn growth(i: ptr<function, growth_i>)');
  expect(example.understood).toContain('exp(');
});
