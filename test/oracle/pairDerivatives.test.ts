import {
  born,
  buckingham,
  type CutoffSwitch,
  coulombCut,
  coulombDebye,
  coulombDsf,
  coulombWolf,
  ForceLedger,
  type ForceTerm,
  gauss,
  lennardJonesForce,
  mie,
  morse,
  reactionField,
  soft,
  wca,
  yukawa,
  zbl,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gridOf, largest, largestDifference, vectorsById } from '../support/particlesOf.js';
import { frameOf } from '../support/potentialCases.js';

type Shift = 'none' | 'energy' | 'force';
type Treatment = {
  readonly shift?: Shift;
  readonly switch?: CutoffSwitch;
  readonly switchFrom?: number;
};

const types = ['A', 'B'];
const rcut = 2.5;
const all = { types, rcut };

/** A treatment of a potential that has a shift by definition: less than that it cannot have. */
const beyond = (own: Shift, { shift, ...how }: Treatment): Treatment =>
  shift === 'force' || shift === own ? { ...how, shift } : how;

const potentials: Readonly<Record<string, (how: Treatment) => ForceTerm>> = {
  lennard_jones: (how) => lennardJonesForce({ ...all, epsilon: 1.5, sigma: 0.9, ...how }),
  morse: (how) => morse.term({ ...all, D: 1.5, alpha: 4.5, r0: 1.05, ...how }),
  buckingham: (how) => buckingham.term({ ...all, A: 5000, rho: 0.12, C: 1, ...how }),
  born: (how) => born.term({ ...all, A: 2, rho: 0.12, sigma: 0.9, C: 1, D: 0.3, ...how }),
  mie: (how) => mie.term({ ...all, epsilon: 1.5, sigma: 0.9, n: 11.5, m: 6, ...how }),
  gauss: (how) => gauss.term({ ...all, A: 3, B: 0.8, ...how }),
  soft: (how) => soft.term({ ...all, A: 3, ...how }),
  yukawa: (how) => yukawa.term({ ...all, A: 10, kappa: 1.2, ...how }),
  // Its own window gives way to a shift.
  zbl: (how) =>
    zbl.term({
      ...all,
      z_i: 14,
      z_j: 29,
      ...(how.shift === 'none' ? { switch: 'none' } : {}),
      ...how,
    }),
  coulomb_cut: (how) => coulombCut.term({ ...all, ...how }),
  coulomb_debye: (how) => coulombDebye.term({ ...all, kappa: 0.8, ...how }),
  wca: (how) => wca.term({ types, epsilon: 1.5, sigma: rcut / 2 ** (1 / 6), ...how }),
  coulomb_dsf: (how) => coulombDsf.term({ ...all, alpha: 0.6, ...beyond('force', how) }),
  coulomb_wolf: (how) => coulombWolf.term({ ...all, alpha: 0.6, ...beyond('energy', how) }),
  reaction_field: (how) => reactionField.term({ ...all, epsilon_rf: 78, ...beyond('energy', how) }),
};
/** What is done at the cutoff is part of these. */
const fixed: Readonly<Record<string, () => ForceTerm>> = {
  wca: () => wca.term({ types, epsilon: 1.5, sigma: 1.9 }),
  coulomb_dsf: () => coulombDsf.term({ types, alpha: 0.6, rcut }),
  coulomb_wolf: () => coulombWolf.term({ types, alpha: 0.6, rcut }),
  reaction_field: () => reactionField.term({ types, epsilon_rf: 78, rcut }),
  'reaction_field of a conductor': () => reactionField.term({ types, epsilon_rf: 0, rcut }),
};
const treatments: readonly Treatment[] = [
  { shift: 'none' },
  { shift: 'energy' },
  { shift: 'force' },
  { switch: 'force', switchFrom: 1.9 },
  { switch: 'potential', switchFrom: 1.9 },
  { switch: 'xplor', switchFrom: 1.9 },
  { switch: 'smooth', switchFrom: 1.9 },
];

/** Pairs far from each other, at distances from 0.8 almost to the cutoff. */
const PAIRS = 90;
const distances = Array.from({ length: PAIRS }, (_, k) => 0.8 + ((rcut - 0.801) * k) / (PAIRS - 1));

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx.close());

