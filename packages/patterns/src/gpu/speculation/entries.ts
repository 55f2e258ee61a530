import type { Domain } from '@corpuscle/core';
import { passOutcome, type Settable } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, NeighborUpdate } from '../../plan/calls.js';
import type { Recordable } from '../calls/DeviceCall.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import { type Entry, type SpeculationWindow, UpdateRecord } from './SpeculationWindow.js';

const NONE: readonly UpdateRecord[] = [];

/** A call; its result, if the device gives one, waits for the proof of the window. */
export class CallEntry<R> implements Entry {
  readonly updates = NONE;
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
  record(records: readonly UpdateRecord[], boxes: readonly Domain[]): void;
  /**
   * Records it once more as it was recorded last, but for the record of its one update, which follows that of the last.
   * @returns whether that can be: nothing else has been recorded since.
   */
  repeat?(): boolean;
}

/** Records something once more where it can be, and its update only notes displacements. */
function repeats(what: Updating, record: UpdateRecord): boolean {
  if (!record.window.onlyNotesNext || !what.repeat?.()) return false;
  record.window.update(record);
  return true;
}

/** Updates of the lists and what is recorded with them; a step with one update may be there many times, one after the other. */
export class UpdatesEntry implements Entry {
  readonly updates: UpdateRecord[];
  readonly #what: Updating;
  readonly #boxes: readonly Domain[];
  /** Of an update that is alone. */
  readonly #result: Settable<NeighborUpdate> | null;

  constructor(
    window: SpeculationWindow,
    what: Updating,
    boxes: readonly Domain[],
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
    for (let k = 0; k < updates.length; k += each) {
      const records = each === updates.length ? updates : updates.slice(k, k + each);
      if (k === 0 || !repeats(what, records[0]!)) what.record(records, this.#boxes);
    }
  }

  /** The same once more at the end of the window. @returns false where it must be recorded anew */
  takesOneMore(what: Updating): boolean {
    if (what !== this.#what) return false;
    const record = new UpdateRecord(this.updates[0]!.window, what.updates[0]!);
    if (!repeats(what, record)) return false;
    this.updates.push(record);
    return true;
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
