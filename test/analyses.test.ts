import { readFileSync } from 'node:fs';
import { Domain } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { coordinationCase } from './support/coordinationCase.js';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const big = coordinationCase('big_500_ortho');
const lattice = big.box!.flat();
const shifted = big.positions.map(([x, y, z], k) => [x! + 0.05 * Math.sin(k), y!, z!]);

/** Two frames; types alternate between A and B. */
const frames = [big.positions, shifted]
  .map((positions) =>
    [
      positions.length,
      `Lattice="${lattice.join(' ')}" Properties=species:S:1:pos:R:3`,
      ...positions.map((r, k) => `${k % 2 === 0 ? 'A' : 'B'} ${r.join(' ')}`),
    ].join('\n'),
  )
  .join('\n')
  .concat('\n');

async function analyze(operators: string, backend = 'cpu') {
  work.write({
    'run.yaml': `simulation:\n  - read_extended_xyz: { file: frames.xyz, loop: true }\n${operators}`,
    'frames.xyz': frames,
  });
  return runCli(['run', work.path('run.yaml'), '--output', work.root, '--backend', backend]);
}
const output = (name: string) => readFileSync(work.path(name), 'utf8');
const lines = (name: string) => output(name).trim().split('\n');
const table = (name: string) =>
  lines(name)
    .slice(1)
    .map((line) => line.split(',').map(Number));

/** Tags that are opened are closed, and no number is missing. */
function expectSvg(name: string): string {
  const svg = output(name);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  expect(svg.trim()).toMatch(/<\/svg>$/);
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  expect(svg.match(/<text/g)?.length).toBe(svg.match(/<\/text>/g)?.length);
  return svg;
}

const near = 'switch: { r_0: 0.3, d_max: 0.6 }';

describe('coordination_histogram', () => {
  it.each([
    ['cpu', 'of all', 'group_a: all'],
    ['cpu', 'of a group', 'group_a: A'],
    ['cpu', 'of one group around another', 'group_a: A, group_b: B'],
    ['webgpu', 'of a group', 'group_a: A'],
  ])('on %s counts per-particle numbers %s', async (backend, _, groups) => {
    const result = await analyze(
      `  - coordination: { ${groups}, ${near}, file: cn.json }
  - coordination_histogram: { ${groups}, ${near}, max: 16, bins: 20, file: histogram.csv, plot: histogram.svg }
  - coordination_histogram: { ${groups}, ${near}, max: 16, bins: 20, file: counts.json }\n`,
      backend,
    );
    expect(result.code, result.err).toBe(0);
    const counts = new Float64Array(20);
    for (const line of lines('cn.json')) {
      const { per_particle } = JSON.parse(line) as { per_particle: number[] };
      per_particle.forEach((cn, id) => {
        const bin = Math.floor((cn * 20) / 16);
        if ((groups === 'group_a: all' || id % 2 === 0) && bin < 20) counts[bin]! += 0.5;
      });
    }
    const rows = table('histogram.csv');
    expect(lines('histogram.csv')[0]).toBe('coordination,count,fraction');
    expect(rows.map(([, count]) => count)).toEqual([...counts]);
    expect(rows[0]![0]).toBe(0.4);
    const frame = lines('counts.json').map((line) => JSON.parse(line));
    expect(frame.map(({ step }) => step)).toEqual([0, 1]);
    expect(frame[0].counts.map((n: number, k: number) => (n + frame[1].counts[k]) / 2)).toEqual([
      ...counts,
    ]);
    const svg = expectSvg('histogram.svg');
    expect(svg.match(/fill-opacity/g)?.length).toBe(counts.filter((n) => n > 0).length);
  });
});

