import type { Prescription } from '../../box/Prescription.js';
import { passOutcome, type Settable } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, NeighborUpdate } from '../../plan/calls.js';
import type { Recordable } from '../calls/DeviceCall.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import { type Entry, type SpeculationWindow, UpdateRecord } from './SpeculationWindow.js';

/** A call; its result, if the device gives one, waits for the proof of the window. */
export class CallEntry<R> implements Entry {
  readonly updates: readonly UpdateRecord[] = [];
  /** Null where there is nothing to wait for. */
  result: Settable<R> | null = null;
  /** The result of the present attempt. */
  attempt: PatternHandle<R> | null = null;
  readonly #gpu: GpuDevice;
  readonly #call: Recordable<R>;
  readonly #args: CallArguments;

  constructor(gpu: GpuDevice, call: Recordable<R>, args: CallArguments) {
    this.#gpu = gpu;
    this.#call = call;
    this.#args = args;
  }

  record(): void {
    this.#gpu.enter(this.#call);
    if (this.result) this.attempt?.wait().catch(() => {}); // of an attempt that proved bad
    this.attempt = this.#call.record(this.#args);
  }
  deliver(): void {
    if (this.result) passOutcome(this.attempt!, this.result);
  }
  fail(error: unknown): void {
    this.result?.reject(error);
  }
}

/** What holds updates of the lists: one alone, or a step that is recorded as a whole. */
export interface Updating {
  readonly updates: readonly ListUpdates[];
  /** @param records of its updates, in their order. @param boxes that it prescribes. */
  record(records: readonly UpdateRecord[], boxes: readonly Prescription[]): void;
  /** Records it once more as it was recorded last, up to `most` times, where that can be: nothing else has been recorded since. */
  repeat?(again: UpdatesEntry, most: number): number;
}

/** Updates of the lists and what is recorded with them; a step with one update may be there many times, one after the other. */
export class UpdatesEntry implements Entry {
  readonly updates: UpdateRecord[];
  /** The update that is next. */
  #at = 0;
  readonly #what: Updating;
  readonly #boxes: readonly Prescription[];
  /** Of an update that is alone. */
  readonly #result: Settable<NeighborUpdate> | null;

  constructor(
    window: SpeculationWindow,
    what: Updating,
    boxes: readonly Prescription[],
    result: Settable<NeighborUpdate> | null = null,
  ) {
    this.updates = what.updates.map((call) => new UpdateRecord(window, call));
    this.#what = what;
    this.#boxes = boxes;
    this.#result = result;
  }

  record(): void {
    const what = this.#what;
    const { updates } = this;
    const each = what.updates.length;
    for (let k = 0; k < updates.length; ) {
      const made = k === 0 ? 0 : this.#repeat(k, updates.length - k);
      if (made === 0)
        what.record(each === updates.length ? updates : updates.slice(k, k + each), this.#boxes);
      k += made || each;
    }
  }

  /** The same again at the end of the window. @returns how often; 0 where it must be recorded anew */
  takesMore(what: Updating, most: number): number {
    const { length } = this.updates;
    return what === this.#what && length > 0 ? this.#repeat(length, most) : 0;
  }

  #repeat(from: number, most: number): number {
    this.#at = from;
    return this.#what.repeat?.(this, most) ?? 0;
  }

  /** Goes on to the next. @param votes whether the device decides when it builds lists. @returns where its update notes displacements */
  next(votes = false): DisplacementTarget {
    const { window, call } = this.updates[0]!;
    const { updates } = this;
    const at = this.#at++;
    if (at === updates.length) updates.push(new UpdateRecord(window, call));
    return window.update(updates[at]!, votes);
  }

  /** The update before. */
  get latest(): UpdateRecord {
    return this.updates[this.#at - 1]!;
  }

  deliver(found: (record: UpdateRecord) => NeighborUpdate): void {
    for (const record of this.updates) {
      const update = found(record);
      record.call.plan.onUpdate?.(update);
      this.#result?.resolve(update);
    }
  }
  fail(error: unknown): void {
    this.#result?.reject(error);
  }
}
