import type { Domain, Saved, SimulationState } from '@corpuscle/core';
import { type PreparedCall, prepareCellParticles } from '@corpuscle/patterns';
import type { PrescriptionOptions } from '@corpuscle/patterns/engines';
import { knownTime } from '../../integrators/physicalTime.js';
import { areForcesCurrent } from '../../run/freshness.js';
import { RenewedCall } from '../../run/RenewedCall.js';
import { contextOf, gridKey, planKey } from '../../run/stateKeys.js';
import { claimBox } from '../claimBox.js';
import { flipBox } from '../flipBox.js';
import { followFlow, sllodParams } from '../followFlow.js';
import { newBox, newBoxes } from '../newBox.js';
import { isSmallChange, type PrescribedBox, prescribedBoxOf } from '../PrescribedBox.js';
import { findRunBox, runBoxOf, settledBox } from '../RunBox.js';
import { DeformBeside } from './DeformBeside.js';
import { type DeformOptions, DeformRun, type Moment } from './DeformRun.js';
import { FaceCrossing } from './FaceCrossing.js';
import { particlesOfStrain } from './particlesOfStrain.js';

/** What particles do meanwhile. */
export interface DeformedParticles {
  readonly remap: 'positions' | 'velocities' | 'none';
  readonly sllod: boolean;
}

/** Calls of a device for a version of the calls of the run. */
interface DeviceCalls {
  readonly version: number;
  readonly calls: readonly PreparedCall[];
  close(): void;
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
  /** Of particles that do not follow the box; null where they do. */
  readonly #crossing: FaceCrossing | null;
  /** Velocities that follow where the host changes the box. */
  readonly #flow: RenewedCall<ReturnType<typeof sllodParams>>;
  #onDevice: DeviceCalls | null = null;
  /** The time of the drift just before, where velocities follow. */
  #drift = 0;
  /** Whether the next step is one of the host; null where that is not known yet. */
  #isHostNext: boolean | null = null;
  /** The count of new boxes up to its own. */
  #boxes: number;

  constructor(state: SimulationState, options: DeformOptions, particles: DeformedParticles) {
    const grid = state.get(gridKey);
    this.#state = state;
    this.#options = options;
    this.#particles = particles;
    this.#run = new DeformRun(grid.wholeDomain, state.step, state.time);
    this.#box = prescribedBoxOf(state);
    this.#crossing = particles.remap === 'positions' ? null : new FaceCrossing(state);
    this.#flow = new RenewedCall(state, () =>
      prepareCellParticles(state.get(gridKey), followFlow, contextOf(state)),
    );
    this.#beside = new DeformBeside(state, options, this.#run);
    this.#boxes = newBoxes(state);
    if (this.#dt > 0) this.#tellRate(); // some may cross faces in the first step, before the box changes
  }

