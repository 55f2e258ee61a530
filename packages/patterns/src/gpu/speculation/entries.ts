import { passOutcome, type Settable } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { NeighborUpdate } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import type { FusedStep } from '../step/FusedStep.js';
import { type Entry, type SpeculationWindow, UpdateRecord } from './SpeculationWindow.js';

/** For whom something is done, and what it is. */
export interface Named {
  readonly operator: string;
  readonly name: string;
}

const NONE: readonly UpdateRecord[] = [];

/** What follows is recorded for this call, for errors and profiles. */
function enter(gpu: GpuDevice, { operator, name }: Named): void {
  gpu.operator = operator;
  gpu.operation = name;
}

/** A call that gives nothing to the host. */
export class CallEntry implements Entry {
  readonly updates = NONE;
  readonly #gpu: GpuDevice;
  readonly #info: Named;
  readonly #record: () => void;

  constructor(gpu: GpuDevice, info: Named, record: () => void) {
    this.#gpu = gpu;
    this.#info = info;
    this.#record = record;
  }

  record(): void {
    enter(this.#gpu, this.#info);
    this.#record();
  }
  deliver(): void {}
  fail(): void {}
}

/** A call with a result, which waits for the proof of the window. */
export class ResultEntry<R> implements Entry {
  readonly updates = NONE;
  /** Null where there is nothing to wait for. */
  result: Settable<R> | null = null;
  /** The result of the present attempt. */
  attempt: PatternHandle<R> | null = null;
  readonly #gpu: GpuDevice;
  readonly #info: Named;
  readonly #record: () => PatternHandle<R>;

  constructor(gpu: GpuDevice, info: Named, record: () => PatternHandle<R>) {
    this.#gpu = gpu;
    this.#info = info;
    this.#record = record;
  }

  record(): void {
    enter(this.#gpu, this.#info);
    if (this.result) this.attempt?.wait().catch(() => {}); // of an attempt that proved bad
    this.attempt = this.#record();
  }
  deliver(): void {
    if (this.result) passOutcome(this.attempt!, this.result);
  }
  fail(error: unknown): void {
    this.result?.reject(error);
  }
}

/** An update of the lists. */
export class UpdateEntry implements Entry {
  readonly updates: readonly [UpdateRecord];
  readonly #gpu: GpuDevice;
  readonly #call: ListUpdates;
  readonly #result: Settable<NeighborUpdate>;

  constructor(
    gpu: GpuDevice,
    window: SpeculationWindow,
    call: ListUpdates,
    result: Settable<NeighborUpdate>,
  ) {
    this.#gpu = gpu;
    this.#call = call;
    this.#result = result;
    this.updates = [new UpdateRecord(window, call)];
  }

  record(): void {
    const [update] = this.updates;
    enter(this.#gpu, this.#call);
    // Before a rebuild too: where every step rebuilds, a blow-up would not be seen.
    this.#call.note.record([], update.begin());
    if (update.rebuilds) update.rebuild(null);
  }
  deliver(found: (record: UpdateRecord) => NeighborUpdate): void {
    const update = found(this.updates[0]);
    this.#call.plan.onUpdate?.(update);
    this.#result.resolve(update);
  }
  fail(error: unknown): void {
    this.#result.reject(error);
  }
}

/** A step that is recorded as a whole. */
export class StepEntry implements Entry {
  readonly updates: readonly UpdateRecord[];
  readonly #step: FusedStep;

  constructor(window: SpeculationWindow, step: FusedStep) {
    this.#step = step;
    this.updates = step.updates.map((call) => new UpdateRecord(window, call));
  }

  record(): void {
    this.#step.record(this.updates);
  }
  deliver(found: (record: UpdateRecord) => NeighborUpdate): void {
    for (const record of this.updates) record.call.plan.onUpdate?.(found(record));
  }
  fail(): void {}
}
