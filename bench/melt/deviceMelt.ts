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

/** Uniform numbers instead of normal ones, made on their way to the device: a hundred million particles take seconds. */
function quickVelocities(grid: Grid): void {
  const width = Math.sqrt(12 * temperature);
  grid.block('velocity').fill((rows, first) => {
    let state = (first + 1) * 0x9e3779b1;
    for (let k = 0; k < rows.length; k++) {
      if ((k & 3) === 3) continue;
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      rows[k] = width * state * 2 ** -32;
    }
  }, grid.count);
}

/** A melt of so many atoms, rounded to a cube of fcc cells. @param onRebuild called for each build of the lists. @param velocities those of LAMMPS, or some that are made soon */
export function deviceMelt(
  atoms: number,
  ctx: ExecutionContext,
  skin: number = system.skin,
  onRebuild: () => void = () => {},
  velocities: 'lammps' | 'quick' = 'lammps',
): DeviceMelt {
  const repeat = Math.round(Math.cbrt(atoms / 4));
  const crystal = lattice({ structure: 'fcc', density, repeat: [repeat, repeat, repeat] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
  if (velocities === 'quick') quickVelocities(grid);
  else initTemperature(grid, { temperature, seed, method: 'lammps_geom' });
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
