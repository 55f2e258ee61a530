// A tenth of the particles of a bonded liquid is deleted and as many are created, again and again: lists, bonds, ids and forces against
// brute force. The long form takes 10^4 steps.

import { type Domain, defineOperator, type Grid } from '@corpuscle/core';
import { bondsOf, contextOf, createRegistry, gridKey } from '@corpuscle/operators';
import {
  computeCellParticlePairs,
  type ExecutionContext,
  newestOnHost,
  pairFunctor,
} from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { runs } from '../support/runs.js';
import { runText } from '../support/runText.js';

const RCUT = 2.5;
const K = 100;
const R0 = 1.2;
const EDGE = 7.5;
const COUNT = 216;

/** 72 chains of three on a cubic lattice. */
const chains = Array.from({ length: COUNT / 3 }, (_, k) => [3 * k, 3 * k + 1, 3 * k + 2]);
const bonds = chains.flatMap(([a, b, c]) => [
  [a!, b!],
  [b!, c!],
]);
const nameOf = (ids: readonly number[]) => [...ids].sort((a, b) => a - b).join('-');

function startText(): string {
  const lines = Array.from({ length: COUNT }, (_, id) => {
    const at = [id % 6, Math.floor(id / 6) % 6, Math.floor(id / 36)];
    // No pair is at the cutoff.
    const place = at.map((n, axis) => (n + 0.5) * 1.25 + 0.02 * Math.sin(7 * id + 3 * axis));
    return `A ${place.join(' ')} ${id}`;
  });
  const header = `Lattice="${EDGE} 0 0 0 ${EDGE} 0 0 0 ${EDGE}" Properties=species:S:1:pos:R:3:id:I:1`;
  return `${COUNT}\n${header}\n${lines.join('\n')}\n`;
}

const text = (steps: number) => `
configuration: { units: lj, seed: 11 }
global: { dt: 0.002, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 1000 }
particle_types: { A: { mass: 1 }, B: { mass: 2 } }
setup_system:
  - read_extended_xyz: { file: start.xyz }
  - bond_particles: { bonds: ${JSON.stringify(bonds)} }
  - init_temperature: { temperature: 0.7 }
numerical_scheme: { bussi: { temperature: 0.7, tau: 0.05 } }
after_drift:
  - delete_particles: { fraction: 0.1, every: 100, from: 100 }
  - create_particles: { type: B, count: 22, min_distance: 0.9, temperature: 0.7, every: 100, from: 100 }
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: ${RCUT} }
  - harmonic_bond_force: { k: ${K}, r0: ${R0}, rcut: 2.4 }
dump_data: [look]
simulation: molecular_dynamics
`;

/** Neighbors within the cutoff, bonded or not. */
const neighbors = pairFunctor(
  { name: 'neighbors_of', central: { neighbors: 'u32' }, traits: { gpu: true } },
  (i) => {
    i.neighbors += 1;
  },
);

/** What a step looked like; all by row. */
interface Look {
  readonly step: number;
  readonly ids: readonly number[];
  readonly bonds: readonly string[];
  readonly domain: Domain;
  readonly positions: readonly (readonly number[])[];
  readonly forces: readonly (readonly number[])[];
  readonly neighbors: readonly number[];
  /** Names of pairs of ids in the lists of the run, from both sides, within the cutoff; null on a device. */
  readonly listed: readonly string[] | null;
}

const looker = (looks: Look[]) =>
  defineOperator({
    name: 'look',
    doc: 'Notes lists, bonds, ids and forces.',
    slots: {},
    every: 50,
    requires: [gridKey],
    async execute({ state }) {
      const grid = state.get(gridKey);
      const ctx = contextOf(state);
      grid.addBlock({ name: 'neighbors', type: 'u32', width: 1, members: ['neighbors'] });
      await newestOnHost(grid, ctx, ['neighbors']); // calls that wait shall not write it later
      grid.setValues('neighbors', new Float64Array(grid.count));
      await computeCellParticlePairs(grid, neighbors, ctx, { rcut: RCUT });
      await newestOnHost(grid, ctx);
      const columns = (names: readonly string[]) => names.map((name) => [...grid.values(name)]);
      looks.push({
        step: state.step,
        ids: [...grid.values('id')],
        bonds: bondsOf(grid)!.bonds.map(({ ids }) => nameOf(ids)),
        domain: grid.domain,
        positions: columns(['rx', 'ry', 'rz']),
        forces: columns(['fx', 'fy', 'fz']),
        neighbors: [...grid.values('neighbors')],
        listed: ctx.backend === 'cpu' ? listedPairs(grid, ctx) : null,
      });
    },
  });