describe('radial_distribution', () => {
  it('averages over frames, per pair of types', async () => {
    const result = await analyze(
      '  - radial_distribution: { r_max: 0.9, bins: 30, file: rdf.csv, plot: rdf.svg }\n  - radial_distribution: { pairs: [[B, A]], bins: 30, file: rdf.json }\n',
    );
    expect(result.code, result.err).toBe(0);
    expect(lines('rdf.csv')[0]).toBe('r,g_A-A,n_A-A,g_A-B,n_A-B,g_B-B,n_B-B');
    const rows = table('rdf.csv');
    const domain = Domain.triclinic(lattice);
    let pairs = 0;
    for (const positions of [big.positions, shifted])
      for (let i = 0; i < 500; i += 2)
        for (let j = 1; j < 500; j += 2) {
          const [a, b] = [positions[i]!, positions[j]!];
          const d = domain.minimumImage(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
          if (Math.hypot(...d) < 0.9) pairs++;
        }
    expect(rows.at(-1)![4]).toBeCloseTo(pairs / 500, 10);
    expect(expectSvg('rdf.svg')).toContain('A–B');
    const json = JSON.parse(output('rdf.json'));
    expect(json.frames).toBe(2);
    expect(json.pairs.map(({ types }: { types: string[] }) => types)).toEqual([['B', 'A']]);
    expect(json.r[29]).toBeCloseTo((29.5 / 30) * (Math.min(...domain.heights) / 2), 12);
  });

  it('refuses what the box cannot hold, and unknown types', async () => {
    const wide = await analyze('  - radial_distribution: { r_max: 70, file: rdf.csv }\n');
    expect(wide.code).toBe(2);
    expect(wide.err).toMatch(/r_max 70 is more than 15 times the box/);
    const unknown = await analyze('  - radial_distribution: { pairs: [[A, C]], file: rdf.csv }\n');
    expect(unknown.code).toBe(2);
    expect(unknown.err).toMatch(/run.yaml:3.*'C'/s);
  });
});

describe('steinhardt', () => {
  const crystal = (operator: string) => `
configuration: { units: lj, seed: 1 }
particle_types: { A: { mass: 1.0 } }
simulation:
  - lattice: { structure: fcc, density: 1.0, repeat: [4, 4, 4], types: [A] }
  - steinhardt: { ${operator} }
`;
  it('knows fcc, by id', async () => {
    work.write({ 'run.yaml': crystal('nearest: 12, file: q.json') });
    const result = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(result.code, result.err).toBe(0);
    const { q4, q6, q6_mean: mean, neighbors } = JSON.parse(output('q.json'));
    expect(q6).toHaveLength(256);
    expect(q4[17]).toBeCloseTo(0.1909, 4);
    expect(q6[17]).toBeCloseTo(0.5745, 4);
    expect(mean).toBeCloseTo(0.5745, 4);
    expect(new Set(neighbors)).toEqual(new Set([12]));
  });

  it('needs to know which neighbors', async () => {
    work.write({ 'run.yaml': crystal('file: q.json') });
    const result = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(result.code).toBe(2);
    expect(result.err).toMatch(/run.yaml:6.*needs cutoff, or nearest/s);
  });

  it.each(['cpu', 'webgpu'])(
    "follows a melt in a run on %s, with the run's lists",
    async (backend) => {
      work.write({
        'run.yaml': `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 20, thermo_frequency: 20 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 3.0 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
dump_data:
  - steinhardt: { nearest: 12, cutoff: 2.2, file: q.csv, frequency: 10 }
  - radial_distribution: { r_max: 2.5, bins: 25, file: rdf.csv, frequency: 10 }
  - coordination: { group_a: all, switch: { r_0: 1.2, d_max: 2.2 }, file: COLVAR, plot: cn.svg, frequency: 10 }
simulation: molecular_dynamics
`,
      });
      const argv = ['run', work.path('run.yaml'), '--output', work.root, '--backend', backend];
      const result = await runCli(argv);
      expect(result.code, result.err).toBe(0);
      const rows = table('q.csv');
      expect(rows.map(([step]) => step)).toEqual([0, 10, 20]);
      expect(rows[0]![3]).toBeCloseTo(0.5745, 4);
      expect(rows[2]![3]).toBeLessThan(0.55);
      expect(expectSvg('cn.svg').match(/<circle/g)).toHaveLength(3);
      expect(lines('COLVAR')).toHaveLength(4);
      expect(table('rdf.csv').at(-1)![2]).toBeGreaterThan(40); // 0.8442 · 4/3 π 2.5³ = 55, less 1
    },
  );
});

const analysisNames = [
  ...['averages', 'cc_label', 'centro_symmetry', 'clusters', 'common_neighbors', 'coordination'],
  ...['coordination_histogram', 'grid_histogram', 'grid_projection', 'heat_flux_autocorrelation'],
  ...['mean_square_displacement', 'neighbor_stats', 'particle_stress', 'profile'],
  ...['radial_distribution', 'steinhardt', 'stress_autocorrelation', 'structure_factor'],
  'velocity_autocorrelation',
];

describe('the steps that an analysis looks at', () => {
  it('are told by every, frequency and from in all of them', () => {
    const { operators } = createRegistry();
    for (const name of analysisNames) {
      const { slots } = operators.find((one) => one.name === name)!;
      expect(Object.keys(slots), name).toEqual(
        expect.arrayContaining(['every', 'frequency', 'from']),
      );
    }
  });

  it('are those of every, or of frequency', async () => {
    const table = (slots: string, file: string) =>
      `  - coordination: { group_a: all, switch: { r_0: 1.3, d_max: 1.4 }, ${slots}, file: ${file} }\n`;
    work.write({
      'run.yaml': `configuration: { units: lj, seed: 1 }
global: { dt: 0.004, end_iteration: 7 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 1.4 }]
dump_data:
${table('every: 2, from: 3', 'a.csv')}${table('frequency: 2, from: 3', 'b.csv')}${table('every: 4, frequency: 3', 'c.csv')}simulation: molecular_dynamics
`,
    });
    const result = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
    expect(result).toMatchObject({ code: 0 });
    const steps = (file: string) =>
      lines(file)
        .slice(1)
        .map((line) => Number(line.split(',')[0]));
    expect(steps('a.csv')).toEqual([3, 5, 7]);
    expect(steps('b.csv')).toEqual([3, 5, 7]);
    expect(steps('c.csv')).toEqual([0, 4]);
  });
});

it('analyses of particles say means over frames with errors from blocks, and plot them', async () => {
  const each = [
    'common_neighbors: { cutoff: 1.4, every: 1, file: cna.csv, plot: cna.svg }',
    'centro_symmetry: { cutoff: 2.0, every: 1, file: centro.csv, plot: centro.svg }',
    'particle_stress: { every: 1, file: stress.csv, plot: stress.svg }',
    'steinhardt: { nearest: 12, every: 1, file: q.csv, plot: q.svg }',
  ];
  work.write({
    'run.yaml': `configuration: { units: lj, seed: 1 }
global: { dt: 0.004, end_iteration: 3 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.0 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
dump_data:
${each.map((one) => `  - ${one}\n`).join('')}simulation: molecular_dynamics
`,
  });
  const { code, out } = await runCli(['run', work.path('run.yaml'), '--output', work.root]);
  expect(code).toBe(0);
  for (const name of ['cna', 'centro', 'stress', 'q']) expectSvg(`${name}.svg`);
  const rows = table('centro.csv').map((row) => row[2]!);
  const mean = rows.reduce((sum, value) => sum + value, 0) / 4;
  const squares = rows.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const told = /centro_symmetry, mean of 4 frames: mean (\S+) ± (\S+),/.exec(out)!;
  expect(Number(told[1])).toBeCloseTo(mean, 5);
  expect(Number(told[2]) / Math.sqrt(squares / 3 / 4)).toBeCloseTo(1, 1);
});
