import type { SimulationState } from '@corpuscle/core';
import { type ContextValue, type PreparedCall, prepareCellParticles } from '@corpuscle/patterns';
import { rateNames } from '@corpuscle/patterns/boxes';
import { isDivided } from '../../run/listBackend.js';
import { contextOf, gridKey, planKey } from '../../run/stateKeys.js';
import { crossFaces, noteCrossings } from '../crossFaces.js';
import { placedBoxParams, presentBox, strainFor, valuesOf } from '../presentBox.js';

/** Calls for a version of the calls of the run. */
interface Bound {
  readonly version: number;
  readonly calls: readonly PreparedCall[];
  readonly cross: PreparedCall;
}

/**
 * Takes particles that have left a deforming box to the opposite face, with the lists of a step and so before its forces: thermostats and
 * barostats at its end know their new velocities. Where lists are not updated by their operator, they cross faces when the box changes.
 */
export class FaceCrossing {
  /** How fast lattice vectors change, and with them the velocities of those that cross. */
  readonly rate: ContextValue<(typeof rateNames)[number]>;
  readonly #state: SimulationState;
  readonly #begun: number;
  /** Whether lists see to it. */
  isWithLists = false;
  #bound: Bound | null = null;
  /** As `RunPlan.crossFaces`. */
  readonly #withLists = (): readonly PreparedCall[] => {
    this.isWithLists = true;
    return this.#calls;
  };

  constructor(state: SimulationState) {
    this.#state = state;
    this.#begun = state.step;
    const [grid, ctx] = [state.get(gridKey), contextOf(state)];
    this.rate = ctx.value(valuesOf('d', Array<number>(rateNames.length).fill(0)));
    strainFor(grid, ctx, isDivided(state.simulation) ? 'host' : 'engine');
    noteCrossings(grid, ctx);
    this.#join();
  }

  /** What an operator that changes the box has to do before. */
  get callsBefore(): readonly PreparedCall[] {
    return this.isWithLists ? [] : this.#calls;
  }

  /** The box is about to change. */
  beforeBox(): void {
    if (this.#join()) this.isWithLists = false;
    if (this.#state.step !== this.#begun) for (const call of this.callsBefore) call.run();
  }

  /** From now on lists see to it, if they are asked for. @returns false where they do */
  #join(): boolean {
    const plan = this.#state.find(planKey);
    if (!plan || plan.crossFaces === this.#withLists) return false;
    plan.crossFaces = this.#withLists;
    this.#state.renewCalls();
    return true;
  }

  get #calls(): readonly PreparedCall[] {
    const { callsVersion: version } = this.#state;
    if (this.#bound?.version === version) return this.#bound.calls;
    this.#bound?.cross.close();
    const grid = this.#state.get(gridKey);
    const { params, calls } = presentBox(grid, placedBoxParams);
    const rates = Object.fromEntries(rateNames.map((name) => [name, this.rate.of(name)]));
    const given = { params: { ...params, ...rates } as never };
    const cross = prepareCellParticles(grid, crossFaces, contextOf(this.#state), given);
    this.#bound = { version, cross, calls: [...calls, cross] };
    return this.#bound.calls;
  }

  /** Gives back what it holds. */
  close(): void {
    const plan = this.#state.find(planKey);
    if (plan?.crossFaces === this.#withLists) plan.crossFaces = undefined;
    this.#bound?.cross.close();
    this.rate.close();
  }
}
