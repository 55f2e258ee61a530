import { readFileSync } from 'node:fs';
import { Domain } from '@corpuscle/core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const table = (name: string) =>
  readFileSync(work.path(name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

const lattice = [6, 0, 0, 1, 5, 0, -1, 0.5, 8];
/** Two frames of 300 particles with mass and flow that change along the box. */
const frames = [0, 1].map((frame) =>
  Array.from({ length: 300 }, (_, k) => {
    const s = [0, 1, 2].map((axis) => Math.abs(Math.sin((k + 1) * (axis + 1.3) + frame)) ** 1.5);
    const mass = 1 + (k % 3);
    const v = [0, 1, 2].map(
      (axis) => Math.cos(k * (axis + 2) + frame) + (axis === 0 ? 3 * s[2]! : 0),
    );
    return { r: Domain.triclinic(lattice).toCartesian(s[0]!, s[1]!, s[2]!), s, mass, v };
  }),
);
const text = frames
  .map((particles) =>
    [
      particles.length,
      `Lattice="${lattice.join(' ')}" Properties=species:S:1:pos:R:3:velo:R:3:mass:R:1`,
      ...particles.map(({ r, v, mass }) => `A ${r.join(' ')} ${v.join(' ')} ${mass}`),
    ].join('\n'),
  )
  .join('\n');

describe.each([
  ['cpu', 1e-10],
  ['webgpu', 1e-4],
] as const)('profile on %s', (backend, tolerance) => {
  it('is that of brute force in a tilted box', async () => {
    work.write({
      'frames.xyz': `${text}\n`,
      'run.yaml': `
simulation:
  - read_extended_xyz: { file: frames.xyz, loop: true }
  - profile: { axis: z, bins: 8, file: z.csv, plot: z.svg }
`,
    });
    const argv = ['run', work.path('run.yaml'), '--output', work.root, '--backend', backend];
    const result = await runCli(argv);
    expect(result.code, result.err).toBe(0);
    const domain = Domain.triclinic(lattice);
    table('z.csv').forEach(([position, density, error, massDensity, vx, , , temperature], bin) => {
      const inside = frames.map((particles) =>
        particles.filter(({ s }) => Math.floor(s[2]! * 8) === bin),
      );
      const all = inside.flat();
      const volume = domain.volume / 8;
      const close = (found: number | undefined, value: number) =>
        expect(Math.abs(found! - value)).toBeLessThan(tolerance * Math.max(1, Math.abs(value)));
      const sum = (of: (particle: (typeof all)[number]) => number) =>
        all.reduce((total, particle) => total + of(particle), 0);
      close(position, ((bin + 0.5) / 8) * domain.heights[2]!);
      close(density, all.length / 2 / volume);
      close(error, Math.abs(inside[0]!.length - inside[1]!.length) / 2 / volume);
      const mass = sum((p) => p.mass);
      close(massDensity, mass / 2 / volume);
      const flow = [0, 1, 2].map((axis) => sum((p) => p.mass * p.v[axis]!) / mass);
      close(vx, flow[0]!);
      const heat = sum((p) => p.mass * p.v.reduce((s, v, axis) => s + (v - flow[axis]!) ** 2, 0));
      close(temperature, heat / (3 * all.length));
    });
  });

  it('has all particles along an open axis, also the first and the last', async () => {
    work.write({
      'frames.xyz': `${text.replaceAll('Properties', 'pbc="T T F" Properties')}\n`,
      'run.yaml': `
simulation:
  - read_extended_xyz: { file: frames.xyz, loop: true }
${[1, 3, 7].map((bins) => `  - profile: { axis: z, bins: ${bins}, file: z${bins}.csv }\n`).join('')}`,
    });
    const argv = ['run', work.path('run.yaml'), '--output', work.root, '--backend', backend];
    const result = await runCli(argv);
    expect(result.code, result.err).toBe(0);
    const { volume } = Domain.triclinic(lattice);
    const ranges = frames.map((particles) => {
      const places = particles.map(({ s }) => s[2]!);
      return Math.max(...places) - Math.min(...places);
    });
    const expected = ranges.reduce((mean, range) => mean + 300 / (range * volume) / 2, 0);
    for (const bins of [1, 3, 7]) {
      const mean = table(`z${bins}.csv`).reduce((sum, row) => sum + row[1]! / bins, 0);
      expect(Math.abs(mean / expected - 1)).toBeLessThan(1e-9);
    }
  });
});
