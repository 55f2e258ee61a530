import { type Saved, type SimulationState, stateKey } from '@corpuscle/core';
import { type ContextValue, combined, completed, type PatternHandle } from '@corpuscle/patterns';
import { claimBox } from '../../box/claimBox.js';
import { keepsDirections, movedBy } from '../../box/coupling.js';
import { flipBox } from '../../box/flipBox.js';
import { newBox } from '../../box/newBox.js';
import { type RunBox, runBoxOf } from '../../box/RunBox.js';
import { forcesAfterChange } from '../../forces/currentLedger.js';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { hasTurn, turnsUntil } from '../../integrators/turns.js';
import { freshnessOf } from '../../run/freshness.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { PressureMeter, partsOf } from '../PressureMeter.js';
import { rampedAt, rampStepsOf } from '../ramp.js';
import { type Call, type Half, KINETIC, MtkCalls, runAll } from './MtkCalls.js';
import { LOOKS, type MtkOptions } from './MtkOptions.js';
import { type MtkKind, type MtkParams, mtkFunctors, mtkRates, mtkStart } from './mtkFunctors.js';
import { OtherVelocities } from './OtherVelocities.js';
import { type BoxFrame, boxFrame, ownPressures } from './pressureBox.js';
import { type SavedMtk, savedMtk } from './savedMtk.js';
import { movesSome } from './strainRates.js';

/** The barostat of a run: what its two operators share. */
export const mtkKey = stateKey<MtkRun>('barostat', 'put nose_hoover_move before nose_hoover_kick');

/**
 * A Nosé–Hoover barostat on the particles of a run. Strain rates, chains and the box are values: no step reads one of them.
 */
export class MtkRun {
  readonly #state: SimulationState;
  readonly #options: MtkOptions;
  #kind: MtkKind;
  readonly #meter: PressureMeter;
  readonly #own: ContextValue<string>;
  #calls: MtkCalls | null = null;
  /** What the masses of the box follow from, and where it was when its growth began to be counted. */
  #massKT = Number.NaN;
  #frame: BoxFrame | null = null;
  #boxVersion = -1;
  /** Whether lattice vectors that lean keep their directions. */
  #keepsDirections = false;
  #saved: SavedMtk | null = null;
  /** Whose numbers these are: other particles are measured anew. */
  #particles = '';
  readonly #others: OtherVelocities;

