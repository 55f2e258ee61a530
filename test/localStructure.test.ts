import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const data = (name: string) =>
  readFileSync(new URL(`./data/analyses/${name}`, import.meta.url), 'utf8');
const reference: { centro: number[]; cna: number[]; cluster: number[] } = JSON.parse(
  data('structure.json'),
);
const json = (name: string) =>
  JSON.parse(readFileSync(work.path(name), 'utf8').trim().split('\n').at(-1)!);

describe.each([
  ['cpu', 1e-9],
  ['webgpu', 1e-5],
] as const)('on %s', (backend, tolerance) => {
  async function run(simulation: string): Promise<void> {
    work.write({
      'crystal.data': data('crystal.data'),
      'gas.data': data('gas.data'),
      'run.yaml': `particle_types: { A: { mass: 1.0 } }\nsimulation:\n${simulation}\n`,
    });
    const argv = ['run', work.path('run.yaml'), '--output', work.root, '--backend', backend];
    const result = await runCli(argv);
    expect(result.code, result.err).toBe(0);
  }

  it('centro_symmetry, common_neighbors and clusters are those of LAMMPS', async () => {
    await run(`
  - read_lammps_data: { file: crystal.data }
  - centro_symmetry: { cutoff: 1.9, file: centro.json }
  - common_neighbors: { cutoff: 1.355, file: cna.json }
  - common_neighbors: { cutoff: 1.355, file: cna.csv }`);
    const { centro_symmetry: centro, mean } = json('centro.json');
    expect(centro).toHaveLength(reference.centro.length);
    reference.centro.forEach((value, k) => {
      expect(Math.abs(centro[k] - value)).toBeLessThan(tolerance);
    });
    const average = reference.centro.reduce((sum, value) => sum + value, 0) / centro.length;
    expect(Math.abs(mean - average)).toBeLessThan(tolerance);
    expect(json('cna.json').structure).toEqual(reference.cna);
    const fcc = reference.cna.filter((structure) => structure === 1).length;
    expect(readFileSync(work.path('cna.csv'), 'utf8').trim().split('\n')).toEqual([
      'step,time,fcc,hcp,bcc,icosahedral,other',
      `0,0,${fcc},0,0,0,${reference.cna.length - fcc}`,
    ]);

    await run(`
  - read_lammps_data: { file: gas.data }
  - clusters: { cutoff: 1.12, file: clusters.json, sizes: sizes.csv, plot: sizes.svg }`);
    const found = json('clusters.json');
    expect(found.cluster).toEqual(reference.cluster);
    const sizes = new Map<number, number>();
    for (const label of reference.cluster) sizes.set(label, (sizes.get(label) ?? 0) + 1);
    expect([found.clusters, found.largest]).toEqual([sizes.size, Math.max(...sizes.values())]);
    const rows = readFileSync(work.path('sizes.csv'), 'utf8').trim().split('\n').slice(1);
    const sum = rows
      .map((row) => row.split(',').map(Number))
      .reduce((n, [size, count]) => n + size! * count!, 0);
    expect(sum).toBe(reference.cluster.length);
  });
});

it('common_neighbors knows perfect crystals', async () => {
  for (const [structure, a, cutoff] of [
    ['fcc', 1, 0.854],
    ['bcc', 1, 1.207],
  ] as const) {
    work.write({
      'run.yaml': `particle_types: { A: { mass: 1.0 } }\nsimulation:\n  - lattice: { structure: ${structure}, lattice_constant: ${a}, repeat: [4, 4, 4], types: [A] }\n  - common_neighbors: { cutoff: ${cutoff}, file: ${structure}.csv }\n`,
    });
    const result = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(result.code, result.err).toBe(0);
    const row = readFileSync(work.path(`${structure}.csv`), 'utf8')
      .trim()
      .split('\n')
      .at(-1)!;
    expect(row).toBe(structure === 'fcc' ? '0,0,256,0,0,0,0' : '0,0,0,0,128,0,0');
  }
});
