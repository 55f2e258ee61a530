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
  const { count } = grid;
  const mass = grid.block('mass').array as Float64Array;
  const position = grid.block('position').array as Float64Array;
  const ids = grid.block('id').array;
  const velocity = new Float64Array(3 * count);
  const pair: [number, number] = [0, 0];
  const v: [number, number, number] = [0, 0, 0];
  for (let row = 0; row < count; row++) {
    if (method === 'lammps_geom')
      lammpsGeom(seed, position[4 * row]!, position[4 * row + 1]!, position[4 * row + 2]!, v);
    else {
      const id = Number(ids[row]);
      gaussianPair(seed, STREAM, 2 * id, pair);
      v[0] = pair[0];
      v[1] = pair[1];
      v[2] = gaussianPair(seed, STREAM, 2 * id + 1, pair)[0];
    }
    const width = 1 / Math.sqrt(mass[row]!);
    for (let axis = 0; axis < 3; axis++) velocity[3 * row + axis] = width * v[axis]!;
  }
  scaleVelocities(velocity, mass.subarray(0, count), temperature, boltzmann);
  const block = grid.block('velocity');
  const target = block.array;
  for (let row = 0; row < count; row++)
    for (let axis = 0; axis < 3; axis++) target[4 * row + axis] = velocity[3 * row + axis]!;
  block.hostWritten();
}
