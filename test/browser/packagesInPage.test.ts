import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry, gridKey } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContextOptions } from '@corpuscle/patterns';
import { createView, type Picked } from '@corpuscle/view';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noChromium } from '../support/chromium.js';
import { isLong } from '../support/runs.js';
import { bundlers } from './support/bundlers.js';
import { makeProject } from './support/project.js';
import { type PageOptions, runPage } from './support/runPage.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-page-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** 864 atoms, of which 20 steps build lists several times. */
const melt = (...more: string[]): string => `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 20, thermo_frequency: 10 }
particle_types:
  A: { mass: 1.0 }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [6, 6, 6], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
dump_data:${more.map((line) => `\n  - ${line}`).join('') || ' nop'}
simulation: molecular_dynamics
`;

/** The picture of the page, and a place near its middle, where the crystal is. */
const PICTURE = [300, 150] as const;
const CLICK = [152, 77] as const;

interface PageRun {
  readonly status: string;
  readonly backend: string;
  readonly threads: number;
  readonly picked?: Picked;
  readonly files: Readonly<Record<string, readonly number[]>>;
  readonly error?: string;
}

interface PageAnswer {
  readonly isolated: boolean;
  readonly results: readonly PageRun[];
}

const show = (project: string, options: PageOptions): Promise<PageAnswer> =>
  runPage(join(project, 'out'), options) as Promise<PageAnswer>;

const rowsOf = (text: string): number[][] =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',').map(Number));

const textOf = (run: PageRun, name: string): string => Buffer.from(run.files[name]!).toString();

/** The table of the same run in Node. */
async function inNode(yaml: string, options: ExecutionContextOptions): Promise<number[][]> {
  return (await runInNode(yaml, options)).rows;
}

/** The same, and what a click into a picture of its end finds. */
async function runInNode(
  yaml: string,
  options: ExecutionContextOptions,
  click?: readonly [number, number],
) {
  const output = mkdtempSync(join(folder, 'node-'));
  const simulation = loadSimulation([{ name: 'melt', text: yaml }], {
    operators: createRegistry(),
  });
  await using context = await createExecutionContext(options);
  const { state } = await runSimulation(simulation, { context, outputDirectory: output });
  const grid = state.find(gridKey)!;
  const picked = click && (await createView({ context, grid, size: PICTURE }).pick(...click));
  return { rows: rowsOf(readFileSync(join(output, 'thermo.csv'), 'utf8')), picked };
}

/** Step, time, temperature and energies agree to a part of their size. */
function expectSame(table: number[][], other: number[][], part: number): void {
  expect(table.map(([step]) => step)).toEqual(other.map(([step]) => step));
  table.forEach((row, k) => {
    for (let c = 1; c < 6; c++) {
      const expected = other[k]![c]!;
      expect(Math.abs(row[c]! - expected)).toBeLessThanOrEqual(part * Math.abs(expected));
    }
  });
}