  constructor(state: SimulationState, options: MtkOptions) {
    this.#state = state;
    this.#options = options;
    const { coupling, chain, boxChain } = options;
    this.#kind = {
      ...{ coupling, isLeaning: false, chain, boxChain },
      isHot: options.kT !== null,
      isLong: options.every > 1,
      isSplit: false,
    };
    this.#others = new OtherVelocities(state);
    this.#meter = new PressureMeter(state, partsOf(coupling));
    const rates = Object.fromEntries(mtkRates(this.#kind).map((name) => [name, 0]));
    this.#own = contextOf(state).value({ ...mtkStart, ...rates });
  }

  /** Whether box and chains act in a half of the present step. */
  acts(half: Half): boolean {
    return hasTurn(half === 'move' ? 'before' : 'after', this.#state.step, this.#options.every);
  }

  /** The calls of both halves of a step that are all there is to do; null where the host has to do more. */
  calls(half: Half): readonly Call[] | null {
    if (this.#isNew) return null;
    if (!this.acts(half)) return half === 'move' ? this.#restingMove : this.#bound.rest.kick;
    // A host that knows the box in every step flips it in every step where it leans too far.
    if (half === 'move') return this.#leans && !this.#state.knowBox ? null : this.#moveCalls;
    const { calls, isWhole } = this.#bound.acting;
    return isWhole ? calls : null;
  }

  get #moveCalls(): readonly Call[] {
    const { move } = this.#bound;
    return this.#others.areNew ? [this.#meter.kinetic, ...move] : move;
  }

  /** Which calls the first half of a step makes. */
  get moveVariant(): 0 | 1 | 2 {
    if (!this.acts('move')) return 0;
    return this.#others.areNew ? 2 : 1;
  }

  /** Whether the box may come to lean too far. */
  get #leans(): boolean {
    if (this.#box.isFlippedByOther) return false;
    return this.#kind.coupling === 'triclinic' || this.#keepsDirections;
  }

  /** Whether the host looks in this step whether the box leans too far. */
  get looks(): boolean {
    const { knowBox, step } = this.#state;
    return this.#leans && (!knowBox || step % LOOKS < this.#options.every) && this.acts('move');
  }

  /** The first later step in which it may do something else. */
  get steadyUntil(): number {
    const [{ step }, { every }] = [this.#state, this.#options];
    if (this.#leans || !this.#others.areSteady) return step + 1;
    return Math.min(turnsUntil('before', step, every), turnsUntil('after', step, every));
  }

  /** First half of a step: particles and box move. */
  move(): void | Promise<void> {
    if (this.#isNew) return this.#begin().then(() => this.#move());
    if (this.#others.areOfOtherRun) this.#meter.kinetic.run();
    this.#others.noteRun();
    return this.#move();
  }

  #move(): void | Promise<void> {
    if (!this.acts('move')) return runAll(this.#restingMove);
    claimBox(this.#state, 'nose_hoover', movedBy(this.#kind.coupling));
    runAll(this.#moveCalls);
    return this.looks ? this.#flip() : undefined;
  }

  /** Second half, with the new forces. */
  kick(): void | Promise<void> {
    if (!this.acts('kick')) return runAll(this.#bound.rest.kick);
    const { calls, isWhole } = this.#bound.acting;
    if (!isWhole) return this.#meter.fetchVirial().then(() => runAll(calls));
    return runAll(calls);
  }

  /** First half of a step at whose beginning box and chains rest. */
  get #restingMove(): readonly Call[] {
    return this.acts('kick') ? this.#bound.last : this.#bound.rest.move;
  }

  /** Whether the host has to measure first: at the beginning, and where particles or box are others. */
  get #isNew(): boolean {
    if (this.#frame === null || this.#particles !== this.#presentParticles) return true;
    return this.#box.version !== this.#boxVersion;
  }

  get #presentParticles(): string {
    return `${freshnessOf(this.#state).frames} ${this.#state.get(gridKey).total}`;
  }

  get #box(): RunBox {
    return runBoxOf(this.#state);
  }

  /** Takes from the host what steps do not find out by themselves: at the beginning, and when others have changed something. */
  async #begin(): Promise<void> {
    const state = this.#state;
    const { wholeDomain: domain } = state.get(gridKey);
    const { coupling } = this.#options;
    this.#keepsDirections = keepsDirections(coupling, domain);
    const isSplit =
      this.#options.pressures !== null || (this.#keepsDirections && movesSome(coupling));
    if (coupling === 'triclinic' || this.#keepsDirections) this.#box.shear();
    this.#kind = { ...this.#kind, isLeaning: this.#box.isSheared, isSplit };
    if (this.#saved) this.#revive(this.#saved);
    if (!this.#saved || this.#saved.isOfOtherParticles) {
      await forcesAfterChange(state);
      await this.#meter.run();
      const found = await this.#meter.value.read();
      const { virial } = await this.#meter.latestVirial();
      this.#write('uxx', virial);
      if (this.#frame === null) this.#start(found.xx + found.yy + found.zz);
    }
    if (this.#frame === null || this.#box.version !== this.#boxVersion) {
      this.#frame = boxFrame(domain, coupling, this.#frame ?? undefined);
      this.#renew();
    }
    this.#boxVersion = this.#box.version;
    this.#saved = null;
    this.#others.noteRun();
    this.#particles = this.#presentParticles;
    state.renewCalls();
  }

  /** The first step of all. @param twice the kinetic energy, twice */
  #start(twice: number): void {
    const state = this.#state;
    const { kT, every } = this.#options;
    this.#massKT = kT ? rampedAt(kT, state, state.step - 1) : twice / degreesOfFreedom(state);
    this.#write('kT', [this.#massKT]);
    const before = state.step - 1 - ((state.step - 1) % every);
    this.#write('low', [before % 65536, Math.floor(before / 65536)]);
  }

  #renew(): void {
    this.#calls?.close();
    this.#calls = null;
  }

  #write(name: string, numbers: readonly number[]): void {
    this.#own.engineValues.write(numbers, this.#own.placeOf(name));
  }

  /** The calls for particles and box as they are. */
  get #bound(): MtkCalls {
    const { callsVersion } = this.#state;
    if (this.#calls?.version === callsVersion) return this.#calls;
    this.#calls?.close();
    const bath = {
      kind: this.#kind,
      functors: mtkFunctors(this.#kind),
      own: this.#own,
      params: this.#params,
    };
    this.#calls = new MtkCalls(this.#state, this.#meter, this.#options.dt, bath);
    return this.#calls;
  }

  get #params(): MtkParams {
    const { kT, pressure, pressures, tau, tauPressure, dt, every } = this.#options;
    const frame = this.#frame!;
    const { fixed, toOrigin } = frame;
    return {
      ...{ dt: every * dt, every, tau, tauPressure, massKT: this.#massKT },
      count: this.#state.get(gridKey).total,
      degrees: degreesOfFreedom(this.#state),
      volume: this.#box.volume,
      ...{ kT0: kT?.[0] ?? 0, kT1: kT?.[1] ?? 0, pressure0: pressure[0], pressure1: pressure[1] },
      ...rampStepsOf(this.#state),
      ...{ cx: fixed[0]!, cy: fixed[1]!, cz: fixed[2]! },
      ...{ qx: toOrigin[0]!, qy: toOrigin[1]!, qz: toOrigin[2]! },
      ...(this.#kind.isSplit && ownPressures(pressures ?? [pressure, pressure, pressure], frame)),
    };
  }

  /** Exchanges lattice vectors that lean too far. */
  async #flip(): Promise<void> {
    const state = this.#state;
    if (state.knowBox) await this.#box.know();
    const { wholeDomain: box } = state.get(gridKey);
    if (flipBox(box) === box) return;
    await this.#box.settle();
    newBox(state, flipBox(state.get(gridKey).wholeDomain), 'none');
  }

  /** What the bath holds, with P V, after a step: the energy of the particles and this are conserved. */
  bathEnergy(): PatternHandle<number> {
    // Before the first step chains and strain rates rest.
    if (this.#frame === null && !this.#saved)
      return completed(this.#options.pressure[0] * this.#state.get(gridKey).wholeDomain.volume);
    return combined([this.#own.read()], ([numbers]) => numbers!.bath!);
  }

  /** What a checkpoint keeps; null before the first step. */
  async save(): Promise<Saved> {
    if (this.#frame === null) return this.#saved;
    const found = await this.#meter.value.read();
    return {
      values: { ...(await this.#own.read()) },
      kinetic: KINETIC.map((name) => found[name]),
      massKT: this.#massKT,
      frame: this.#frame,
      isOfOtherBox: this.#box.version !== this.#boxVersion,
      isOther: this.#state.velocitiesChanged === this.#state.step,
      isOfOtherParticles: this.#particles !== this.#presentParticles,
      box: await this.#box.save(),
    } satisfies SavedMtk as unknown as Saved;
  }

  /** Goes on from what a checkpoint kept. */
  restore(saved: Saved): void {
    this.#saved = saved === null ? null : savedMtk(saved);
    this.#frame = null;
    this.#others.noteRun();
    if (this.#saved) this.#box.restore(this.#saved.box);
  }

  #revive(saved: SavedMtk): void {
    const { values, kinetic, massKT, frame, isOfOtherBox, isOther } = saved;
    this.#own.write(values);
    const [xx, yy, zz] = kinetic;
    const trace = [xx! + yy! + zz!, 0, 0, 0, 0, 0];
    const found = this.#options.coupling === 'iso' ? trace : kinetic;
    this.#meter.value.engineValues.write(found, this.#meter.value.placeOf('xx'));
    this.#massKT = massKT;
    this.#frame = frame;
    this.#boxVersion = isOfOtherBox ? -1 : this.#box.version;
    if (isOfOtherBox || isOther || this.#others.areOfOtherRun) this.#meter.kinetic.run();
    this.#renew();
  }

  /** Gives back calls and values. */
  close(): void {
    this.#calls = null;
    this.#meter.close();
    this.#own.close();
  }
}
