import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { published, root } from '../../scripts/support/packPackages.js';
import { hasMpi } from '../support/mpirun.js';
import { type Outcome, shell, write } from './support/consumer.js';
import { majors } from './support/nodes.js';
import { readmeBlocks } from './support/readmeBlocks.js';

const full = inject('full');
const nodes = inject('nodes');
const tsc = inject('tsc');
// Where there is no MPI its package is left out, but not in continuous integration.
const folders = published.filter((name) => name !== 'mpi' || hasMpi() || process.env.CI);

/** Root may start ranks, and more of them than there are cores. */
const openMpi = {
  OMPI_ALLOW_RUN_AS_ROOT: '1',
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1',
  OMPI_MCA_rmaps_base_oversubscribe: '1',
};
const examples = join(root, 'examples');
const software = { CORPUSCLE_SOFTWARE_GPU: '1' };
const melt = readmeBlocks('cli').find(({ file }) => file === 'melt.yaml')!.text;

const own = `
import { defineOperator, dimensions } from '@corpuscle/core';
import { definePairPotential, pairForceOperator } from '@corpuscle/operators';

export const greet = defineOperator({
  name: 'greet',
  doc: 'Says hello.',
  slots: { whom: { type: 'string', default: 'world', doc: 'who is greeted' } },
  execute({ slots, state }) {
    state.say('hello ' + slots.whom);
  },
});

const ownLennardJones = definePairPotential({
  name: 'own_lennard_jones',
  doc: 'Adds the forces of Lennard-Jones particles, written by a user.',
  coefficients: {
    epsilon: { dimension: dimensions.energy, min: 0, doc: 'depth' },
    sigma: { dimension: dimensions.length, above: 0, doc: 'diameter' },
  },
  energy: (r: number, epsilon: number, sigma: number): number => 4 * epsilon * ((sigma / r) ** 12 - (sigma / r) ** 6),
  force: (r, epsilon, sigma) => (24 * epsilon * (2 * (sigma / r) ** 12 - (sigma / r) ** 6)) / r,
});
export const force = pairForceOperator(ownLennardJones);
`;

/** The columns of the last row of a thermo table that a run has printed. */
function lastRow({ out }: Outcome): number[] {
  const rows = out.split('\n').filter((line) => /^ +\d+ /.test(line));
  return rows.at(-1)!.trim().split(/\s+/).map(Number);
}

/** The files of a README; those in TypeScript also as what version 5.9 compiles them to. */
async function filesOf(name: string): Promise<Record<string, string>> {
  const blocks = readmeBlocks(name).filter(({ file }) => file !== '');
  const files = Object.fromEntries(blocks.map(({ file, text }) => [file, text]));
  const sources = Object.keys(files).filter((file) => file.endsWith('.ts'));
  const cwd = join(full, 'compiled', name);
  write(cwd, files);
  for (const source of sources) {
    const command = `node ${tsc} --target es2022 --module nodenext --skipLibCheck ${source}`;
    await shell(command, { cwd, node: join(process.execPath, '..') });
    const compiled = source.replace(/ts$/, 'js');
    files[compiled] = readFileSync(join(cwd, compiled), 'utf8');
  }
  return files;
}

const readmes = new Map<string, Record<string, string>>();
beforeAll(async () => {
  for (const name of folders) readmes.set(name, await filesOf(name));
});

