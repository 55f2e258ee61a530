import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { type GridField, gridFrame } from '../frames/gridFrame.js';
import type { OwnColumn } from '../frames/ownColumns.js';
import type { ParticleSource } from '../frames/ParticleSource.js';

/** What the last good state of a run is made with, in plain data: another thread can do it. */
export interface SoundTask {
  readonly species: readonly string[];
  readonly fields: readonly GridField[];
  readonly properties?: readonly OwnColumn[];
  readonly step: number;
  readonly time: number;
  /** The time step of the run. */
  readonly dt: number;
}

/** All of the particles as a frame; null where something is no number, or crosses the box many times in a step. */
export function soundFrame(
  particles: ParticleSource,
  { dt, ...options }: SoundTask,
): ParticleFrame | null {
  const frame = gridFrame(particles, options);
  const { position, velocity, lattice } = frame;
  const far = lattice ? 10 * Math.hypot(...lattice) : Number.MAX_VALUE;
  const isNear = (x: number) => Math.abs(x) <= far; // false for NaN
  const isSound =
    position.every((x) => Number.isFinite(x)) && velocity!.every((v) => isNear(v * dt));
  return isSound ? frame : null;
}
