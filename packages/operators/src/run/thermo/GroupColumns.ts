import type { SimulationState } from '@corpuscle/core';
import {
  type ContextValue,
  combined,
  type PatternHandle,
  prepareReduction,
  type Totals,
} from '@corpuscle/patterns';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { groupOptions } from '../../sets/group/Groups.js';
import { kineticEnergy } from '../../thermostats/kineticEnergy.js';
import { RenewedCall } from '../RenewedCall.js';
import { contextOf, gridKey } from '../stateKeys.js';
import type { RowFactors } from './rowUnits.js';

/** What a reduction over a group leaves. */
interface Sampled {
  readonly value: ContextValue<'twice' | 'count'>;
  readonly call: RenewedCall<object, unknown>;
}

/**
 * Columns of groups in the thermo table: particles, kinetic energy and temperature. A group has three degrees of freedom a particle,
 * as for thermostats of groups; `all` has those of the whole.
 */
export class GroupColumns {
  readonly names: readonly string[];
  readonly #state: SimulationState;
  readonly #groups: readonly string[];
  readonly #sampled: readonly Sampled[];

  constructor(state: SimulationState, groups: readonly string[]) {
    this.#state = state;
    this.#groups = groups;
    this.names = groups.flatMap((group) =>
      ['particles', 'kinetic_energy', 'temperature'].map((column) => `${column}_${group}`),
    );
    this.#sampled = groups.map((group) => {
      const value = contextOf(state).value({ twice: 0, count: 0 });
      const make = () => {
        const options = { into: value, ...groupOptions(state, group) };
        return prepareReduction(state.get(gridKey), kineticEnergy, {}, contextOf(state), options);
      };
      return { value, call: new RenewedCall<object, unknown>(state, make) };
    });
  }

  /** The numbers of a row in the user's units, in the order of `names`. @throws CorpuscleError INVALID_VALUE for an unknown group */
  sample({ energy, temperature }: RowFactors): PatternHandle<number[]> {
    const { boltzmann } = this.#state.simulation.configuration.units;
    const ofAll = degreesOfFreedom(this.#state);
    const handles = this.#sampled.map(({ value, call }) => {
      call.current.run();
      return value.read();
    });
    return combined<Totals, number[]>(handles as PatternHandle<Totals>[], (all) =>
      all.flatMap((sums, k) => {
        const twice = sums!.twice!;
        const count = sums!.count!;
        const degrees = this.#groups[k] === 'all' ? ofAll : 3 * count;
        const hot = degrees > 0 ? twice / (degrees * boltzmann) : 0;
        return [count, twice / 2 / energy, hot / temperature];
      }),
    );
  }

  /** Gives back what it holds. */
  close(): void {
    for (const { value, call } of this.#sampled) {
      call.close();
      value.close();
    }
  }
}