/** Energy of each pair, and the force that pushes it apart. */
async function evaluate(term: ForceTerm, r: readonly number[]) {
  const place = r.flatMap((x, k) => [8 * k, 0, 0, 8 * k + x, 0, 0]);
  const frame = {
    ...frameOf(
      place,
      r.flatMap((_, k) => [k % 2, k % 3 === 0 ? 0 : 1]),
    ),
    charge: Float64Array.from(r.flatMap((_, k) => [1 + 0.1 * Math.sin(k), 0.7])),
  };
  const grid = gridOf(frame, ctx);
  await updateNeighbors(grid, ctx, { rcut: term.rcut, skin: 0.1 });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true, energies: true });
  ledger.add(term);
  await ledger.totals();
  const forces = await vectorsById(grid, ctx, 'force');
  const own = grid.values('ep');
  const energies = new Float64Array(own.length);
  grid.rowsById().forEach((row, k) => {
    energies[k] = own[row]!;
  });
  return {
    energies: r.map((_, k) => energies[2 * k]! + energies[2 * k + 1]!),
    forces: r.map((_, k) => forces[6 * k + 3]!),
  };
}

async function expectDerivative(term: ForceTerm) {
  const h = 1e-5;
  const at = async (by: number) =>
    (
      await evaluate(
        term,
        distances.map((r) => r + by),
      )
    ).energies;
  const [more, less] = [await at(h), await at(-h)];
  const { forces } = await evaluate(term, distances);
  const numeric = more.map((u, k) => (less[k]! - u) / (2 * h));
  // h² u‴ and 1e-16 u/h
  expect(largestDifference(forces, numeric) / largest(forces)).toBeLessThan(2e-8);
  return forces;
}

describe.each(Object.entries(potentials))('%s: force is −du/dr', (_, make) => {
  it.each(treatments)('$shift $switch', async (how) => {
    const forces = await expectDerivative(make(how));
    const ends = how.shift === 'force' || (how.switch ?? 'none') !== 'none';
    // The last distance is 0.001 before the cutoff.
    if (ends) expect(Math.abs(forces.at(-1)!)).toBeLessThan(1e-2 * (1 + Math.abs(forces[45]!)));
  });
});

it.each(Object.entries(fixed))('%s: force is −du/dr', async (_, make) => {
  await expectDerivative(make());
});

it.each(treatments.slice(3))(
  'Wolf and reaction field, whose forces jump, end at 0 in a window: $switch',
  async (how) => {
    for (const make of [
      coulombWolf.term({ types, alpha: 0.6, rcut, ...how }),
      reactionField.term({ types, epsilon_rf: 2, rcut, ...how }),
    ]) {
      const forces = await expectDerivative(make);
      expect(Math.abs(forces.at(-1)!)).toBeLessThan(1e-2 * (1 + Math.abs(forces[45]!)));
    }
  },
);

it('the reaction field of a conductor is 1/r + r²/2 rcut³ − 3/2 rcut (Barker and Watts)', async () => {
  const term = reactionField.term({ types, epsilon_rf: 0, rcut });
  const { energies, forces } = await evaluate(term, [1.25, rcut - 1e-9]);
  const q = 0.7;
  expect(energies[0]! / (q * (0.8 + 1.25 ** 2 / (2 * rcut ** 3) - 1.5 / rcut))).toBeCloseTo(1, 12);
  expect(forces[0]! / (q * (0.64 - 1.25 / rcut ** 3))).toBeCloseTo(1, 12);
  expect(Math.abs(forces[1]!)).toBeLessThan(1e-8);
});

describe('energies end at 0', () => {
  it.each(treatments.slice(1))('$shift $switch', async (how) => {
    const near = [rcut - 1e-6];
    for (const [name, make] of Object.entries(potentials)) {
      // Charges have an energy by themselves.
      if (/dsf|wolf/.test(name)) continue;
      const { energies } = await evaluate(make(how), near);
      expect(Math.abs(energies[0]!)).toBeLessThan(1e-5);
    }
  });
});
