import { ForceLedger, type ForceTerm, type ParticleFrame } from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  type ExecutionContextOptions,
  updateNeighbours,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { manyBodyCases, manyBodyReference } from '../support/manyBodyCases.js';
import { gridOf, largest, largestDifference, vectorsById } from '../support/particlesOf.js';
import { configurations } from '../support/potentialCases.js';

async function evaluate(ctx: ExecutionContext, frame: ParticleFrame, term: ForceTerm) {
  const grid = gridOf(frame, ctx);
  await updateNeighbours(grid, ctx, { rcut: term.rcut, skin: 0.2 });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true, energies: true });
  ledger.add(term);
  const { energy, virial } = await ledger.totals();
  const forces = await vectorsById(grid, ctx, 'force');
  const perParticle = grid.values('ep').reduce((sum, e) => sum + e, 0);
  return { energy, perParticle, pressure: virial.map((w) => w / grid.domain.volume), forces };
}

const machines: ExecutionContextOptions[] = [
  { backend: 'cpu', threads: 1 },
  { backend: 'cpu', threads: 2 },
  { backend: 'cpu', threads: 1, lowering: 'javascript' },
];

describe.each(manyBodyCases)('$name', (potential) => {
  describe.each(configurations)('LAMMPS %s', (configuration) => {
    const reference = manyBodyReference(potential, configuration);
    // A perfect crystal has no forces but LAMMPS's rounding: they are compared with those of a pair.
    const scale = Math.max(1, largest(reference.forces));

    it.each(machines)('agrees: cpu, $threads thread(s) $lowering', async (options) => {
      await using ctx = await createExecutionContext(options);
      const found = await evaluate(ctx, reference.frame, potential.term());
      expect(Math.abs(found.energy / reference.energy - 1)).toBeLessThan(1e-10);
      expect(Math.abs(found.perParticle / reference.energy - 1)).toBeLessThan(1e-10);
      const tensor = largestDifference(found.pressure, reference.pressure);
      expect(tensor / largest(reference.pressure)).toBeLessThan(1e-10);
      expect(largestDifference(found.forces, reference.forces) / scale).toBeLessThan(1e-10);
    });
  });
});
