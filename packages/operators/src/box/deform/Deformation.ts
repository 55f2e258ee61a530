import type { Domain, Saved, SimulationState } from '@corpuscle/core';
import { type PreparedCall, prepareCellParticles } from '@corpuscle/patterns';
import { knownTime } from '../../integrators/physicalTime.js';
import { areForcesCurrent } from '../../run/freshness.js';
import { contextOf, gridKey, planKey } from '../../run/stateKeys.js';
import { claimBox } from '../claimBox.js';
import { crossFaces, crossingOf, noteCrossings } from '../crossFaces.js';
import { flipBox } from '../flipBox.js';
import { followFlow, sllodParams } from '../followFlow.js';
import { newBox } from '../newBox.js';
import { isSmallChange, type PrescribedBox, prescribedBoxOf } from '../PrescribedBox.js';
import { findRunBox, settledBox } from '../RunBox.js';
import { mapOf, remapPositions } from '../setBox.js';
import { type DeformOptions, DeformRun, deformedParts, type Moment } from './DeformRun.js';

/** What particles do meanwhile. */
export interface DeformedParticles {
  readonly remap: 'positions' | 'velocities' | 'none';
  readonly sllod: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: calls of any parameters
type Call = PreparedCall<any>;

const STILL = Array<number>(9).fill(0);

/** Calls for a version of the calls of the run. */
interface MovingCalls {
  readonly version: number;
  /** Particles that cross faces. */
  readonly cross: Call | null;
  /** They stay where they are in a box that has taken them along; or their velocities follow. */
  readonly after: Call | null;
}

/**
 * Deforms the box of a run, step by step. Where a device keeps its strain the host writes that, and waits for nothing; it takes the
 * box over where lattice vectors flip, and where a step changes more than lists outlast.
 */
export class Deformation {
  readonly #state: SimulationState;
  readonly #options: DeformOptions;
  readonly #particles: DeformedParticles;
  readonly #run: DeformRun;
  readonly #box: PrescribedBox | null;
  #calls: MovingCalls | null = null;
  #fused: readonly PreparedCall[] | null = null;
  /** Whether the next step is one of the host; null where that is not known yet. */
  #isHostNext: boolean | null = null;

  constructor(state: SimulationState, options: DeformOptions, particles: DeformedParticles) {
    const grid = state.get(gridKey);
    this.#state = state;
    this.#options = options;
    this.#particles = particles;
    this.#run = new DeformRun(grid.wholeDomain, state.step, state.time);
    if (particles.remap !== 'positions') noteCrossings(grid, contextOf(state));
    this.#box = prescribedBoxOf(state);
  }

  /** The calls of a step that are all there is to do; null where the host has to do more. */
  calls(): readonly PreparedCall[] | null {
    if (!this.#isFused || !this.#isOfDevice) return null;
    this.#fused ??= [this.#box!.call(() => this.#next())];
    return this.#fused;
  }

  /** One step. */
  execute(): void | Promise<void> {
    if (!this.#isOfDevice) return this.#onHost();
    const before = this.#state.get(gridKey).wholeDomain;
    const { cross, after } = this.#bound;
    const drift = this.#drift;
    cross?.run(crossingOf(before, this.#rate));
    const box = this.#next();
    this.#box!.become(box);
    after?.run(this.#particles.sllod ? sllodParams(before, box, drift) : mapOf(box, before));
    return undefined;
  }

  async #onHost(): Promise<void> {
    const state = this.#state;
    claimBox(state, 'deform', deformedParts(this.#options));
    await settledBox(state);
    const before = state.get(gridKey).wholeDomain;
    const { cross, after } = this.#bound;
    const drift = this.#drift;
    cross?.run(crossingOf(before, this.#rate));
    const box = this.#next(findRunBox(state) && before);
    const { remap, sllod } = this.#particles;
    newBox(state, box, remap === 'positions' ? 'positions' : 'none');
    if (sllod) after!.run(sllodParams(before, box, drift));
    const flipped = this.#flips ? this.#run.flipped(box) : box;
    if (flipped !== box) newBox(state, flipped, 'none');
  }

  /** Whether a step is nothing but one call, the same in all. */
  get #isFused(): boolean {
    return this.#particles.remap === 'positions' && !this.#particles.sllod;
  }

  get #flips(): boolean {
    return this.#options.flip !== false;
  }

  /** Whether a device does the next step. */
  get #isOfDevice(): boolean {
    if (!this.#box || findRunBox(this.#state)) return false;
    this.#isHostNext ??= this.#isForHost(this.#state.get(gridKey).wholeDomain, this.#now);
    return !this.#isHostNext;
  }

  #isForHost(before: Domain, then: Moment): boolean {
    if (!this.#run.isPossible(this.#options, then)) return true;
    const box = this.#run.boxAt(this.#options, then);
    return !isSmallChange(before, box) || (this.#flips && flipBox(box) !== box);
  }

  get #now(): Moment {
    const state = this.#state;
    const { step } = state;
    const endStep = state.find(planKey)?.endStep ?? step;
    return { step, time: knownTime(state, 'deform'), endStep };
  }

  /** The box of this step, which it has from now on. @param present that in which a barostat moves the rest */
  #next(present?: Domain): Domain {
    const now = this.#now;
    const box = this.#run.boxAt(this.#options, now, present);
    this.#run.reached(now);
    if (!this.#box || present) return box;
    const then = { ...now, step: now.step + 1, time: now.time + this.#dt };
    const isHostNext = this.#isForHost(box, then);
    if (this.#isFused && isHostNext !== this.#isHostNext) this.#state.renewCalls();
    this.#isHostNext = isHostNext;
    return box;
  }

  /** The time of the drift just before: particles have moved since forces were computed. At the end of a scheme there was none. */
  get #drift(): number {
    return this.#particles.sllod && !areForcesCurrent(this.#state) ? this.#dt : 0;
  }

  get #dt(): number {
    return this.#state.find(planKey)?.dt ?? 0;
  }

  /** How fast the lattice vectors change for particles that cross faces; those that stay take no velocity from it. */
  get #rate(): number[] {
    if (this.#particles.remap === 'none') return STILL;
    return this.#run.boxRate(this.#options, { dt: this.#dt, endStep: this.#now.endStep });
  }

  /** What is done with particles before and after the box changes. */
  get #bound(): MovingCalls {
    const { callsVersion } = this.#state;
    if (this.#calls?.version === callsVersion) return this.#calls;
    this.#closeCalls();
    const grid = this.#state.get(gridKey);
    const ctx = contextOf(this.#state);
    const { remap, sllod } = this.#particles;
    const after = sllod ? followFlow : remap === 'positions' ? null : remapPositions;
    this.#calls = {
      version: callsVersion,
      cross: remap === 'positions' ? null : prepareCellParticles(grid, crossFaces, ctx),
      after: after && (prepareCellParticles(grid, after as typeof remapPositions, ctx) as Call),
    };
    return this.#calls;
  }

  #closeCalls(): void {
    this.#calls?.cross?.close();
    this.#calls?.after?.close();
    this.#calls = null;
  }

  /** What a checkpoint keeps. */
  save(): Saved {
    return this.#run.save() as unknown as Saved;
  }

  /** Goes on from what a checkpoint kept. */
  restore(saved: Saved): void {
    this.#run.restore(saved, this.#state.get(gridKey).wholeDomain);
    this.#isHostNext = null;
  }

  /** Gives its calls back. */
  close(): void {
    this.#closeCalls();
  }
}