function listedPairs(grid: Grid, ctx: ExecutionContext): string[] {
  const [id, x, y, z] = ['id', 'rx', 'ry', 'rz'].map((name) => grid.values(name));
  const names: string[] = [];
  ctx.engines.host.neighborList(grid, 'full', RCUT).forEachPair((i, j, image) => {
    const [sx, sy, sz] = grid.domain.image(image);
    const d = [x![i]! + sx - x![j]!, y![i]! + sy - y![j]!, z![i]! + sz - z![j]!];
    if (d[0]! ** 2 + d[1]! ** 2 + d[2]! ** 2 < RCUT ** 2) names.push(`${id![i]} ${id![j]}`);
  });
  return names.sort();
}

/** Pairs, numbers of neighbors and forces by a loop over all pairs. Pairs within `unsure` of the cutoff may count or not. */
function bruteForce({ ids, bonds, domain, positions: r }: Look, unsure: number) {
  const n = ids.length;
  const bonded = new Set(bonds);
  const forces = r.map(() => new Array<number>(n).fill(0));
  const fewest = new Array<number>(n).fill(0);
  const most = new Array<number>(n).fill(0);
  const listed: string[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < i; j++) {
      const d = domain.minimumImage(...(r.map((c) => c[i]! - c[j]!) as [number, number, number]));
      const distance = Math.hypot(...d);
      if (distance >= RCUT + unsure) continue;
      for (const k of [i, j]) {
        most[k]!++;
        if (distance < RCUT - unsure) fewest[k]!++;
      }
      if (distance < RCUT) listed.push(`${ids[i]} ${ids[j]}`, `${ids[j]} ${ids[i]}`);
      const s6 = distance ** -6;
      const strength = bonded.has(nameOf([ids[i]!, ids[j]!]))
        ? -2 * K * (1 - R0 / distance) // u = K (r − r0)²
        : (48 * s6 * s6 - 24 * s6) / distance ** 2;
      if (distance >= RCUT) continue;
      d.forEach((x, axis) => {
        forces[axis]![i]! += strength * x;
        forces[axis]![j]! -= strength * x;
      });
    }
  return { forces, fewest, most, listed: listed.sort() };
}

function check(look: Look, tolerance: number): void {
  const expected = bruteForce(look, tolerance > 1e-10 ? 1e-5 : 0);
  if (look.listed) expect(look.listed).toEqual(expected.listed);
  look.neighbors.forEach((count, row) => {
    const where = `step ${look.step}, row ${row} of ${look.ids.length}`;
    expect(count, where).toBeGreaterThanOrEqual(expected.fewest[row]!);
    expect(count, where).toBeLessThanOrEqual(expected.most[row]!);
  });
  let [error, largest] = [0, 1];
  look.forces.forEach((column, axis) => {
    column.forEach((f, row) => {
      error = Math.max(error, Math.abs(f - expected.forces[axis]![row]!));
      largest = Math.max(largest, Math.abs(f));
    });
  });
  expect(error / largest, `step ${look.step}`).toBeLessThan(tolerance);
}

for (const { name, ctx } of (await openTargets('state')).filter(({ name }) =>
  /simd|f32/.test(name),
))
  it(`${name}: lists, bonds, ids and forces are those of brute force while a tenth comes and goes`, async () => {
    const looks: Look[] = [];
    const operators = createRegistry().add(looker(looks));
    // The software adapter compiles kernels anew for each number of particles.
    const steps = ctx.backend === 'cpu' ? runs(400, 10_000) : runs(100, 2_000);
    await runText(text(steps), ctx, { operators, files: { 'start.xyz': startText() } });
    expect(looks.map(({ step }) => step)).toEqual(
      Array.from({ length: steps / 50 + 1 }, (_, k) => 50 * k),
    );
    let highest = COUNT - 1;
    let before = new Set(looks[0]!.ids);
    for (const look of looks) {
      const { step, ids } = look;
      check(look, ctx.backend === 'cpu' ? 1e-10 : 1e-4);
      const now = new Set(ids);
      expect(now.size).toBe(ids.length);
      const added = ids.filter((id) => !before.has(id)).sort((a, b) => a - b);
      const isChange = step > 0 && step % 100 === 0;
      const first = highest + 1;
      expect(added).toEqual(isChange ? Array.from({ length: 22 }, (_, k) => first + k) : []);
      if (isChange) {
        expect([...before].filter((id) => !now.has(id)).length).toBeGreaterThan(5);
        highest += 22;
      }
      // A bond goes with its first particle that goes.
      const left = bonds.filter((pair) => pair.every((id) => now.has(id))).map(nameOf);
      expect([...look.bonds].sort()).toEqual(left.sort());
      before = now;
    }
    expect(looks.at(-1)!.bonds.length).toBeLessThan(bonds.length);
  }, 1_800_000);
