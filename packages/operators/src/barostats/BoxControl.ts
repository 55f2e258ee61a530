import { CorpuscleError, type SimulationState } from '@corpuscle/core';
import {
  type ContextValue,
  type PreparedCall,
  prepareCellParticles,
  prepareValues,
  type ValueFunctor,
  whenDone,
} from '@corpuscle/patterns';
import { claimBox } from '../box/claimBox.js';
import {
  type BarostatCoupling,
  checkCoupling,
  fixedPoint,
  keepsDirections,
  movedBy,
} from '../box/coupling.js';
import { type RunBox, runBoxOf, type SavedRunBox } from '../box/RunBox.js';
import { stretchBox } from '../box/stretchBox.js';
import { forcesAfterChange } from '../forces/currentLedger.js';
import { degreesOfFreedom } from '../integrators/degreesOfFreedom.js';
import { knownTime } from '../integrators/physicalTime.js';
import { scaleVelocity } from '../integrators/scaleVelocity.js';
import { hasTurn, turnsUntil } from '../integrators/turns.js';
import { referencesOf } from '../run/contextValues.js';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { PressureMeter, type Virial } from './PressureMeter.js';

/**
 * What a barostat finds and decides: the step in which it acted last, kinetic tensor and virial, how the box has grown, how its
 * lengths and all velocities shall.
 */
export const controlValues = {
  low: 'real',
  high: 'real',
  kxx: 'real',
  kyy: 'real',
  kzz: 'real',
  vxx: 'real',
  vyy: 'real',
  vzz: 'real',
  ex: 'real',
  ey: 'real',
  ez: 'real',
  dx: 'real',
  dy: 'real',
  dz: 'real',
  scale: 'real',
  wrong: 'real',
} as const;

/** What may be asked before it acts first. */
interface Measured {
  readonly volume: number;
  /** kT by the motion of the particles. */
  temperature(): Promise<number>;
}

/** A barostat by its name, how often it acts, and the slot that makes it slower. */
interface BoxControlKind<P> {
  readonly name: string;
  readonly every: number;
  readonly slower: string;
  readonly scalesVelocities: boolean;
  readonly coupling: BarostatCoupling;
  /** How much lengths follow the pressure, where nothing is known of it. */
  compressibility(control: Measured): number | Promise<number>;
  /** What its functor takes. */
  params(compressibility: number, volume: number): Taken<P>;
}

type Numbers = Readonly<Record<string, 'real' | 'u32'>>;
type Taken<P> = Readonly<Record<keyof P, number>>;

/** Values of its own among those. */
const OWN = ['low', 'high', 'dx', 'dy', 'dz', 'scale', 'wrong'] as const;

/** What a checkpoint keeps. */
export type SavedControl = {
  readonly compressibility: number | null;
  readonly box: SavedRunBox;
  readonly center?: readonly number[] | null;
};

/** Times that a barostat acts before the host looks whether it has gone wrong. */
const LOOKS = 64;

/** What a barostat does once. */
interface Bound {
  readonly control: PreparedCall<object>;
  /** After it. */
  readonly rest: readonly PreparedCall[];
  /** Those of both that nothing else uses. */
  readonly mine: readonly PreparedCall<object>[];
}

/**
 * A barostat that acts at the end of a step: measures, a functor of values that decides, and the box and velocities that follow.
 * Nothing of it is read back but, now and then, whether something went wrong.
 */
export class BoxControl<P extends Numbers> {
  /** Known from the first time on. */
  #compressibility: number | null = null;
  readonly #state: SimulationState;
  readonly #meter: PressureMeter;
  readonly #functor: ValueFunctor<typeof controlValues, P>;
  readonly #kind: BoxControlKind<P>;
  readonly #own: ContextValue<(typeof OWN)[number]>;
  /** By the virial of a step: fused steps of each wait and come again. */
  readonly #bounds = new Map<Virial | null, Bound>();
  #version = -1;
  /** What stays where it is, and the box that it is of: found anew it would differ by rounding, as at a checkpoint. */
  #center: { readonly at: readonly number[]; readonly version: number } | null = null;
  /** The step in which it last acted by itself, not as a part of a fused step. */
  #acted = Number.NaN;
  /** The error that a look has found on a device. */
  #failure: Error | null = null;

  constructor(
    state: SimulationState,
    functor: ValueFunctor<typeof controlValues, P>,
    kind: BoxControlKind<P>,
  ) {
    this.#state = state;
    this.#functor = functor;
    this.#kind = kind;
    this.#meter = new PressureMeter(state, 'diagonal');
    const start = { low: 0, high: 0, dx: 0, dy: 0, dz: 0, scale: 1, wrong: 0 };
    this.#own = contextOf(state).value(start);
  }

  get #box(): RunBox {
    return runBoxOf(this.#state);
  }

  async #temperature(): Promise<number> {
    await this.#meter.run();
    const { xx, yy, zz } = await this.#meter.value.read();
    return (xx + yy + zz) / degreesOfFreedom(this.#state);
  }

