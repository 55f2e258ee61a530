import { readdirSync, readFileSync } from 'node:fs';
import { Domain, Grid } from '@corpuscle/core';
import { formatVti, projectParticles, writeVti } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readVti } from './support/readVti.js';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(async () => {
  await ctx.close();
  work.remove();
});

function scattered(domain: Domain, count = 500): Grid {
  const grid = new Grid(ctx.heap, domain);
  grid.resize(count);
  const value = (k: number, a: number) => (k * a) % 1;
  const fill = (name: string, of: (k: number) => number) =>
    grid.setValues(
      name,
      Float64Array.from({ length: count }, (_, k) => of(k)),
    );
  // Some lie outside the box, as particles do between two sorts.
  fill('rx', (k) => 7 * value(k, 0.618) - 0.5);
  fill('ry', (k) => 5 * value(k, 0.414) + 0.3);
  fill('rz', (k) => 9 * value(k, 0.732) - 1);
  for (const name of ['vx', 'vy', 'vz']) fill(name, (k) => value(k, 0.377) - 0.5);
  fill('mass', (k) => 1 + (k % 3));
  fill('charge', (k) => (k % 5) - 2);
  return grid;
}

const fields = ['count', 'density', 'mass', 'mass_density', 'temperature', 'charge'];

describe('projectParticles', () => {
  it.each([
    ['a periodic box', Domain.orthorhombic([6, 5, 8])],
    ['a box with open faces', Domain.orthorhombic([6, 5, 8], { periodic: [true, false, false] })],
    ['a box elsewhere', Domain.orthorhombic([6, 5, 8], { origin: [-1, 0.5, 2] })],
  ])('sorts particles into voxels of %s, and loses none', async (_, domain) => {
    const grid = scattered(domain);
    const map = await projectParticles(grid, ctx, {
      fields,
      cellSize: 1.9,
      subdivisions: 2,
      boltzmann: 0.5,
    });
    expect(map.dims).toEqual([6, 4, 8]);
    const image = readVti([...formatVti(map)].join(''));
    expect(image.cells).toEqual([6, 4, 8]);
    expect(image.origin).toEqual([...domain.origin]);
    const volume = image.spacing.reduce((a, b) => a * b, 1);
    const [x, y, z, m, q] = ['rx', 'ry', 'rz', 'mass', 'charge'].map((name) => grid.values(name));
    const speeds = ['vx', 'vy', 'vz'].map((name) => grid.values(name));
    const members: number[][] = image.arrays.count!.map(() => []);
    for (let k = 0; k < grid.count; k++) {
      const at = [x![k]!, y![k]!, z![k]!].map((r, axis) => {
        const n = image.cells[axis]!;
        const c = Math.floor((r - image.origin[axis]!) / image.spacing[axis]!);
        return domain.periodic[axis as 0 | 1 | 2]
          ? ((c % n) + n) % n
          : Math.min(n - 1, Math.max(0, c));
      });
      members[at[0]! + 6 * (at[1]! + 4 * at[2]!)]!.push(k);
    }
    members.forEach((list, voxel) => {
      const sum = (of: (k: number) => number) => list.reduce((s, k) => s + of(k), 0);
      const n = Math.max(1, list.length);
      const twice = sum((k) => m![k]! * speeds.reduce((s, v) => s + v[k]! ** 2, 0));
      const expected = {
        count: list.length,
        density: list.length / volume,
        mass: sum((k) => m![k]!),
        mass_density: sum((k) => m![k]!) / volume,
        temperature: twice / (3 * n * 0.5),
        charge: sum((k) => q![k]!) / n,
      };
      for (const [name, value] of Object.entries(expected))
        expect(image.arrays[name]![voxel]).toBeCloseTo(value, 10);
    });
    const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
    expect(total(image.arrays.count!)).toBe(grid.count);
    expect(total(image.arrays.mass_density!) * volume).toBeCloseTo(total([...m!]), 8);
    grid.free();
  });

  it('writes the same numbers as text and as base64', async () => {
    const grid = scattered(Domain.orthorhombic([6, 5, 8]), 40);
    const map = await projectParticles(grid, ctx, { fields: ['temperature', 'count'] });
    const written = async (encoding: 'ascii' | 'base64') => {
      const file = work.path(`${encoding}.vti`);
      await writeVti(file, map, encoding);
      return readVti(readFileSync(file, 'utf8'));
    };
    expect(await written('ascii')).toEqual(await written('base64'));
    grid.free();
  });

  it('says what it cannot do', async () => {
    const code = async (grid: Grid, options: object) =>
      projectParticles(grid, ctx, { fields: ['count'], ...options }).catch((error) => error.code);
    const box = scattered(Domain.orthorhombic([6, 5, 8]), 4);
    expect(await code(scattered(Domain.triclinic([6, 0, 0, 2, 5, 0, 0, 0, 8])), {})).toBe(
      'INVALID_VALUE',
    );
    expect(await code(box, { subdivisions: 0 })).toBe('INVALID_VALUE');
    expect(await code(box, { fields: ['color'] })).toBe('UNKNOWN_FIELD');
  });
});

describe('grid_projection', () => {
  it('writes an image every so many steps of a run', async () => {
    const dump_data =
      '\n  - grid_projection: { fields: [density, temperature], cell_size: 3, subdivisions: 2, file: map.vti, frequency: 2 }';
    const global = '{ dt: 0.005, end_iteration: 4, thermo_frequency: 2 }';
    work.write({ 'map.yaml': meltYaml({ global, dump_data }) });
    const args = ['run', work.path('map.yaml'), '--output', work.path('out'), '--backend', 'cpu'];
    expect(await runCli(args)).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(work.path('out')).filter((name) => name.endsWith('.vti'))).toEqual([
      'map.0.vti',
      'map.2.vti',
      'map.4.vti',
    ]);
    const list = readFileSync(work.path('out/map.pvd'), 'utf8');
    expect([...list.matchAll(/file="([^"]*)"/g)].map((match) => match[1])).toEqual([
      'map.0.vti',
      'map.2.vti',
      'map.4.vti',
    ]);
    const image = readVti(readFileSync(work.path('out/map.4.vti'), 'utf8'));
    const volume = image.spacing.reduce((a, b) => a * b, 1);
    const count = image.arrays.density!.reduce((a, b) => a + b * volume, 0);
    expect(count).toBeCloseTo(256, 8);
    expect(Math.max(...image.arrays.temperature!)).toBeGreaterThan(0);
  });

  it('refuses a file of another kind', async () => {
    const dump_data = '\n  - grid_projection: { fields: [density], file: map.txt }';
    work.write({ 'wrong.yaml': meltYaml({ dump_data }) });
    const result = await runCli(['check', work.path('wrong.yaml')]);
    expect(result.code).toBe(2);
    expect(result.err).toContain('.vti');
  });
});
