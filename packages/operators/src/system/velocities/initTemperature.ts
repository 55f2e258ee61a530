import { type Grid, gaussianPair, randomStream } from '@corpuscle/core';
import { lammpsGeom } from './lammpsGeom.js';
import { scaleVelocities } from './scaleVelocities.js';

const STREAM = randomStream('init_temperature');

/** The temperature, and where the random numbers come from. */
export interface InitTemperatureOptions {
  /** In the units of the simulation; 0 stops all particles. */
  readonly temperature: number;
  /** Same seed, same velocities. */
  readonly seed: number;
  /**
   * `gaussian` (default): Maxwell–Boltzmann, keyed by particle id. `lammps_geom`: the numbers of LAMMPS'
   * `velocity … create T seed loop geom`, keyed by position.
   */
  readonly method?: 'gaussian' | 'lammps_geom';
  /** Boltzmann's constant. Default 1. */
  readonly boltzmann?: number;
  /** Rows of the particles that get velocities; the others keep theirs. Default all. */
  readonly rows?: Uint32Array;
}

/**
 * Gives every particle a random velocity: no total momentum, and exactly the temperature over 3N − 3 degrees of
 * freedom. The numbers do not depend on the order of the particles. Host copies must be current.
 *
 * @throws CorpuscleError INVALID_VALUE for a temperature below 0, or of one particle alone.
 * @example
 * initTemperature(grid, { temperature: 1.44, seed: 87287 });
 */
export function initTemperature(grid: Grid, options: InitTemperatureOptions): void {
  const { temperature, seed, method = 'gaussian', boltzmann = 1 } = options;
  const rows = options.rows ?? Uint32Array.from({ length: grid.count }, (_, row) => row);
  const count = rows.length;
  const masses = grid.block('mass').array as Float64Array;
  const mass = Float64Array.from(rows, (row) => masses[row]!);
  const position = grid.block('position').array as Float64Array;
  const ids = grid.block('id').array;
  const velocity = new Float64Array(3 * count);
  const pair: [number, number] = [0, 0];
  const v: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    const row = rows[k]!;
    if (method === 'lammps_geom')
      lammpsGeom(seed, position[4 * row]!, position[4 * row + 1]!, position[4 * row + 2]!, v);
    else {
      const id = Number(ids[row]);
      gaussianPair(seed, STREAM, 2 * id, pair);
      v[0] = pair[0];
      v[1] = pair[1];
      v[2] = gaussianPair(seed, STREAM, 2 * id + 1, pair)[0];
    }
    const width = 1 / Math.sqrt(mass[k]!);
    for (let axis = 0; axis < 3; axis++) velocity[3 * k + axis] = width * v[axis]!;
  }
  scaleVelocities(velocity, mass, temperature, boltzmann);
  const block = grid.block('velocity');
  const target = block.array;
  for (let k = 0; k < count; k++)
    for (let axis = 0; axis < 3; axis++) target[4 * rows[k]! + axis] = velocity[3 * k + axis]!;
  block.hostWritten();
}
