// Cells smaller than the cutoff, where a neighbor counts at several images: against LAMMPS, direct sums and supercells.

import { readFileSync } from 'node:fs';
import {
  embeddedAtomForce,
  type ForceTerm,
  lattice,
  lennardJonesForce,
  molecularDynamics,
  type ParticleFrame,
  readSetfl,
  readStillingerWeber,
  stillingerWeberForce,
} from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { evaluateForces } from '../support/evaluateForces.js';
import { manyBodyData } from '../support/manyBodyCases.js';
import { gridOf, largest, largestDifference, vectorsById } from '../support/particlesOf.js';
import { isLong, itOnce } from '../support/runs.js';
import { runText } from '../support/runText.js';

interface Reference {
  readonly lattice: readonly number[];
  readonly dt: number;
  readonly start: readonly number[];
  readonly velocities: readonly number[];
  readonly forces: readonly number[];
  /** Step, potential and kinetic energy, pressure. */
  readonly rows: readonly (readonly [number, number, number, number])[];
  readonly last: readonly number[];
}

const references: Readonly<Record<string, Reference>> = JSON.parse(
  readFileSync(new URL('../data/thin/reference.json', import.meta.url)).toString(),
);

const types = ['A'];
const lennardJones = () => lennardJonesForce({ types, epsilon: 1, sigma: 1, rcut: 2.5 });
const terms: Readonly<Record<string, () => ForceTerm>> = {
  lennard_jones: lennardJones,
  one: lennardJones,
  skewed: lennardJones,
  stillinger_weber: () =>
    stillingerWeberForce({
      types,
      triplets: readStillingerWeber(manyBodyData('SiX.sw'), { A: 'Si' }),
    }),
  eam: () =>
    embeddedAtomForce({
      types,
      tables: readSetfl(manyBodyData('MN.eam.alloy')),
      elements: { A: 'M' },
    }),
};

function frameOf({ lattice, start, velocities }: Omit<Reference, 'rows'>): ParticleFrame {
  const count = start.length / 3;
  return {
    count,
    lattice,
    origin: [0, 0, 0],
    periodic: [true, true, true],
    species: types,
    type: new Uint32Array(count),
    position: Float64Array.from(start),
    velocity: Float64Array.from(velocities),
    id: null,
    mass: null,
    charge: null,
    extra: new Map(),
    properties: new Map(),
  };
}

/** The frame repeated n times along each vector. */
function repeated(frame: ParticleFrame, n: number): ParticleFrame {
  const m = frame.lattice!;
  const position: number[] = [];
  for (let c = 0; c < n ** 3; c++) {
    const k = [c % n, Math.floor(c / n) % n, Math.floor(c / n ** 2)];
    for (let at = 0; at < 3 * frame.count; at++) {
      const axis = at % 3;
      const shift = k.reduce((sum, turns, vector) => sum + turns * m[3 * vector + axis]!, 0);
      position.push(frame.position[at]! + shift);
    }
  }
  const count = frame.count * n ** 3;
  return {
    ...frame,
    count,
    lattice: m.map((x) => n * x),
    type: new Uint32Array(count),
    position: Float64Array.from(position),
    velocity: null,
  };
}

const targets = await openTargets('state');

/** Kernels for devices compile slowly: most of them belong to the long form, which has no others. */
const targetsOf = (name: string) =>
  targets.filter(
    ({ name: on }) =>
      isLong === (/webgpu/.test(on) && !(/f32/.test(on) && /weber|file/.test(name))),
  );
/** The same, for calls that are made once. */
const targetsOnce = (name: string) =>
  targets.filter(
    ({ name: on }) => isLong === (on === 'webgpu f64' || (/f32/.test(on) && /weber/.test(name))),
  );
const limitOf = (name: string): number => (/f64/.test(name) ? 1e-10 : 2e-5);