describe.each(majors)('Node %i', (major) => {
  const node = nodes[major] ?? null;
  // Where npm has no such Node for this machine its tests are left out, but not in continuous integration.
  const test = it.skipIf(node === null && !process.env.CI);
  const at = (name: string) => join(full, `runs-${major}`, name);
  const run = (text: string, name: string, env: Record<string, string> = {}) => {
    if (node === null) throw new Error(`npm has no Node ${major} for this machine`);
    return shell(text, { cwd: at(name), node, env });
  };

  test('is the Node that runs', async () => {
    write(at('version'), { 'package.json': '{ "type": "module" }' });
    expect((await run('node --version', 'version')).out).toMatch(new RegExp(`^v${major}\\.`));
  });

  test.each(folders)('follows the README of %s', async (name) => {
    const files = readmes.get(name)!;
    write(at(name), files);
    const all = [
      ...readmeBlocks(name).filter(({ language }) => language === 'sh'),
      ...Object.keys(files)
        .filter((file) => file.endsWith('.js'))
        .map((file) => ({ text: `node ${file}` })),
    ].map(({ text }) => text);
    expect(all.length).toBeGreaterThan(0);
    for (const text of all) {
      const { code, out, err } = await run(text, name, openMpi);
      expect(code, out + err).toBe(0);
    }
  });

  test('compiles a functor to JavaScript that computes what the functor says', async () => {
    const text = `import { compile } from './growth.js';
const x = Float64Array.of(1);
compile()({ x, rate: Float64Array.of(Math.LN2) }, { dt: 3 }, 1);
console.log(x[0].toFixed(9));`;
    write(at('growth'), { ...readmes.get('functor'), 'call.mjs': text });
    expect((await run('node call.mjs', 'growth')).out).toBe('8.000000000\n');
  });

  test('runs the same melt on all backends and in all lowerings', async () => {
    write(at('melt'), { 'melt.yaml': melt });
    const command = 'npx corpuscle run melt.yaml --set global.end_iteration=10';
    const reference = lastRow(await run(`${command} --threads 1`, 'melt'));
    expect(reference[0]).toBe(10);
    for (const [options, tolerance] of [
      ['--threads 2', 1e-9],
      ['--lowering scalar', 1e-9],
      ['--lowering javascript', 1e-9],
      ['--backend webgpu', 1e-4],
    ] as const) {
      const row = lastRow(await run(`${command} ${options}`, 'melt', software));
      for (const [column, value] of row.entries()) {
        const scale = Math.max(1, Math.abs(reference[column]!));
        expect(Math.abs(value - reference[column]!) / scale).toBeLessThan(tolerance);
      }
    }
  });

  test('serves the page with a file', async () => {
    write(at('view'), { 'melt.yaml': melt });
    const text = `corpuscle=$(dirname "$(node -p "require.resolve('@corpuscle/cli/package.json')")")/bin/corpuscle.js
node "$corpuscle" view melt.yaml --no-open >address &
trap "kill $!" EXIT
until [ -s address ]; do sleep 0.1; done
node --input-type=module -e '
  const address = new URL(process.argv[1]);
  const token = address.searchParams.get("view");
  const text = async (name) => (await fetch(new URL(name + "?token=" + token, address))).text();
  const scripts = [...(await text("/")).matchAll(/src="([^"]+\\.js)"/g)].map(([, name]) => name);
  console.log(scripts.length > 0, (await text(scripts[0])).length > 1000, await text("/view/melt.yaml"));
' "$(cat address)"`;
    const { out, err } = await run(text, 'view');
    expect(out, err).toBe(`true true ${melt}\n`);
  });

  test.each([
    ['09-own-integrator', 'yoshida.ts'],
    ['10-own-analysis', 'neighborCounts.ts'],
    ['11-own-potential', 'mie.ts'],
  ])('runs the example %s on both backends, with equal energies', async (example, module) => {
    const files = Object.fromEntries(
      ['run.yaml', module].map((file) => [
        file,
        readFileSync(join(examples, example, file), 'utf8'),
      ]),
    );
    write(at(example), files);
    const rowOf = async (backend: string) => {
      const command = `npx corpuscle run run.yaml --import ${module} --backend ${backend}`;
      const outcome = await run(command, example, software);
      expect(outcome.code, outcome.out + outcome.err).toBe(0);
      return lastRow(outcome);
    };
    const [reference, found] = [await rowOf('cpu'), await rowOf('webgpu')];
    // Energies, in single precision on WebGPU.
    for (const column of [3, 4, 5])
      expect(Math.abs(found[column]! / reference[column]! - 1)).toBeLessThan(2e-5);
  });

  test('takes operators of a user, which agree with ours', async () => {
    const yaml = `${melt.replace('lennard_jones_force', 'own_lennard_jones_force')}
simulation_epilog: [greet: { whom: you }]
`;
    write(at('own'), { 'own.ts': own, 'own.yaml': yaml, 'melt.yaml': melt });
    for (const backend of ['cpu', 'webgpu']) {
      const options = `--set global.end_iteration=10 --backend ${backend}`;
      const mine = await run(
        `npx corpuscle run own.yaml --import own.ts ${options}`,
        'own',
        software,
      );
      expect(mine.code, mine.err).toBe(0);
      expect(mine.out).toContain('hello you\n');
      const ours = lastRow(await run(`npx corpuscle run melt.yaml ${options}`, 'own', software));
      // Single precision on WebGPU; both potentials have the same cutoff and no shift.
      const tolerance = backend === 'cpu' ? 1e-9 : 1e-4;
      for (const [column, value] of lastRow(mine).entries())
        expect(Math.abs(value / ours[column]! - 1) || 0).toBeLessThan(tolerance);
    }
  });
});
