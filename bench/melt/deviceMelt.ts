import type { Grid } from '@corpuscle/core';
import {
  createGrid,
  initTemperature,
  kick,
  kickDrift,
  lattice,
  lennardJones,
  lennardJonesParameters,
  pairTables,
  zeroForces,
} from '@corpuscle/operators';
import {
  type ExecutionContext,
  type PreparedStep,
  prepareCellParticlePairs,
  prepareCellParticles,
  prepareNeighborLists,
  prepareStep,
} from '@corpuscle/patterns';
import { system } from './system.js';

const { density, temperature, rcut, dt, seed } = system;

/** The melt at its start, and a step that a device fuses. */
export interface DeviceMelt {
  readonly grid: Grid;
  /** Prepares the step; forces of the present positions must be there. */
  prepare(): PreparedStep;
}

/** A melt of so many atoms, rounded to a cube of fcc cells. @param onRebuild called for each build of the lists */
export function deviceMelt(
  atoms: number,
  ctx: ExecutionContext,
  skin: number = system.skin,
  onRebuild: () => void = () => {},
): DeviceMelt {
  const repeat = Math.round(Math.cbrt(atoms / 4));
  const crystal = lattice({ structure: 'fcc', density, repeat: [repeat, repeat, repeat] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
  initTemperature(grid, { temperature, seed, method: 'lammps_geom' });
  const tables = pairTables(['A'], [{ epsilon: 1, sigma: 1, rcut }]);
  const params = lennardJonesParameters(tables, 'none');
  const virial = {
    vxx: 'none',
    vyy: 'none',
    vzz: 'none',
    vxy: 'none',
    vxz: 'none',
    vyz: 'none',
  } as const;
  const outputs = { ep: 'none', ...virial } as const;
  const prepare = () =>
    prepareStep(ctx, [
      prepareCellParticles(grid, kickDrift, ctx, { params: { dt, halfDt: dt / 2 } }),
      prepareNeighborLists(grid, ctx, {
        ...{ rcut, skin, ahead: true },
        onUpdate: ({ rebuilt }) => {
          if (rebuilt) onRebuild();
        },
      }),
      prepareCellParticles(grid, zeroForces, ctx),
      prepareCellParticlePairs(grid, lennardJones, ctx, { rcut, params, outputs }),
      prepareCellParticles(grid, kick, ctx, { params: { halfDt: dt / 2 } }),
    ]);
  return { grid, prepare };
}
