import type { SimulationState } from '@corpuscle/core';
import { type ContextValue, type PreparedCall, prepareReduction } from '@corpuscle/patterns';
import { degreesOfFreedom } from '../integrators/degreesOfFreedom.js';
import { contextOf, gridKey, ledgerKey } from '../run/stateKeys.js';
import { kineticTensor } from '../run/thermo/kineticTensor.js';
import type { Tensor } from '../run/thermo/thermoRow.js';

const NOTHING = { xx: 0, yy: 0, zz: 0, xy: 0, xz: 0, yz: 0, fastest2: 0 } as const;

/** Measures what a pressure is made of: the kinetic tensor and the virial of the present forces. */
export class PressureMeter {
  readonly #state: SimulationState;
  readonly #tensor: ContextValue<keyof typeof NOTHING>;
  #call: PreparedCall<object, unknown> | null = null;
  #version = -1;

  constructor(state: SimulationState) {
    this.#state = state;
    this.#tensor = contextOf(state).value(NOTHING);
  }

  /** Σ m v_a v_b: xx, yy, zz, xy, xz, yz. */
  async kinetic(): Promise<Tensor> {
    const state = this.#state;
    if (this.#version !== state.callsVersion) {
      this.#call?.close();
      const into = this.#tensor;
      this.#call = prepareReduction(state.get(gridKey), kineticTensor, {}, contextOf(state), {
        into,
      });
      this.#version = state.callsVersion;
    }
    this.#call!.run();
    const { xx, yy, zz, xy, xz, yz } = await this.#tensor.read();
    return [xx, yy, zz, xy, xz, yz];
  }

  /** Σ d_a F_b, in the same order. */
  async virial(): Promise<Tensor> {
    return (await this.#state.get(ledgerKey).totals()).virial;
  }

  /** The diagonal of the pressure tensor, and kT by the motion. */
  async pressure(): Promise<{ readonly diagonal: [number, number, number]; readonly kT: number }> {
    const { domain } = this.#state.get(gridKey);
    const [k, w] = await Promise.all([this.kinetic(), this.virial()]);
    const at = (n: 0 | 1 | 2) => (k[n] + w[n]) / domain.volume;
    return {
      diagonal: [at(0), at(1), at(2)],
      kT: (k[0] + k[1] + k[2]) / degreesOfFreedom(this.#state),
    };
  }

  /** Gives back what it holds. */
  close(): void {
    this.#call?.close();
    this.#tensor.close();
  }
}
