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
import { findRunBox, runBoxOf, settledBox } from '../RunBox.js';
import { mapOf, remapPositions } from '../setBox.js';
import { DeformBeside } from './DeformBeside.js';
import { type DeformOptions, DeformRun, type Moment } from './DeformRun.js';

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
 * box over where lattice vectors flip, and where a step changes more than lists outlast. Beside a barostat it writes its own part.
 */
export class Deformation {
  readonly #state: SimulationState;
  readonly #options: DeformOptions;
  readonly #particles: DeformedParticles;
  readonly #run: DeformRun;
  readonly #box: PrescribedBox | null;
  readonly #beside: DeformBeside;
  #calls: MovingCalls | null = null;
  #fused: readonly PreparedCall[] | null = null;
  /** Whether the next step is one of the host; null where that is not known yet. */
  #isHostNext: boolean | null = null;
  /** The step in which particles have crossed faces. */
  #crossed: number;
  /** As `RunPlan.crossFaces`. */
  readonly #afterDrift = (): void | Promise<void> => {
    if (this.#crossed === this.#state.step) return undefined;
    const settled = settledBox(this.#state);
    return settled ? settled.then(() => this.#cross()) : this.#cross();
  };

  constructor(state: SimulationState, options: DeformOptions, particles: DeformedParticles) {
    const grid = state.get(gridKey);
    this.#state = state;
    this.#options = options;
    this.#particles = particles;
    this.#run = new DeformRun(grid.wholeDomain, state.step, state.time);
    this.#crossed = state.step;
    this.#box = prescribedBoxOf(state);
    if (particles.remap !== 'positions') {
      noteCrossings(grid, contextOf(state));
      this.#crossEarly();
    }
    this.#beside = new DeformBeside(state, options, this.#run);
  }

  /** The calls of a step that are all there is to do; null where the host has to do more. */
  calls(): readonly PreparedCall[] | null {
    if (!this.#isFused || !this.#isOfDevice) return null;
    const barostat = findRunBox(this.#state);
    if (barostat) return [this.#beside.call(barostat, () => this.#nextStraight())];
    this.#fused ??= [this.#box!.call(() => this.#next())];
    return this.#fused;
  }

  /** One step. */
  execute(): void | Promise<void> {
    if (!this.#isOfDevice) return this.#onHost();
    const barostat = findRunBox(this.#state);
    if (barostat) {
      claimBox(this.#state, 'deform', this.#beside.own);
      this.#beside.call(barostat, () => this.#nextStraight()).run();
      return this.looks ? this.#beside.flip(barostat) : undefined;
    }
    const before = this.#state.get(gridKey).wholeDomain;
    const { after } = this.#bound;
    const drift = this.#drift;
    this.#cross();
    const box = this.#next();
    this.#box!.become(box);
    after?.run(this.#particles.sllod ? sllodParams(before, box, drift) : mapOf(box, before));
    return undefined;
  }

  /** Whether the host looks in this step whether the box leans too far, where a barostat moves a part of it. */
  get looks(): boolean {
    return findRunBox(this.#state) !== undefined && this.#beside.looks && this.#isOfDevice;
  }

  async #onHost(): Promise<void> {
    const state = this.#state;
    claimBox(state, 'deform', this.#beside.own);
    const barostat = findRunBox(state);
    if (barostat) this.#beside.begin(barostat, this.#box !== null);
    await settledBox(state);
    const before = state.get(gridKey).wholeDomain;
    const { after } = this.#bound;
    const drift = this.#drift;
    this.#cross();
    const box = this.#next(barostat && before);
    const { remap, sllod } = this.#particles;
    newBox(state, box, remap === 'positions' ? 'positions' : 'none');
    if (sllod) after!.run(sllodParams(before, box, drift));
    const flipped = this.#flips ? this.#run.flipped(box) : box;
    if (flipped !== box) newBox(state, flipped, 'none');
  }

  /**
   * Particles cross faces of the present box, once in a step. With the lists they do so before its forces: thermostats and barostats at
   * the end of the step know their new velocities. They do so here, after the step, where lists are not updated by their operator, and on
   * a device that keeps the box: its steps stay fused.
   */
  #cross(): void {
    const { step } = this.#state;
    const { cross } = this.#bound;
    if (!cross || this.#crossed === step) return;
    cross.run(crossingOf(this.#state.get(gridKey).wholeDomain, this.#rate));
    this.#crossed = step;
    this.#crossEarly();
  }

  /** From the next step on particles cross faces with the lists. */
  #crossEarly(): void {
    const plan = this.#box ? undefined : this.#state.find(planKey);
    if (plan) plan.crossFaces = this.#afterDrift;
  }

  /** Whether a step is nothing but one call, the same in all. */
  get #isFused(): boolean {
    return this.#particles.remap === 'positions' && !this.#particles.sllod;
  }

  get #flips(): boolean {
    return this.#beside.flips;
  }

  /** Whether a device does the next step. */
  get #isOfDevice(): boolean {
    if (!this.#box) return false;
    const barostat = findRunBox(this.#state);
    if (barostat && !(this.#isFused && this.#beside.isReady(barostat))) return false;
    this.#isHostNext ??= this.#isForHost(this.#now);
    return !this.#isHostNext;
  }

  /** @param before the box of the step before, where it is not known from the grid */
  #isForHost(then: Moment, before?: Domain): boolean {
    if (!this.#run.isPossible(this.#options, then)) return true;
    if (findRunBox(this.#state)) return this.#beside.isLarge(then, this.#dt);
    const box = this.#run.boxAt(this.#options, then);
    const present = before ?? this.#state.get(gridKey).wholeDomain;
    return !isSmallChange(present, box) || (this.#flips && flipBox(box) !== box);
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
    this.#reached(now, present ? undefined : box);
    return box;
  }

  /** The same by time alone, and without flips, where a barostat moves the rest. */
  #nextStraight(): Domain {
    const now = this.#now;
    const box = this.#run.straightAt(this.#options, now);
    this.#reached(now);
    return box;
  }

  /** The box is that of a moment. @param box where it is known */
  #reached(now: Moment, box?: Domain): void {
    this.#run.reached(now);
    if (!this.#box) return;
    const then = { ...now, step: now.step + 1, time: now.time + this.#dt };
    const isHostNext = this.#isForHost(then, box);
    if (this.#isFused && isHostNext !== this.#isHostNext) this.#state.renewCalls();
    this.#isHostNext = isHostNext;
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
    const isBeside = findRunBox(this.#state) !== undefined;
    return { ...this.#run.save(), isBeside } as unknown as Saved;
  }

  /** Goes on from what a checkpoint kept. */
  restore(saved: Saved): void {
    this.#run.restore(saved, this.#state.get(gridKey).wholeDomain);
    this.#isHostNext = null;
    const { isBeside } = saved as { readonly isBeside?: boolean };
    if (isBeside) this.#beside.begin(runBoxOf(this.#state), this.#box !== null);
  }

  /** Gives its calls back. */
  close(): void {
    const plan = this.#state.find(planKey);
    if (plan?.crossFaces === this.#afterDrift) plan.crossFaces = undefined;
    this.#closeCalls();
    this.#beside.close();
  }
}
