import {
  type BatchNode,
  changesVelocities,
  operatorsOf,
  type Simulation,
  type SimulationState,
} from '@corpuscle/core';
import { loopsIn, ofPasses } from '../../run/loops.js';
import { planKey, type RunPlan } from '../../run/stateKeys.js';

/**
 * Velocities that others change after the second half of a barostat's step, which measures them: they are measured again before the
 * first half of the next one.
 */
export class OtherVelocities {
  readonly #state: SimulationState;
  /** Whether calls of others change them in every step. */
  readonly #areAlways: boolean;
  /** The run in which they were measured last. */
  #plan: RunPlan | undefined;

  constructor(state: SimulationState) {
    this.#state = state;
    this.#areAlways = velocitiesChange(state.simulation);
  }

  /** Whether others may have changed them since the end of the step before the present one. */
  get areNew(): boolean {
    const { step, velocitiesChanged } = this.#state;
    return this.#areAlways || velocitiesChanged >= step - 1;
  }

  /** Whether that is so in the next step too, unless others change them. */
  get areSteady(): boolean {
    return this.#areAlways || !this.areNew;
  }

  /** Whether they were measured in another run: between two runs others may have changed them. */
  get areOfOtherRun(): boolean {
    return this.#plan !== this.#state.find(planKey);
  }

  /** They have been measured in the present run. */
  noteRun(): void {
    this.#plan = this.#state.find(planKey);
  }
}

/**
 * Whether `calls` change velocities in every step, after the second half of a barostat's step, and before the first half of the next one.
 */
function velocitiesChange({ root }: Simulation): boolean {
  return stepsIn(root).some((steps) => {
    let isWithin = false;
    for (const node of operatorsOf(steps)) {
      const { name } = node.definition;
      if (name === 'nose_hoover_move') isWithin = true;
      else if (name === 'nose_hoover_kick') isWithin = false;
      else if (!isWithin && node.definition.calls && changesVelocities(node)) return true;
    }
    return false;
  });
}

/** Loops whose passes have a barostat; where there is none, steps that are written one by one. */
function stepsIn(root: BatchNode): readonly BatchNode[] {
  const loops = loopsIn(root).filter((loop) =>
    ofPasses(loop).some(({ definition }) => definition.name === 'nose_hoover_move'),
  );
  return loops.length > 0 ? loops : [root];
}
