import type { SimulationState } from '@corpuscle/core';
import type { PreparedCall } from '@corpuscle/patterns';

/** A prepared call that is made again when the run has other particles, bonds or lists (`SimulationState.renewCalls`). */
export class RenewedCall<P = object, R = unknown> {
  readonly #state: SimulationState;
  readonly #make: () => PreparedCall<P, R>;
  #call: PreparedCall<P, R> | null = null;
  #version = -1;

  constructor(state: SimulationState, make: () => PreparedCall<P, R>) {
    this.#state = state;
    this.#make = make;
  }

  /** The call as it is to be made now. */
  get current(): PreparedCall<P, R> {
    const { callsVersion } = this.#state;
    if (this.#call && this.#version === callsVersion) return this.#call;
    this.#call?.close();
    this.#call = this.#make();
    this.#version = callsVersion;
    return this.#call;
  }

  close(): void {
    this.#call?.close();
    this.#call = null;
  }
}
