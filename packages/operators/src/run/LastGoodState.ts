import { imageFlags, type SimulationState, stateKey } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { formatFrame } from '../io/extended_xyz/formatFrame.js';
import type { ParticleFrame } from '../io/extended_xyz/ParticleFrame.js';
import { type GridField, gridFrame } from '../io/frames/gridFrame.js';
import type { ParticleSource } from '../io/frames/ParticleSource.js';
import { typeNames } from '../system/placeParticles.js';
import { contextOf, gridKey } from './stateKeys.js';

/** Where a run that fails writes it. */
const FILE = 'failed.xyz';
/** Milliseconds between two copies at least. */
const PERIOD = 2000;
/** A copy may take one part in so many of the time of a run. */
const SHARE = 300;

/** What it needs beside positions, types and ids. */
const FIELDS: readonly GridField[] = ['velocity', 'mass'];

/** The same, and image flags where particles have them. */
const fieldsOf = ({ blocks }: Pick<ParticleSource, 'blocks'>): readonly GridField[] =>
  blocks.has(imageFlags.name) ? [...FIELDS, 'image'] : FIELDS;

export const lastGoodKey = stateKey<LastGoodState>('last good state', 'put begin_run first');

/**
 * A copy of the last state of a run that was sound, for `failed.xyz` when the run fails. On the CPU it is at most some seconds old.
 * On a device nothing is read back for it: it is the first state, or the last one that was read for a frame.
 */
export class LastGoodState {
  readonly #state: SimulationState;
  readonly #dt: number;
  #frame: ParticleFrame | null = null;
  /** When the next copy is due. */
  #next = 0;
  readonly #first: number;

  constructor(state: SimulationState, dt: number) {
    this.#state = state;
    this.#first = state.step;
    this.#dt = dt;
    state.rescue = () => this.#write();
  }

  get isDue(): boolean {
    return performance.now() >= this.#next;
  }

  /** Takes a copy of particles of a step, if one is due and they are sound. It needs the blocks velocity and mass. */
  take(particles: ParticleSource, step: number, time: number): void {
    if (!this.isDue) return;
    const begin = performance.now();
    const species = typeNames(this.#state);
    const frame = gridFrame(particles, { species, fields: fieldsOf(particles), step, time });
    if (isSound(frame, this.#dt)) this.#frame = frame;
    const now = performance.now();
    this.#next = now + Math.max(PERIOD, SHARE * (now - begin));
  }

  /** Takes one where that needs no device, if one is due. */
  async takeOnCpu(): Promise<void> {
    const ctx = contextOf(this.#state);
    if (ctx.backend !== 'cpu' || !this.isDue) return;
    const grid = this.#state.get(gridKey);
    await newestOnHost(grid, ctx);
    this.take(grid, this.#state.step, this.#state.time);
  }

  /** @returns what a message says of it. */
  async #write(): Promise<string | null> {
    const frame = this.#frame;
    if (this.#state.step === this.#first) return null; // nothing has been computed
    if (!frame) return 'no good state is known';
    await this.#state.output.writeWhole(FILE, formatFrame(frame));
    return `the last good state known, of step ${frame.step}, is in ${FILE}`;
  }
}

/** Fields that copies for files need now for the last good state too. */
export const wantedFields = (state: SimulationState): readonly GridField[] =>
  state.find(lastGoodKey)?.isDue ? fieldsOf(state.get(gridKey)) : [];

/** Takes the last good state from particles that were copied for a file, where they have all it needs. */
export const lastGoodFrom =
  (state: SimulationState) =>
  (particles: ParticleSource, { step, time }: { readonly step: number; readonly time: number }) => {
    if (FIELDS.every((name) => particles.blocks.has(name)))
      state.find(lastGoodKey)?.take(particles, step, time);
  };

/** Whether everything is a number, and nothing crosses the box many times in a step. */
function isSound({ position, velocity, lattice }: ParticleFrame, dt: number): boolean {
  const far = lattice ? 10 * Math.hypot(...lattice) : Number.MAX_VALUE;
  const isNear = (x: number) => Math.abs(x) <= far; // false for NaN
  return position.every((x) => Number.isFinite(x)) && velocity!.every((v) => isNear(v * dt));
}
