import { readFileSync } from 'node:fs';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBox } from './support/boxCases.js';
import { Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** A number of the table in its rows. */
function column(name: string): number[] {
  const [head, ...rows] = readFileSync(work.path('out/thermo.csv'), 'utf8').trim().split('\n');
  return rows.map((row) => Number(row.split(',')[head!.split(',').indexOf(name)]));
}

/** Lattice coordinates of all particles. */
function fractions([ax, , , bx, by, , cx, cy, cz]: readonly number[], r: ArrayLike<number>) {
  return Array.from({ length: r.length / 3 }, (_, k) => {
    const c = r[3 * k + 2]! / cz!;
    const b = (r[3 * k + 1]! - c * cy!) / by!;
    return [(r[3 * k]! - b * bx! - c * cx!) / ax!, b, c];
  }).flat();
}

describe('lengths by pressures of their own, in a box that leans', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  });
  afterAll(() => ctx.close());

  // LAMMPS has no such barostat for boxes that lean. The step is so short that particles stay where they are in the box.
  it('berendsen: each by the formula, and vectors and lattice coordinates stay', async () => {
    const baths = [1, 6, 3];
    const scheme = `berendsen: { pressure: [${baths}], tau_pressure: 1.0e-7, compressibility: 0.005, coupling: aniso }`;
    const parts = `thermo: { box: true }\nnumerical_scheme: { ${scheme} }\n`;
    const of = { start: 'prism', steps: 1 } as const;
    const { lattice, positions, row } = await runBox(work, ctx, of, parts, { dt: 1e-7, every: 1 });
    ['x', 'y', 'z'].forEach((axis, k) => {
      const [before, after] = column(`l${axis}`);
      const grown = Math.cbrt(1 + 0.005 * (column(`p${axis}${axis}`)[0]! - baths[k]!));
      expect(after! / before!).toBeCloseTo(grown, 8);
    });
    for (const [tilt, length] of ['xy ly', 'xz lz', 'yz lz'].map((pair) => pair.split(' '))) {
      const [first, second] = column(tilt!).map((x, k) => x / column(length!)[k]!);
      expect(second).toBeCloseTo(first!, 14);
    }
    const still = await runBox(work, ctx, of, '', { dt: 1e-7, every: 1 });
    const origin = row.slice(4, 7);
    const moved = fractions(
      lattice,
      positions.map((x, k) => x - origin[k % 3]!),
    );
    const stayed = fractions(still.lattice, still.positions);
    moved.forEach((s, k) => {
      const away = s - stayed[k]!;
      expect(Math.abs(away - Math.round(away))).toBeLessThan(1e-9);
    });
  });

  it('nose_hoover: a box that comes to lean too far is flipped', async () => {
    const scheme = 'nose_hoover: { pressure: [30, 1, 8], tau_pressure: 0.2, coupling: aniso }';
    const parts = `+setup_system:\n  - change_box: { strain: { xy: 0.44 } }\nthermo: { box: true }\nnumerical_scheme: { ${scheme} }\n`;
    await runBox(work, ctx, { start: 'prism', steps: 60 }, parts, { dt: 0.002, every: 1 });
    const lean = column('xy').map((x, k) => x / column('lx')[k]!);
    const at = lean.findIndex((x) => x < 0);
    expect(lean[at - 1]).toBeGreaterThan(0.57);
    expect(lean[at]! - lean[at - 1]!).toBeCloseTo(-1, 1);
    // The lattice is the same, so that nothing jumps.
    const energies = column('potential_energy');
    const change = (k: number) => energies[k]! - energies[k - 1]!;
    expect(Math.abs(change(at) - change(at - 1))).toBeLessThan(0.3 * Math.abs(change(at - 1)));
  });

  it('a box that is turned is refused', async () => {
    const turned = `+setup_system:\n  - change_box: { lattice: [7, 0, 0, 0, 7, 1, 0, 0, 7] }\n`;
    for (const name of ['nose_hoover', 'berendsen']) {
      const scheme = `numerical_scheme: { ${name}: { pressure: 2, tau_pressure: 0.5, coupling: aniso } }\n`;
      await expect(
        runBox(work, ctx, { start: 'prism', steps: 1 }, turned + scheme),
      ).rejects.toThrow('needs a along x and b in the xy plane');
    }
  });
});
