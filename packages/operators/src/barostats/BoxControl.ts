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
import { type BarostatCoupling, checkCoupling, keepsDirections, movedBy } from '../box/coupling.js';
import { type RunBox, runBoxOf, type SavedRunBox } from '../box/RunBox.js';
import { stretchBox } from '../box/stretchBox.js';
import { degreesOfFreedom } from '../integrators/degreesOfFreedom.js';
import { knownTime } from '../integrators/physicalTime.js';
import { scaleVelocity } from '../integrators/scaleVelocity.js';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { PressureMeter } from './PressureMeter.js';

/** What a barostat finds and decides: kinetic tensor and virial, how the box has grown, how its lengths and all velocities shall. */
export const controlValues = {
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

/** A barostat by its name, and the slot that makes it slower. */
interface BoxControlKind {
  readonly name: string;
  readonly slower: string;
  readonly scalesVelocities: boolean;
  readonly coupling: BarostatCoupling;
}

type Numbers = Readonly<Record<string, 'real'>>;

/** What a checkpoint keeps. */
export type SavedControl = { readonly compressibility: number | null; readonly box: SavedRunBox };

/** Times that a barostat acts before the host looks whether it has gone wrong. */
const LOOKS = 64;

/**
 * A barostat that acts at the end of a step: measures, a functor of values that decides, and the box and velocities that follow.
 * Nothing of it is read back but, now and then, whether something went wrong.
 */
export class BoxControl<P extends Numbers> {
  /** Known from the first time on. */
  compressibility: number | null = null;
  readonly #state: SimulationState;
  readonly #meter: PressureMeter;
  readonly #functor: ValueFunctor<typeof controlValues, P>;
  readonly #kind: BoxControlKind;
  readonly #decision: ContextValue<'dx' | 'dy' | 'dz' | 'scale' | 'wrong'>;
  #bound: {
    readonly control: PreparedCall<object>;
    readonly rest: readonly PreparedCall[];
  } | null = null;
  #version = -1;
  #center: readonly number[] = [0, 0, 0];
  #virial: unknown = null;
  #times = 0;
  /** The error for a wrong decision of the last step, and the one that a look has found on a device. */
  #wrong: (() => Error) | null = null;
  #failure: Error | null = null;

  constructor(
    state: SimulationState,
    functor: ValueFunctor<typeof controlValues, P>,
    kind: BoxControlKind,
  ) {
    this.#state = state;
    this.#functor = functor;
    this.#kind = kind;
    this.#meter = new PressureMeter(state, 'diagonal');
    this.#decision = contextOf(state).value({ dx: 0, dy: 0, dz: 0, scale: 1, wrong: 0 });
  }

  get #box(): RunBox {
    return runBoxOf(this.#state);
  }

  /** The volume that `ex`, `ey` and `ez` refer to. */
  get volume(): number {
    return this.#box.volume;
  }

  /** kT by the motion of the particles, on the host. */
  async temperature(): Promise<number> {
    await this.#meter.run();
    const { xx, yy, zz } = await this.#meter.value.read();
    return (xx + yy + zz) / degreesOfFreedom(this.#state);
  }

  /**
   * Acts once. That a decision made no sense stays noted until a look finds it.
   * @throws CorpuscleError INVALID_VALUE for such a decision, or where an integrator chooses its time steps
   */
  async act(params: Readonly<Record<keyof P, number>>): Promise<void> {
    knownTime(this.#state, this.#kind.name);
    claimBox(this.#state, this.#kind.name, movedBy(this.#kind.coupling));
    if (this.#failure) throw this.#failure;
    const wrong = this.#tooFast(this.#state.step);
    this.#wrong = wrong;
    const { control, rest } = this.#calls;
    const fetching = this.#meter.run();
    if (fetching) await fetching;
    control.run(params);
    for (const call of rest) call.run();
    const isDevice = this.#state.knowBox !== undefined;
    if (isDevice && this.#times++ % LOOKS !== 0) return;
    const told = this.#decision.read();
    if (!isDevice) {
      if ((await told).wrong !== 0) throw wrong();
      return;
    }
    const look = (found: { readonly wrong: number }) => {
      if (found.wrong !== 0) this.#failure ??= wrong();
    };
    whenDone(told).then(look, () => {}); // a device that fails is told by those who wait for it
  }

  #tooFast(step: number): () => Error {
    const { name, slower } = this.#kind;
    return () =>
      new CorpuscleError(
        'INVALID_VALUE',
        `${name} would change lengths by more than a fifth, at the latest in step ${step}: raise ${slower}, or equilibrate the pressure first`,
      );
  }

  /** Throws what went wrong on a device since it was last looked at. */
  async finish(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#wrong && (await this.#decision.read()).wrong !== 0) throw this.#wrong();
  }

  get #calls() {
    const { virial } = this.#meter.bound;
    const { callsVersion } = this.#state;
    if (this.#bound && this.#version === callsVersion && this.#virial === virial)
      return this.#bound;
    this.#closeCalls();
    const { coupling, name } = this.#kind;
    const box = this.#box;
    const ctx = contextOf(this.#state);
    const grid = this.#state.get(gridKey);
    checkCoupling(grid.wholeDomain, coupling, name);
    const { value } = this.#meter;
    const decision = this.#decision;
    const own = (...names: ('dx' | 'dy' | 'dz' | 'scale' | 'wrong')[]) =>
      Object.fromEntries(names.map((name) => [name, decision.of(name)]));
    const [vxx, vyy, vzz] = virial ?? this.#meter.fetched;
    const [kxx, kyy, kzz] = [value.of('xx'), value.of('yy'), value.of('zz')];
    const { ex, ey, ez } = box.references;
    const values = {
      ...{ kxx, kyy, kzz, vxx, vyy, vzz, ex, ey, ez },
      ...own('dx', 'dy', 'dz', 'scale', 'wrong'),
    };
    const control = prepareValues(this.#functor, ctx, { values: values as never });
    // Ranks bind anew in different steps, and take the same center.
    if (this.#version !== callsVersion) this.#center = grid.domain.toCartesian(0.5, 0.5, 0.5);
    const [cx, cy, cz] = this.#center as [number, number, number];
    if (keepsDirections(coupling, grid.wholeDomain)) box.shear();
    const stretch = prepareValues(stretchBox, ctx, {
      values: { ...box.references, ...own('dx', 'dy', 'dz') } as never,
      params: { cx, cy, cz },
    });
    const scale = this.#kind.scalesVelocities
      ? [
          prepareCellParticles(grid, scaleVelocity, ctx, {
            params: { scale: decision.of('scale') },
          }),
        ]
      : [];
    const rest = [stretch, box.follow, ...scale] as readonly PreparedCall[];
    this.#bound = { control: control as PreparedCall<object>, rest };
    this.#version = this.#state.callsVersion;
    this.#virial = this.#meter.bound.virial;
    return this.#bound;
  }

  /** What a checkpoint keeps. */
  async save(): Promise<SavedControl> {
    return { compressibility: this.compressibility, box: await this.#box.save() };
  }

  /** Goes on from what a checkpoint kept. */
  restore({ compressibility, box }: SavedControl): void {
    this.compressibility = compressibility;
    this.#box.restore(box);
  }

  #closeCalls(): void {
    this.#bound?.control.close();
    this.#bound?.rest[0]?.close();
    this.#bound?.rest[2]?.close();
    this.#bound = null;
  }

  /** Gives back what it holds. */
  close(): void {
    this.#closeCalls();
    this.#meter.close();
    this.#decision.close();
  }
}
