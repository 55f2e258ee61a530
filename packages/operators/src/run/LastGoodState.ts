import { type SimulationState, stateKey } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { formatFrame } from '../io/extended_xyz/extendedXyz.js';
import type { ParticleFrame } from '../io/extended_xyz/ParticleFrame.js';
import { gridFrame } from '../io/frames/gridFrame.js';
import { typeNames } from '../system/placeParticles.js';
import { contextOf, gridKey } from './stateKeys.js';

/** Where a run that fails writes it. */
const FILE = 'failed.xyz';
/** Milliseconds between two copies at least. */
const PERIOD = 2000;
/** A copy may take one part in so many of the time of a run. */
const SHARE = 300;

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

  /** Takes a copy of what is on the host, if one is due and the state is sound. Host blocks must be current. */
  take(): void {
    const begin = performance.now();
    if (begin < this.#next) return;
    const state = this.#state;
    const { step, time } = state;
    const frame = gridFrame(state.get(gridKey), {
      species: typeNames(state),
      fields: ['velocity', 'mass'],
      step,
      time,
    });
    if (isSound(frame, this.#dt)) this.#frame = frame;
    const now = performance.now();
    this.#next = now + Math.max(PERIOD, SHARE * (now - begin));
  }

  /** Takes one where that needs no device, if one is due. */
  async takeOnCpu(): Promise<void> {
    const ctx = contextOf(this.#state);
    if (ctx.backend !== 'cpu' || performance.now() < this.#next) return;
    await newestOnHost(this.#state.get(gridKey), ctx);
    this.take();
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

/** Whether everything is a number, and nothing crosses the box many times in a step. */
function isSound({ position, velocity, lattice }: ParticleFrame, dt: number): boolean {
  const far = lattice ? 10 * Math.hypot(...lattice) : Number.MAX_VALUE;
  const isNear = (x: number) => Math.abs(x) <= far; // false for NaN
  return position.every((x) => Number.isFinite(x)) && velocity!.every((v) => isNear(v * dt));
}
