import type { SimulationState } from '@corpuscle/core';
import { combined } from '@corpuscle/patterns';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { physicalTime } from '../../integrators/physicalTime.js';
import { contextOf, gridKey, ledgerKey, planKey } from '../../run/stateKeys.js';
import { PendingRows } from '../../run/thermo/PendingRows.js';
import { ThermoSampler } from '../../run/thermo/sampleThermo.js';
import type { ThermoRow } from '../../run/thermo/thermoRow.js';

/** A row of the thermo table, in internal units, and the volume of its box. */
export interface ThermoFrame {
  readonly row: ThermoRow;
  readonly volume: number;
}

/** Takes rows of the thermo table for an analysis, which needs energy and virial. They are delivered in order as they arrive. */
export class ThermoFrames {
  readonly #state: SimulationState;
  readonly #sampler: ThermoSampler;
  readonly #rows: PendingRows<ThermoFrame>;

  constructor(state: SimulationState, deliver: (frame: ThermoFrame) => void) {
    this.#state = state;
    this.#sampler = new ThermoSampler(state.get(gridKey), contextOf(state));
    this.#rows = new PendingRows(deliver);
  }

  /** Takes the row of the present step; outside of runs it is awaited. */
  add(): void | Promise<void> {
    const state = this.#state;
    const plan = state.find(planKey);
    const { volume } = state.get(gridKey).domain;
    const sampled = this.#sampler.sample({
      step: state.step,
      time: physicalTime(state),
      dt: plan?.dt,
      boltzmann: state.simulation.configuration.units.boltzmann,
      degrees: degreesOfFreedom(state),
      totals: state.get(ledgerKey).totals(),
    });
    const added = this.#rows.add(combined([sampled], ([row]) => ({ row: row!, volume })));
    return plan ? added : this.#rows.flush();
  }

  /** Waits for all rows. */
  flush(): Promise<void> {
    return this.#rows.flush();
  }

  /** Gives back what it holds. */
  close(): void {
    this.#sampler.close();
  }
}
