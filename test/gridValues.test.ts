import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { readVti } from './support/readVti.js';
import { RunFolders } from './support/restarts.js';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
const folders = new RunFolders();
afterAll(() => {
  work.remove();
  folders.remove();
});

const yaml = (dumps: string) => `
configuration: { units: lj, seed: 5, deterministic: true }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 20 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.3, repeat: [5, 5, 5], types: [A] }
  - init_temperature: { temperature: 2.0 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
dump_data:${dumps}
simulation: molecular_dynamics
`;

describe.each(['cpu', 'webgpu'] as const)('values on a grid, on %s', (backend) => {
  it('grid_histogram counts the voxels of grid_projection, and cc_label hangs them together', async () => {
    const text = yaml(`
  - grid_projection: { fields: [count], cell_size: 1.2, file: map.vti, frequency: 20 }
  - grid_histogram: { every: 20, field: count, low: -0.5, high: 4.5, bins: 5, cell_size: 1.2, file: h.json, plot: h.svg }
  - cc_label: { every: 20, field: count, threshold: 0.5, cell_size: 1.2, file: cc.csv, image: cc.vti, plot: cc.svg }
  - cc_label: { every: 20, field: count, threshold: 0.5, side: below, cell_size: 1.2, neighbors: all, file: holes.json }`);
    work.write({ 'in.yaml': text });
    const argv = ['run', work.path('in.yaml'), '--output', work.root, '--threads', '1'];
    const result = await runCli([...argv, '--backend', backend]);
    expect(result.code, result.err).toBe(0);
    const read = (name: string) => readFileSync(work.path(name), 'utf8');
    const images = [0, 20, 40].map((step) => readVti(read(`map.${step}.vti`)));
    const counts = images.flatMap(({ arrays }) => arrays.count!);
    const { points, below, above, frames } = JSON.parse(read('h.json'));
    expect(frames).toBe(3);
    expect(below).toBe(0);
    points.forEach(({ value, probability }: { value: number; probability: number }) => {
      const exact = counts.filter((count) => count === value).length / counts.length;
      expect(probability).toBeCloseTo(exact, 12);
    });
    expect(above).toBeCloseTo(counts.filter((count) => count > 4).length / counts.length, 12);

    const rows = read('cc.csv').trim().split('\n').slice(1);
    const holes = read('holes.json')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    rows.forEach((row, k) => {
      const [step, , components, volume, largest] = row.split(',').map(Number);
      const image = readVti(read(`cc.${step}.vti`));
      const labels = image.arrays.cc_label!;
      const voxel = image.spacing.reduce((a, b) => a * b, 1);
      const sizes = Array.from(
        { length: components! },
        (_, n) => labels.filter((label) => label === n + 1).length,
      );
      expect(Math.max(...labels)).toBe(components);
      labels.forEach((label, n) => {
        expect(label > 0).toBe(images[k]!.arrays.count![n]! > 0);
      });
      expect(volume).toBeCloseTo(voxel * sizes.reduce((a, b) => a + b, 0), 8);
      expect(largest).toBeCloseTo(voxel * Math.max(...sizes), 8);
      expect(holes[k].volume + volume).toBeCloseTo(voxel * labels.length, 8);
      expect(holes[k].volumes).toHaveLength(holes[k].components);
    });
    expect(read('cc.svg')).toContain('components');
    expect(read('h.svg')).toContain('Distribution of count');
  });
});

it('grid_histogram and cc_label go on from a checkpoint to the bit', async () => {
  const text = yaml(`
  - grid_histogram: { every: 4, field: density, file: h.csv }
  - cc_label: { every: 4, threshold: 0.4, cell_size: 1.2, file: cc.csv, plot: cc.svg }
  - checkpoint: { frequency: 10, keep: 100 }`);
  const files = ['h.csv', 'cc.csv', 'cc.svg'];
  await folders.compare('values', text, {}, { from: [20], files });
});

it('a single frame of a file tells numbers without errors', async () => {
  // Three balls, of which one lies across a corner of the box.
  const ball = ([x, y, z]: readonly number[], radius: number): string[] => {
    const lines: string[] = [];
    for (let k = 0; k < 4096; k++) {
      const d = [k & 15, (k >> 4) & 15, k >> 8].map((n) => (n - 7.5) / 2);
      if (Math.hypot(...d) < radius) lines.push(`A ${x! + d[0]!} ${y! + d[1]!} ${z! + d[2]!}`);
    }
    return lines;
  };
  const lines = [
    ...ball([0.2, 0.3, 9.8], 2),
    ...ball([6, 5.5, 5], 1.6),
    ...ball([6, 0.2, 5.5], 1.2),
  ];
  work.write({
    'balls.xyz': `${lines.length}\nLattice="12 0 0 0 11 0 0 0 10" Properties=species:S:1:pos:R:3\n${lines.join('\n')}\n`,
    'balls.yaml': `
particle_types: { A: { mass: 1 } }
simulation:
  - read_extended_xyz: { file: balls.xyz }
  - cc_label: { threshold: 1.5, cell_size: 1, neighbors: all, file: balls.json }
`,
  });
  const { out } = await runCli(['run', work.path('balls.yaml'), '--output', work.root]);
  const { components, x, y, z } = JSON.parse(readFileSync(work.path('balls.json'), 'utf8'));
  expect(out).toMatch(/cc_label: 3 components of volume \d+, the largest \d+\n/);
  expect(components).toBe(3);
  const at = [x, y, z].map((of: number[]) => of[0]!);
  [0.2, 0.3, 9.8].forEach((wanted, k) => {
    const edge = [12, 11, 10][k]!;
    const d = at[k]! - wanted;
    expect(Math.abs(d - edge * Math.round(d / edge))).toBeLessThan(0.3);
  });
});