describe.each(Object.keys(references))('a cell thinner than the cutoff: %s', (name) => {
  const reference = references[name]!;
  const [first] = reference.rows;
  const frame = frameOf(reference);
  // A force is the sum of many that cancel each other: rounding is compared with those of a pair.
  const scale = Math.max(10, largest(reference.forces));

  it.each(targetsOnce(name))(
    'has energy, forces and pressure of LAMMPS: $name',
    async ({ name: on, ctx }) => {
      const limit = limitOf(on);
      const found = await evaluateForces(ctx, frame, [terms[name]!()]);
      expect(Math.abs(found.energy / first![1] - 1)).toBeLessThan(limit);
      expect(Math.abs(found.perParticle / first![1] - 1)).toBeLessThan(limit);
      expect(largestDifference(found.forces, reference.forces) / scale).toBeLessThan(limit);
      const { volume } = gridVolume(reference.lattice);
      const virial = found.pressure.slice(0, 3).reduce((sum, p) => sum + p / 3, 0);
      const kinetic = (2 / 3) * (first![2] / volume);
      expect(Math.abs(virial + kinetic - first![3]) / scale).toBeLessThan(limit);
    },
  );

  itOnce('has the energy and forces of a cell of 27 such cells', async () => {
    const { ctx } = targets.find(({ name }) => /cpu/.test(name))!;
    const one = await evaluateForces(ctx, frame, [terms[name]!()]);
    const many = await evaluateForces(ctx, repeated(frame, 3), [terms[name]!()]);
    expect(Math.abs(many.energy / 27 / one.energy - 1)).toBeLessThan(1e-12);
    expect(largestDifference(many.pressure, one.pressure) / scale).toBeLessThan(1e-12);
    const forces = Array.from(many.forces, (_, k) => one.forces[k % one.forces.length]!);
    expect(largestDifference(many.forces, forces) / scale).toBeLessThan(1e-12);
  });

  it('is after 100 steps where LAMMPS is', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = gridOf(frame, ctx);
    const { rows } = await molecularDynamics(grid, ctx, {
      forces: [terms[name]!()],
      dt: reference.dt,
      steps: 100,
      skin: 0.3,
      thermoFrequency: 10,
    });
    rows.forEach((row, k) => {
      const [step, potential, kinetic, pressure] = reference.rows[k]!;
      expect(row.step).toBe(step);
      expect(Math.abs(row.potential_energy - potential)).toBeLessThan(1e-9);
      expect(Math.abs(row.kinetic_energy - kinetic)).toBeLessThan(1e-9);
      expect(Math.abs(row.pressure - pressure)).toBeLessThan(1e-8);
    });
    const positions = await vectorsById(grid, ctx, 'position');
    let farthest = 0;
    for (let k = 0; k < reference.last.length; k += 3) {
      const d = [0, 1, 2].map((axis) => positions[k + axis]! - reference.last[k + axis]!);
      farthest = Math.max(farthest, Math.hypot(...grid.domain.minimumImage(d[0]!, d[1]!, d[2]!)));
    }
    expect(farthest).toBeLessThan(1e-9);
    grid.free();
  });
});

const gridVolume = ([a, , , , b, , , , c]: readonly number[]) => ({ volume: a! * b! * c! });

describe('the fcc cell of four particles at a cutoff of 2.5', () => {
  itOnce('has the energy of a direct lattice sum', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const a = 1.5496;
    const frame = lattice({ structure: 'fcc', latticeConstant: a, repeat: [1, 1, 1] });
    const { energy } = await evaluateForces(ctx, frame, [lennardJones()]);
    let sum = 0;
    for (let x = -6; x <= 6; x++)
      for (let y = -6; y <= 6; y++)
        for (let z = -6; z <= 6; z++) {
          const r2 = (x * x + y * y + z * z) * (a / 2) ** 2;
          if ((x + y + z) % 2 !== 0 || r2 === 0 || r2 >= 6.25) continue;
          sum += 2 * (r2 ** -6 - r2 ** -3);
        }
    expect(energy / 4 / sum - 1).toBeCloseTo(0, 12);
  });

  const text = `
configuration: { units: lj }
global: { dt: 0.001, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 10 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, lattice_constant: 1.6, repeat: [1, 1, 1], types: [A] }
  - init_temperature: { temperature: 0.3, seed: 3 }
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5, shift: force } }
simulation: molecular_dynamics
`;

  it.each(targetsOf('from a file'))(
    'runs from a file and conserves energy: $name',
    async ({ ctx }) => {
      const { table } = await runText(text, ctx);
      const energies = table.total_energy!;
      expect(energies).toHaveLength(5);
      for (const energy of energies) expect(Math.abs(energy / energies[0]! - 1)).toBeLessThan(1e-4);
    },
  );
});