/** A webpage cannot have modules of Node: a bundle that names one does not load. */
function expectSmallAndWithoutNode(project: string): void {
  const names = readdirSync(join(project, 'out'), { recursive: true, encoding: 'utf8' });
  const chunks = names.filter((name) => name.endsWith('.js'));
  expect(chunks.length).toBeGreaterThan(3);
  for (const name of chunks) {
    const bytes = readFileSync(join(project, 'out', name));
    const imported = [
      ...bytes.toString().matchAll(/(?:\bfrom ?|\bimport\(?)["'`]([\w@][^"'`]*)["'`]/g),
    ];
    expect(imported.map(([, specifier]) => specifier)).toEqual([]);
    expect(/["'`]node:\w+["'`]/.exec(bytes.toString())?.[0], name).toBeUndefined();
    expect(gzipSync(bytes).length, name).toBeLessThan(250_000);
  }
}

const names: readonly (keyof typeof bundlers)[] = ['esbuild', 'vite', 'rollup', 'webpack'];
const inChromium = noChromium === null || process.env.CI === 'true' ? describe : describe.skip;

(isLong ? inChromium : describe.skip).each(names)(
  'the packages in a page, bundled with %s',
  (bundler) => {
    const project = join(folder, bundler);
    beforeAll(async () => {
      makeProject(project);
      await bundlers[bundler](project);
    }, 240_000);

    it('need no module of Node, and no chunk has 250 kB compressed', () => {
      expectSmallAndWithoutNode(project);
    });

    it('compute a melt on one thread and on WebGPU without headers, as in Node', async () => {
      const input = [
        { name: 'cpu', yaml: melt(), backend: 'cpu' },
        { name: 'gpu', yaml: melt(), backend: 'webgpu', precision: 'f32', click: CLICK },
      ];
      const { isolated, results } = await show(project, { isolated: false, input });
      const [cpu, gpu] = results as [PageRun, PageRun];
      expect([isolated, cpu.backend, cpu.threads]).toEqual([false, 'cpu', 1]);
      expect([gpu.status, gpu.backend]).toEqual(['completed', 'webgpu']);
      // Sums in another order differ in the last bits, which 20 steps make a hundred times larger.
      const onCpu = await inNode(melt(), { backend: 'cpu', threads: 1 });
      expectSame(rowsOf(textOf(cpu, 'cpu/thermo.csv')), onCpu, 1e-12);
      const onGpu = await runInNode(melt(), { backend: 'webgpu', precision: 'f32' }, CLICK);
      expectSame(rowsOf(textOf(gpu, 'gpu/thermo.csv')), onGpu.rows, 1e-6);
      expect([gpu.picked!.id, gpu.picked!.type]).toEqual([onGpu.picked!.id, onGpu.picked!.type]);
      gpu.picked!.position.forEach((one, k) => {
        expect(one).toBeCloseTo(onGpu.picked!.position[k]!, 4);
      });
    }, 90_000);

    it('compute it on all threads in a page that is isolated', async () => {
      const input = [{ name: 'cpu', yaml: melt(), backend: 'cpu' }];
      const { isolated, results } = await show(project, { isolated: true, input });
      expect(isolated).toBe(true);
      expect(results[0]!.threads).toBeGreaterThan(1);
      const onCpu = await inNode(melt(), { backend: 'cpu' });
      expectSame(rowsOf(textOf(results[0]!, 'cpu/thermo.csv')), onCpu, 1e-12);
    }, 90_000);
  },
);

(isLong ? describe.skip : inChromium)('a page', () => {
  const project = join(folder, 'files');
  beforeAll(async () => {
    makeProject(project);
    await bundlers.esbuild(project);
  });

  it('computes in memory of one thread where the browser shares none', async () => {
    // As browsers that have shared memory in isolated pages only.
    const before = `const { Memory } = WebAssembly;
      WebAssembly.Memory = function (wanted) {
        if (wanted.shared) throw new TypeError('shared memory is not allowed');
        return new Memory(wanted);
      };`;
    const input = [{ name: 'cpu', yaml: melt(), backend: 'cpu' }];
    const { results } = await show(project, { isolated: false, input, before });
    const onCpu = await inNode(melt(), { backend: 'cpu', threads: 1 });
    expectSame(rowsOf(textOf(results[0]!, 'cpu/thermo.csv')), onCpu, 1e-12);
  }, 90_000);

  it('has threads under the content security policy of docs/browser.md, and says what it lacks under others', async () => {
    const scripts = "default-src 'self'; script-src 'self' 'unsafe-inline'";
    const wasm = `${scripts} 'wasm-unsafe-eval'`;
    const types = "require-trusted-types-for 'script'; trusted-types corpuscle";
    const input = [{ name: 'cpu', yaml: melt(), backend: 'cpu' }];
    const under = async (policy: string) =>
      (await show(project, { isolated: true, input, policy })).results[0]!;
    const run = await under(`${wasm}; worker-src blob:; ${types}`);
    expect(run.threads).toBeGreaterThan(1);
    expectSame(
      rowsOf(textOf(run, 'cpu/thermo.csv')),
      await inNode(melt(), { backend: 'cpu' }),
      1e-12,
    );
    expect((await under(wasm)).error).toMatch(/must allow worker-src blob:.*or give threads: 1/);
    const workers = `${scripts}; worker-src blob:`;
    expect((await under(workers)).error).toMatch(/must allow script-src 'wasm-unsafe-eval'/);
  }, 90_000);

  it('writes trajectories and checkpoints in memory, goes on from them, and refuses H5MD', async () => {
    const dump = '{ file: melt.dump.gz, frequency: 10 }';
    const outputs = [`write_lammps_dump: ${dump}`, 'write_gsd: { file: melt.gsd, frequency: 10 }'];
    const whole = melt(...outputs, 'checkpoint: { frequency: 10, keep: 2 }');
    const half = whole.replace('end_iteration: 20', 'end_iteration: 10');
    const input = [
      { name: 'whole', yaml: whole, backend: 'cpu' },
      { name: 'parts', yaml: half, backend: 'cpu' },
      { name: 'parts', yaml: whole, backend: 'cpu', restart: true },
      { name: 'h5md', yaml: melt('write_h5md: { file: a.h5md, frequency: 10 }'), backend: 'cpu' },
    ];
    const { results } = await show(project, { isolated: false, input });
    const [first, , second, refused] = results as [PageRun, PageRun, PageRun, PageRun];
    const text = gunzipSync(Buffer.from(first.files['whole/melt.dump.gz']!)).toString();
    expect(text.match(/ITEM: NUMBER OF ATOMS\n864\n/g)).toHaveLength(3);
    expect(Object.keys(second.files)).toEqual(
      expect.arrayContaining(['parts/checkpoint.10.ckpt', 'parts/checkpoint.20.ckpt']),
    );
    expect(textOf(second, 'parts/thermo.csv')).toBe(textOf(first, 'whole/thermo.csv'));
    expect(second.files['parts/melt.gsd']).toEqual(first.files['whole/melt.gsd']);
    expect(refused.error).toMatch(/files of H5MD need Node: in a page use gsd/);
  }, 90_000);

  it('saves files into folders of the File System Access API, reads them there, and offers downloads', async () => {
    const input = [
      { name: 'whole', yaml: melt(), backend: 'cpu' },
      { name: 'saved', yaml: melt(), backend: 'cpu', folders: true },
    ];
    const { results } = await show(project, { isolated: false, input });
    const [whole, saved] = results as [PageRun, PageRun];
    expect(saved.error).toBeUndefined();
    const table = textOf(whole, 'whole/thermo.csv');
    expect(rowsOf(table)).toHaveLength(3);
    expect(textOf(saved, 'saved/thermo.csv')).toBe(table);
    const downloaded = Object.keys(saved.files).filter((name) => name.includes('downloaded-'));
    expect(downloaded).toHaveLength(1);
    const [name] = downloaded as [string];
    expect(textOf(saved, name)).toBe(textOf(saved, name.replace('downloaded-', '')));
  }, 90_000);
});