  /** Whether it acts in the present step. */
  get acts(): boolean {
    return hasTurn('after', this.#state.step, this.#kind.every);
  }

  /** Whether the host looks in this step whether it has gone wrong. */
  get looks(): boolean {
    return this.acts && (this.#state.step / this.#kind.every) % LOOKS === 0;
  }

  /** The first later step in which either is different. */
  get steadyUntil(): number {
    const { step } = this.#state;
    const { every } = this.#kind;
    const between = every * LOOKS;
    if (this.looks) return step + 1;
    return Math.min(turnsUntil('after', step, every), step + between - (step % between));
  }

  /** Whether nothing is read back in a step. */
  get #isOnDevice(): boolean {
    return this.#state.knowBox !== undefined;
  }

  /** The calls that are all there is to do in this step; null where the host has to do more. */
  get calls(): readonly PreparedCall<object, unknown>[] | null {
    if (!this.acts) return [];
    if (!this.#isOnDevice || this.#compressibility === null) return null;
    const { kinetic, sums, virial } = this.#meter.bound;
    const { control, rest } = this.#calls(this.#compressibility);
    return virial && [kinetic, ...sums, control, ...rest];
  }

  /**
   * Acts, where it does in this step. That a decision made no sense stays noted until a look finds it.
   * @throws CorpuscleError INVALID_VALUE for such a decision, or where an integrator chooses its time steps
   */
  act(): Promise<void> | undefined {
    return this.acts ? this.#act() : undefined;
  }

  async #act(): Promise<void> {
    const { name, coupling, every } = this.#kind;
    const { step } = this.#state;
    knownTime(this.#state, name);
    claimBox(this.#state, name, movedBy(coupling));
    await forcesAfterChange(this.#state);
    if (this.#failure) throw this.#failure;
    const isFirst = this.#compressibility === null;
    this.#compressibility ??= await this.#kind.compressibility({
      volume: this.#box.volume,
      temperature: () => this.#temperature(),
    });
    if (isFirst) this.#state.renewCalls();
    if (this.#acted !== step - every) this.#setClock(step - every);
    this.#acted = step;
    const { control, rest } = this.#calls(this.#compressibility);
    const fetching = this.#meter.run();
    if (fetching) await fetching;
    control.run(this.#kind.params(this.#compressibility, this.#box.volume));
    for (const call of rest) call.run();
    if (!this.#isOnDevice) await this.finish();
    else if (isFirst || this.looks) this.#look();
  }

  /** Sets the step in which it is thought to have acted last. */
  #setClock(step: number): void {
    const halves = [step % 65536, Math.floor(step / 65536)];
    this.#own.engineValues.write(halves, this.#own.placeOf('low'));
  }

  #look(): void {
    const wrong = this.#tooFast(this.#state.step);
    const look = (found: { readonly wrong: number }) => {
      if (found.wrong !== 0) this.#failure ??= wrong();
    };
    whenDone(this.#own.read()).then(look, () => {}); // a device that fails is told by those who wait for it
  }

  #tooFast(step: number): () => Error {
    const { name, slower } = this.#kind;
    return () =>
      new CorpuscleError(
        'INVALID_VALUE',
        `${name} would change lengths by more than a fifth, at the latest in step ${step}: raise ${slower}, or equilibrate the pressure first`,
      );
  }

  /** Throws what has gone wrong since it was last looked at. */
  async finish(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const wrong = this.#tooFast(this.#state.step);
    if (this.#bounds.size > 0 && (await this.#own.read()).wrong !== 0) throw wrong();
  }

  #calls(compressibility: number): Bound {
    const { virial } = this.#meter.bound;
    const { callsVersion: version } = this.#state;
    if (this.#version !== version) this.#closeCalls();
    this.#version = version;
    const known = this.#bounds.get(virial);
    if (known) return known;
    const { coupling, name, scalesVelocities } = this.#kind;
    const box = this.#box;
    const ctx = contextOf(this.#state);
    const grid = this.#state.get(gridKey);
    checkCoupling(grid.wholeDomain, coupling, name);
    const { value } = this.#meter;
    const of = (...names: (typeof OWN)[number][]) => referencesOf(this.#own, names);
    const [vxx, vyy, vzz] = virial ?? this.#meter.fetched;
    const [kxx, kyy, kzz] = [value.of('xx'), value.of('yy'), value.of('zz')];
    const { ex, ey, ez } = box.references;
    const values = { ...{ kxx, kyy, kzz, vxx, vyy, vzz, ex, ey, ez }, ...of(...OWN) };
    const given = { values, params: this.#kind.params(compressibility, box.volume) } as never;
    const control = prepareValues(this.#functor, ctx, given) as PreparedCall<object>;
    if (this.#center?.version !== box.version)
      this.#center = { at: fixedPoint(grid.wholeDomain), version: box.version };
    const [cx, cy, cz] = this.#center.at as [number, number, number];
    if (keepsDirections(coupling, grid.wholeDomain)) box.shear();
    const stretch = prepareValues(stretchBox, ctx, {
      values: { ...box.references, ...of('dx', 'dy', 'dz') } as never,
      params: { cx, cy, cz, ly: box.lengths[1]!, lz: box.lengths[2]! },
    });
    const scaled = { params: { scale: this.#own.of('scale') } };
    const scale = scalesVelocities ? [prepareCellParticles(grid, scaleVelocity, ctx, scaled)] : [];
    const rest = [stretch, box.follow, ...scale] as readonly PreparedCall[];
    const mine = [control, stretch, ...scale] as readonly PreparedCall<object>[];
    const bound = { control, rest, mine };
    this.#bounds.set(virial, bound);
    return bound;
  }

  /** What a checkpoint keeps. */
  async save(): Promise<SavedControl> {
    const center = this.#center?.version === this.#box.version ? this.#center.at : null;
    return { compressibility: this.#compressibility, box: await this.#box.save(), center };
  }

  /** Goes on from what a checkpoint kept. */
  restore({ compressibility, box, center }: SavedControl): void {
    this.#compressibility = compressibility;
    this.#box.restore(box);
    this.#center = center ? { at: center, version: this.#box.version } : null;
  }

  #closeCalls(): void {
    for (const { mine } of this.#bounds.values()) for (const call of mine) call.close();
    this.#bounds.clear();
  }

  /** Gives back what it holds. */
  close(): void {
    this.#closeCalls();
    this.#meter.close();
    this.#own.close();
  }
}
