import { dimensions } from '@corpuscle/core';
import { cellFunctor, computeCellParticles } from '@corpuscle/patterns';
import type { ForceLedger } from '../../forces/ForceLedger.js';

/**
 * Stress of particles times their volume.
 *
 *   [ sxx syy szz _ | … ]     [ sxy sxz syz _ | … ]
 */
export const stressBlocks = [
  {
    name: 'stress_diagonal',
    type: 'f64',
    width: 4,
    members: ['sxx', 'syy', 'szz', null],
    dimension: dimensions.energy,
  },
  {
    name: 'stress_shear',
    type: 'f64',
    width: 4,
    members: ['sxy', 'sxz', 'syz', null],
    dimension: dimensions.energy,
  },
] as const;

/** The names of its components. */
export const stressFields = ['sxx', 'syy', 'szz', 'sxy', 'sxz', 'syz'] as const;

const diagonal = cellFunctor(
  {
    name: 'particle_stress_diagonal',
    fields: { sxx: 'real', syy: 'real', szz: 'real' },
    read: {
      vxx: 'real',
      vyy: 'real',
      vzz: 'real',
      mass: 'real',
      vx: 'real',
      vy: 'real',
      vz: 'real',
    },
    params: { kinetic: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    const mass = p.kinetic * i.mass;
    i.sxx = -(i.vxx + mass * i.vx * i.vx);
    i.syy = -(i.vyy + mass * i.vy * i.vy);
    i.szz = -(i.vzz + mass * i.vz * i.vz);
  },
);

const shear = cellFunctor(
  {
    name: 'particle_stress_shear',
    fields: { sxy: 'real', sxz: 'real', syz: 'real' },
    read: {
      vxy: 'real',
      vxz: 'real',
      vyz: 'real',
      mass: 'real',
      vx: 'real',
      vy: 'real',
      vz: 'real',
    },
    params: { kinetic: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    const mass = p.kinetic * i.mass;
    i.sxy = -(i.vxy + mass * i.vx * i.vy);
    i.sxz = -(i.vxz + mass * i.vx * i.vz);
    i.syz = -(i.vyz + mass * i.vy * i.vz);
  },
);

/** What a stress counts besides forces. */
export interface ParticleStressOptions {
  /** Whether momenta count: −m v_a v_b. Default yes. */
  readonly kinetic?: boolean;
}

/**
 * The stress of every particle times its volume, an energy, in the fields sxx, syy, szz, sxy, sxz and syz: −m v_a v_b − W_ab, where W
 * is its share of the virial. Tension is positive, and −Σ s_ab / V is the pressure tensor.
 *
 * A pair gives half of its virial to each particle, a triplet of Stillinger and Weber a third, as `compute stress/atom` of
 * LAMMPS does it. Forces from outside have no virial.
 *
 * @throws CorpuscleError INVALID_VALUE for a force that has no shares of particles (a bias of a coordination number).
 * @example
 * ledger.begin({ totals: false });
 * ledger.add(lennardJonesForce({ types: ['A'], pairs: [{ epsilon: 1, sigma: 1, rcut: 2.5 }] }));
 * await particleStress(ledger);
 * grid.values('sxx');
 */
export async function particleStress(
  ledger: ForceLedger,
  { kinetic = true }: ParticleStressOptions = {},
): Promise<void> {
  const { grid, ctx } = ledger;
  await ledger.virials();
  for (const block of stressBlocks) grid.addBlock(block);
  const params = { kinetic: kinetic ? 1 : 0 };
  computeCellParticles(grid, diagonal, ctx, { params });
  await computeCellParticles(grid, shear, ctx, { params });
}
