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
 * @throws CorpuscleError INVALID_VALUE for a temperature below 0, or of one particle alone; NO_PARTICLES.
 * @example
 * initTemperature(grid, { temperature: 1.44, seed: 87287 });
 */
export function initTemperature(grid: Grid, options: InitTemperatureOptions): void {
  const { temperature, seed, method = 'gaussian', boltzmann = 1 } = options;
  const { rows } = options;
  const draw = method === 'lammps_geom' ? drawByPlace : drawById;
  const masses = grid.block('mass').array as Float64Array;
  const block = grid.block('velocity');
  const target = block.array as Float64Array;
  if (rows) {
    const mass = Float64Array.from(rows, (row) => masses[row]!);
    const velocity = new Float64Array(3 * rows.length);
    rows.forEach((row, k) => {
      draw(grid, seed, row, 1, velocity.subarray(3 * k, 3 * k + 3), 3, mass.subarray(k));
    });
    scaleVelocities(velocity, mass, temperature, boltzmann);
    rows.forEach((row, k) => {
      target.set(velocity.subarray(3 * k, 3 * k + 3), 4 * row);
    });
  } else {
    // In place and piece by piece: there may be a hundred million particles.
    const { count } = grid;
    for (let first = 0; first < count; first += AT_ONCE) {
      const many = Math.min(AT_ONCE, count - first);
      draw(grid, seed, first, many, target.subarray(4 * first), 4, masses.subarray(first));
    }
    scaleVelocities(target, masses.subarray(0, count), temperature, boltzmann, 4);
  }
  block.hostWritten();
}

const AT_ONCE = 2 ** 16;
const TWO_32 = 2 ** 32;

/** Writes unscaled velocities of rows `first` …, `width` numbers each. */
type Draw = (
  grid: Grid,
  seed: number,
  first: number,
  count: number,
  velocity: Float64Array,
  width: 3 | 4,
  mass: Float64Array,
) => void;

const drawByPlace: Draw = (grid, seed, first, count, velocity, width, mass) => {
  const position = grid.block('position').piece(first, count) as Float64Array;
  const v: [number, number, number] = [0, 0, 0];
  const at: [number, number, number] = [0, 0, 0];
  const box = grid.wholeDomain;
  for (let k = 0; k < count; k++) {
    box.wrap(position[4 * k]!, position[4 * k + 1]!, position[4 * k + 2]!, at);
    lammpsGeom(seed, ...at, v);
    store(v, mass[k]!, velocity, width * k);
  }
};

const drawById: Draw = (grid, seed, first, count, velocity, width, mass) => {
  const { buffer, byteOffset } = grid.block('id').piece(first, count);
  const ids = new Uint32Array(buffer, byteOffset, 2 * count); // two words each
  const pair: [number, number] = [0, 0];
  const v: [number, number, number] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    const id = ids[2 * k]! + TWO_32 * ids[2 * k + 1]!;
    gaussianPair(seed, STREAM, 2 * id, pair);
    v[0] = pair[0];
    v[1] = pair[1];
    v[2] = gaussianPair(seed, STREAM, 2 * id + 1, pair)[0];
    store(v, mass[k]!, velocity, width * k);
  }
};

function store(
  v: readonly [number, number, number],
  mass: number,
  velocity: Float64Array,
  at: number,
): void {
  const width = 1 / Math.sqrt(mass);
  for (let axis = 0; axis < 3; axis++) velocity[at + axis] = width * v[axis as 0 | 1 | 2];
}
