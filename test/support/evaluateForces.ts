import {
  type Bond,
  bondParticles,
  ForceLedger,
  type ForceTerm,
  type ParticleFrame,
} from '@corpuscle/operators';
import { type ExecutionContext, updateNeighbors } from '@corpuscle/patterns';
import { bondedScaling } from './manyBodyCases.js';
import { gridOf, vectorsById } from './particlesOf.js';

/** Energy, pressure tensor and forces of a frame of particles. */
export async function evaluateForces(
  ctx: ExecutionContext,
  frame: ParticleFrame,
  terms: readonly ForceTerm[],
  bonds: readonly Bond[] = [],
) {
  const grid = gridOf(frame, ctx);
  if (bonds.length > 0) bondParticles(grid, bonds, bondedScaling);
  const rcut = Math.max(...terms.map((term) => term.rcut));
  await updateNeighbors(grid, ctx, { rcut, skin: 0.2 });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true, energies: true });
  for (const term of terms) ledger.add(term);
  const { energy, virial } = await ledger.totals();
  const forces = await vectorsById(grid, ctx, 'force');
  const perParticle = grid.values('ep').reduce((sum, e) => sum + e, 0);
  return { energy, perParticle, pressure: virial.map((w) => w / grid.domain.volume), forces };
}
