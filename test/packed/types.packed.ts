import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { packageName, published } from '../../scripts/support/packPackages.js';
import { write } from './support/consumer.js';
import { readmeBlocks } from './support/readmeBlocks.js';

const run = promisify(execFile);
const tsc = inject('tsc');

const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

/** Compiles files in a folder of a project; what TypeScript 5.9 complains about, or nothing. */
async function complaints(
  project: string,
  name: string,
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>>,
): Promise<string> {
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
    target: 'ES2022',
    noEmit: true,
    ...options,
  };
  const tsconfig = JSON.stringify({ compilerOptions, files: Object.keys(files) });
  write(join(project, name), { ...files, 'tsconfig.json': tsconfig });
  const { stdout } = await run(process.execPath, [tsc, '-p', join(project, name)]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout;
}

const everything = published
  .map((folder, k) => `export * as package${k} from '${packageName(folder)}';\n`)
  .join('');

describe('TypeScript 5.9, strict and with every declaration checked, says nothing about', () => {
  const { folder } = inject('plain');
  const full = inject('full');

  it.each([
    ['nodenext', nodenext],
    ['bundler', bundler],
  ])('all packages in a project with the standard library alone, %s', async (name, resolution) => {
    const options = { ...resolution, lib: ['ES2022'], types: [] };
    expect(await complaints(folder, `types-${name}`, { 'all.ts': everything }, options)).toBe('');
  });

  it('all packages in a project for browsers', async () => {
    const options = { ...bundler, lib: ['ES2022', 'DOM'], types: [] };
    expect(await complaints(folder, 'types-dom', { 'all.ts': everything }, options)).toBe('');
  });

  it('a device that the program has opened, with the types of Node and WebGPU', async () => {
    const text = `${everything}
import { createExecutionContext } from '@corpuscle/patterns';
export const open = (device: GPUDevice) => createExecutionContext({ device });
// @ts-expect-error a buffer is no device
export const wrong = (buffer: GPUBuffer) => createExecutionContext({ device: buffer });
`;
    const options = { ...nodenext, lib: ['ES2022', 'DOM'], types: ['node', '@webgpu/types'] };
    expect(await complaints(full, 'types-device', { 'device.ts': text }, options)).toBe('');
  });

  it('the examples of all READMEs', async () => {
    const blocks = published.flatMap(readmeBlocks).filter(({ file }) => /\.m?[jt]s$/.test(file));
    const files = Object.fromEntries(blocks.map(({ file, text }) => [file, text]));
    expect(Object.keys(files)).toHaveLength(published.length - 1); // cli has YAML and commands
    const options = {
      ...nodenext,
      lib: ['ES2022', 'DOM'],
      types: [],
      allowJs: true,
      checkJs: true,
    };
    expect(await complaints(full, 'types-readmes', files, options)).toBe('');
  });
});
