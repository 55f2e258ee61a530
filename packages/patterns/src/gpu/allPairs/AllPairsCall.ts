import {
  type PairCall,
  type ParameterValues,
  type Plan,
  type Totals,
  zeroTotals,
} from '../../plan/calls.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { DeviceCall } from '../calls/DeviceCall.js';
import type { AllPairsWork } from './AllPairsWork.js';
import type { WrappedBox } from './PackedSets.js';

/** The bits of a NaN. */
export const NAN_BITS = 0x7fc00000;

/** A call over all pairs. What it binds stays while box, frame, parameters and the number of particles do. */
export abstract class AllPairsCall<B> extends DeviceCall<Totals> {
  readonly plan: Plan<PairCall>;
  protected readonly work: AllPairsWork;
  protected readonly zeros: Totals;
  #bound: B | null = null;
  /** What that was made for. */
  #wrapped: WrappedBox | null = null;
  #params: ParameterValues | null = null;
  #count = -1;

  constructor(runner: CallRunner, work: AllPairsWork, plan: Plan<PairCall>) {
    super(runner, plan.functor.name, plan.grid);
    this.work = work;
    this.plan = plan;
    this.zeros = zeroTotals(plan);
  }

  /**
   * Whether the box leans or may be sheared, and no record of a window tells when it leaves the bounds within which its nearest
   * images are found from its reference. Where lengths alone change along the axes, they are those of the reference.
   */
  get needsBox(): boolean {
    const strain = strainOf(this.grid);
    if (!strain || !this.plan.allPairs!.images) return false;
    if (!strain.isSheared && strain.reference.isOrthorhombic) return false;
    return !this.runner.speculation.covers(this.grid);
  }

  /** Its kernels and their parameters as things are. */
  bind(params: ParameterValues): B {
    const { count } = this.grid;
    const wrapped = this.work.setsOf(this.grid).wrapped(this.plan.allPairs!.images);
    const isSame = wrapped === this.#wrapped && count === this.#count;
    if (!isSame || params !== this.#params) this.#bound = this.make(params, wrapped, this.#bound);
    this.#wrapped = wrapped;
    this.#params = params;
    this.#count = count;
    return this.#bound!;
  }

  /** @param before what was bound before. */
  protected abstract make(params: ParameterValues, wrapped: WrappedBox, before: B | null): B;
}
