import { readFileSync } from 'node:fs';
import { Domain } from '@corpuscle/core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';
import { itOnce, runs } from './support/runs.js';

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

  itOnce('centro_symmetry, common_neighbors and clusters are those of LAMMPS', async () => {
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

it.each([runs<'cpu' | 'webgpu'>('cpu', 'webgpu')])(
  'group: on %s members alone get numbers, and alone make clusters',
  async (backend) => {
    work.write({
      'gas.data': data('gas.data'),
      'run.yaml': `particle_types: { A: { mass: 1.0 } }
simulation:
  - read_lammps_data: { file: gas.data }
  - group: { name: even, ids: { first: 0, last: 9998, stride: 2 } }
  - clusters: { cutoff: 1.12, group: even, file: clusters.json }
  - common_neighbors: { cutoff: 1.355, group: even, file: cna.json }
  - common_neighbors: { cutoff: 1.355, file: all.json }
  - steinhardt: { cutoff: 1.6, group: even, file: q.json }
  - steinhardt: { cutoff: 1.6, file: q_all.json }
  - centro_symmetry: { cutoff: 3, nearest: 4, group: even, file: centro.json }
  - centro_symmetry: { cutoff: 3, nearest: 4, file: centro_all.json }
  - write_extended_xyz: { file: last.xyz, fields: [pos, id] }
`,
    });
    const argv = ['run', work.path('run.yaml'), '--output', work.root, '--backend', backend];
    const result = await runCli(argv);
    expect(result.code, result.err).toBe(0);

    const isIn = (k: number) => k % 2 === 1; // ids begin with 1
    const alone = (values: readonly number[]) => values.map((x, k) => (isIn(k) ? x : null));
    expect(json('cna.json').structure).toEqual(alone(json('all.json').structure));
    expect(json('centro.json').centro_symmetry).toEqual(
      alone(json('centro_all.json').centro_symmetry),
    );
    const [some, all] = [json('q.json'), json('q_all.json')];
    expect(some.q6).toEqual(alone(all.q6));
    const members = (all.q6 as number[]).filter((_, k) => isIn(k));
    const mean = members.reduce((sum, x) => sum + x, 0) / members.length;
    expect(Math.abs(some.q6_mean - mean)).toBeLessThan(1e-6);

    // Brute force: the labels of members spread between members.
    const [, header, ...lines] = readFileSync(work.path('last.xyz'), 'utf8').trim().split('\n');
    const edges = /Lattice="([^"]+)"/.exec(header!)![1]!.split(/\s+/).map(Number);
    const box = Domain.triclinic(edges);
    const places = lines.map((line) => line.trim().split(/\s+/).slice(1, 4).map(Number));
    const label = places.map((_, k) => k + 1);
    for (let changed = true; changed; ) {
      changed = false;
      for (let a = 1; a < places.length; a += 2)
        for (let b = 1; b < places.length; b += 2) {
          const [x, y, z] = places[a]!.map((r, axis) => r - places[b]![axis]!);
          if (label[b]! >= label[a]! || Math.hypot(...box.minimumImage(x!, y!, z!)) >= 1.12)
            continue;
          label[a] = label[b]!;
          changed = true;
        }
    }
    const found = json('clusters.json');
    expect(found.cluster).toEqual(alone(label));
    expect(found.clusters).toBe(new Set(label.filter((_, k) => isIn(k))).size);
  },
);

itOnce('common_neighbors knows perfect crystals', async () => {
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
