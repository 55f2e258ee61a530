import type { FieldBlock, Grid } from '@corpuscle/core';
import { completed, type Device, type DeviceProfile, type TraceSlice } from '@corpuscle/patterns';
import type { StepOrder } from './StepOrder.js';

/** The device of a card, as the calls of a rank see it: what is asked of it comes in their order. */
export class CardDevice implements Device {
  readonly #below: Device;
  readonly #order: StepOrder;
  readonly #failure: () => unknown;

  /** @param failure the error of a call, after which no other can be made */
  constructor(below: Device, order: StepOrder, failure: () => unknown) {
    this.#below = below;
    this.#order = order;
    this.#failure = failure;
  }

  get operator(): string {
    return this.#below.operator;
  }
  set operator(name: string) {
    this.#below.operator = name;
  }
  get counters() {
    return this.#below.counters;
  }
  get idle(): boolean {
    return this.#order.idle && this.#below.idle;
  }
  async started(): Promise<void> {
    await this.#order.reached();
    await this.#below.started();
    const failure = this.#failure();
    if (failure !== null) throw failure;
  }
  async finished(): Promise<void> {
    await this.#order.settled();
    await this.started();
    await this.#below.finished();
  }
  async newestOnHost(blocks: readonly FieldBlock[], grid?: Grid): Promise<void> {
    await this.#inOrder(() => this.#below.newestOnHost(blocks, grid));
  }
  async fetchCells(grid: Grid): Promise<void> {
    await this.#inOrder(() => this.#below.fetchCells(grid));
  }
  async startAnew(grid: Grid): Promise<void> {
    await this.#inOrder(async () => this.#below.startAnew?.(grid));
  }
  startProfile(by?: 'operators' | 'kernels'): void {
    this.#below.startProfile(by);
  }
  profile(): Promise<DeviceProfile> {
    return this.#below.profile();
  }
  trace(told: (slice: TraceSlice) => void): void {
    this.#below.trace?.(told);
  }

  async #inOrder(task: () => Promise<void>): Promise<void> {
    await this.#order.run(task, () => completed());
  }
}