  /** The calls of a step that are all there is to do; null where the host has to do more. */
  calls(): readonly PreparedCall[] | null {
    if (!this.#isOfDevice) return null;
    return [...(this.#crossing?.callsBefore ?? []), ...this.#deviceCalls];
  }

  /** One step. */
  execute(): void | Promise<void> {
    if (this.#particles.sllod) this.#noteDrift();
    this.#crossing?.beforeBox();
    if (!this.#isOfDevice) return this.#onHost();
    if (findRunBox(this.#state)) claimBox(this.#state, 'deform', this.#beside.own);
    for (const call of this.#deviceCalls) call.run();
    return this.looks ? this.#look() : undefined;
  }

  /** Particles have moved since forces were computed; at the end of a scheme they have not. */
  #noteDrift(): void {
    const drift = areForcesCurrent(this.#state) ? 0 : this.#dt;
    if (drift !== this.#drift) this.#state.renewCalls();
    this.#drift = drift;
  }

  /** Looks whether the box leans too far. */
  async #look(): Promise<void> {
    await this.#beside.flip(findRunBox(this.#state)!);
    this.#boxes = newBoxes(this.#state);
    this.#tellRate();
  }

  /** Whether something else has given the particles another box. */
  get #isReplaced(): boolean {
    return newBoxes(this.#state) !== this.#boxes;
  }

  /** Whether the host does more in this step than make calls. */
  get doesMore(): boolean {
    return this.#isReplaced || this.looks;
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
    if (this.#isReplaced) this.#goOnFrom(before);
    const box = this.#next(barostat && before);
    const { remap, sllod } = this.#particles;
    newBox(state, box, remap === 'positions' ? 'positions' : 'none');
    if (sllod) this.#flow.current.run(sllodParams(before, box, this.#drift));
    const flipped = this.#flips ? this.#run.flipped(box) : box;
    if (flipped !== box) newBox(state, flipped, 'none');
    this.#boxes = newBoxes(state);
    this.#tellRate();
  }

  /** Goes on from a box that something else has given the particles. */
  #goOnFrom(box: Domain): void {
    this.#run.goOnFrom(box, this.#options, findRunBox(this.#state) !== undefined);
    this.#isHostNext = null;
  }

  /** What a device does in a step. */
  get #deviceCalls(): readonly PreparedCall[] {
    const { callsVersion: version } = this.#state;
    if (this.#onDevice?.version === version) return this.#onDevice.calls;
    this.#onDevice?.close();
    const barostat = findRunBox(this.#state);
    const { strain } = this.#box!;
    const [part, rate] = [barostat && this.#beside.partOf(barostat), this.#told];
    const boxNow = () => (barostat ? this.#nextStraight() : this.#next());
    const prescribe = this.#box!.call(boxNow, { ...(part && { part }), ...(rate && { rate }) });
    const { remap, sllod } = this.#particles;
    const follow = remap === 'positions' && !sllod;
    const [grid, ctx] = [this.#state.get(gridKey), contextOf(this.#state)];
    const drift = sllod ? this.#drift : null;
    const particles = follow ? null : particlesOfStrain(strain, grid, ctx, drift);
    const { before = [], after = [] } = particles ?? {};
    this.#onDevice = {
      version,
      calls: [...before, prescribe, ...after],
      close() {
        prescribe.close();
        particles?.close();
      },
    };
    return this.#onDevice.calls;
  }

  get #flips(): boolean {
    return this.#beside.flips;
  }

  /** Whether a device does the next step. */
  get #isOfDevice(): boolean {
    if (!this.#box || this.#isReplaced) return false;
    const barostat = findRunBox(this.#state);
    if (barostat && !this.#beside.isReady(barostat)) return false;
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
    this.#run.reached(this.#options, now);
    if (!this.#box) return;
    const then = { ...now, step: now.step + 1, time: now.time + this.#dt };
    const isHostNext = this.#isForHost(then, box);
    if (isHostNext !== this.#isHostNext) this.#state.renewCalls();
    this.#isHostNext = isHostNext;
  }

  get #dt(): number {
    return this.#state.find(planKey)?.dt ?? 0;
  }

  /** How fast the lattice vectors change. */
  get #rate(): readonly number[] {
    return this.#run.boxRate(this.#options, { dt: this.#dt, endStep: this.#now.endStep });
  }

  /** Tells it those that cross faces, where the host has made the box. */
  #tellRate(): void {
    this.#told?.value.engineValues.write(this.#rate);
  }

  /** Where it is told; undefined where particles take no velocity from it. */
  get #told(): PrescriptionOptions['rate'] {
    if (this.#particles.remap !== 'velocities') return undefined;
    return { value: this.#crossing!.rate, now: () => this.#rate };
  }

  /** What a checkpoint keeps. */
  save(): Saved {
    const isBeside = findRunBox(this.#state) !== undefined;
    const isWithLists = this.#crossing?.isWithLists ?? false;
    const isReplaced = this.#isReplaced;
    return { ...this.#run.save(), isBeside, isWithLists, isReplaced } as unknown as Saved;
  }

  /** Goes on from what a checkpoint kept. */
  restore(saved: Saved): void {
    this.#run.restore(saved, this.#state.get(gridKey).wholeDomain);
    this.#isHostNext = null;
    this.#tellRate();
    const { isBeside, isWithLists = false, isReplaced } = saved as Partial<Record<string, boolean>>;
    if (this.#crossing) this.#crossing.isWithLists = isWithLists;
    this.#boxes = newBoxes(this.#state) - (isReplaced ? 1 : 0);
    if (isBeside) this.#beside.begin(runBoxOf(this.#state), this.#box !== null);
  }

  /** Gives its calls back. */
  close(): void {
    this.#crossing?.close();
    this.#onDevice?.close();
    this.#onDevice = null;
    this.#flow.close();
  }
}
