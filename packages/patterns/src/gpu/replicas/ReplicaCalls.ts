import {
  type CapturedDispatch,
  type HeldCommand,
  type HeldResult,
  isDispatch,
} from '../device/DispatchCapture.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { KernelBuffer } from '../device/GpuKernel.js';
import { HELD_VALUES } from '../resident/residentSource.js';
import { Participants, ReplicaKernel } from './ReplicaKernel.js';
import type { ReplicaMemory } from './ReplicaMemory.js';
import type { ReplicaSlot } from './ReplicaSlot.js';
import { OWN } from './ReplicaSteps.js';
import { rowBytes } from './replicaSource.js';

const VALUES: KernelBuffer = { name: 'values', type: 'array<vec2f>', access: 'read_write' };

/** A call of replicas, and the names that its buffers have in memory of all. */
interface SharedCall {
  readonly kernel: ReplicaKernel;
  readonly places: readonly KernelBuffer[];
}

/**
 * What replicas have asked of the device since their last steps, such as sums of a row and the values that the host reads: those of all
 * are one dispatch each, and one read.
 */
export class ReplicaCalls {
  readonly #gpu: GpuDevice;
  readonly #memory: ReplicaMemory;
  readonly #known = new Map<string, readonly SharedCall[]>();

  constructor(gpu: GpuDevice, memory: ReplicaMemory) {
    this.#gpu = gpu;
    this.#memory = memory;
  }

  /** Makes the calls of these replicas. Those that have made others than the first make theirs by themselves. */
  make(slots: readonly ReplicaSlot[]): void {
    const keys = slots.map(({ held }) => keyOf(held));
    const key = keys.find((one) => one !== '');
    if (!key) return;
    this.#reserve(slots, this.#known.get(key));
    // Where room had to be made all have their buffers, and no call waits any more.
    const alike = slots.filter(({ held }, k) => keys[k] === key && held.length > 0);
    for (const [k, slot] of slots.entries()) if (keys[k] !== key) slot.giveBack();
    if (alike.length === 0) return;
    const calls = this.#callsOf(key, alike[0]!);
    if (calls.every(({ kernel }) => kernel.fits)) this.#makeAlike(calls, alike);
    else for (const slot of alike) slot.giveBack();
  }

  /** Room for buffers that are not there. @param calls with the places of most of them */
  #reserve(slots: readonly ReplicaSlot[], calls: readonly SharedCall[] | undefined): void {
    const memory = this.#memory;
    memory.reserve(VALUES, HELD_VALUES);
    for (const slot of slots)
      for (const [n, one] of slot.held.filter(isDispatch).entries())
        for (const [b, given] of one.kernel.source.buffers.entries()) {
          const buffer = bufferOf(one, b, slot);
          const place = calls?.[n]?.places[b] ?? given;
          if (buffer === slot.values || slot.has(place.name, buffer) || slot.placeOf(buffer))
            continue;
          memory.reserve(place, Math.floor(buffer.size / rowBytes(place)));
        }
  }

  #callsOf(key: string, slot: ReplicaSlot): readonly SharedCall[] {
    let calls = this.#known.get(key);
    if (!calls) {
      const dispatches = slot.held.filter(isDispatch);
      calls = dispatches.map((one, k) => {
        const places = one.kernel.source.buffers.map((given, n) => {
          const buffer = bufferOf(one, n, slot);
          const own = buffer === slot.values ? VALUES.name : given.name;
          return { ...given, name: slot.placeOf(buffer) ?? own };
        });
        const names = new Map(
          one.kernel.source.buffers.map(({ name }, n) => [name, places[n]!.name]),
        );
        const setting = {
          ...{ gpu: this.#gpu, memory: this.#memory, kind: `calls ${this.#known.size}` },
          place: (name: string) => names.get(name) ?? name,
        };
        return { kernel: new ReplicaKernel(setting, one.kernel.source, `call ${k}`), places };
      });
      this.#known.set(key, calls);
    }
    return calls;
  }

  #makeAlike(calls: readonly SharedCall[], slots: readonly ReplicaSlot[]): void {
    const who = new Participants(slots);
    const held = slots.map((slot) => slot.takeHeld());
    const dispatches = held.map((all) => all.filter(isDispatch));
    for (const [n, { kernel }] of calls.entries())
      kernel.setParameters(who, (record, at, k) => record.take(dispatches[k]![n]!.params, at));
    let next = 0;
    let results: HeldResult[][] = [];
    for (const [n, first] of held[0]!.entries())
      if (isDispatch(first)) {
        this.#read(who, results);
        results = [];
        const call = calls[next]!;
        for (const [k, slot] of slots.entries())
          for (const [b, place] of call.places.entries())
            takeFor(slot, place, bufferOf(dispatches[k]![next]!, b, slot));
        call.kernel.dispatch(who, first.groups);
        next++;
      } else results.push(held.map((all) => all[n] as HeldResult));
    this.#read(who, results);
  }

  /** Reads values of all replicas. @param results of each replica, one after the other */
  #read({ slots, count }: Participants, results: readonly (readonly HeldResult[])[]): void {
    if (results.length === 0) return;
    for (const slot of slots) slot.take(VALUES, slot.values);
    const stride = this.#memory.rowsOf(VALUES.name) * rowBytes(VALUES);
    const readback = this.#gpu.stream.read(this.#memory.of(VALUES.name), count * stride);
    for (const one of results.flat()) one.flush = readback.flush;
    const tell = (told: (result: HeldResult, at: number) => void) => {
      for (const each of results)
        for (const [k, { number }] of slots.entries())
          told(each[k]!, number * stride + each[k]!.offset);
    };
    readback.data.then(
      (data) => tell(({ receiver, bytes }, at) => receiver.resolve(data.slice(at, at + bytes))),
      (error: unknown) => tell(({ receiver }) => receiver.reject(error)),
    );
  }
}

/** A buffer that a dispatch binds. */
const bufferOf = ({ buffers }: CapturedDispatch, n: number, slot: ReplicaSlot): GPUBuffer =>
  buffers[n] ?? slot.values;

/** What workgroups leave for the next dispatch is nobody's. */
function takeFor(slot: ReplicaSlot, place: KernelBuffer, buffer: GPUBuffer): void {
  if (OWN.includes(place.name)) return;
  slot.take(place, buffer);
  if (place.access === 'read_write') slot.wrote(place.name, buffer);
}

/** The same for calls that may be one dispatch each. */
const keyOf = (held: readonly HeldCommand[]): string =>
  held
    .map((one) =>
      isDispatch(one) ? `${one.kernel.number} ${one.groups}` : `values ${one.offset} ${one.bytes}`,
    )
    .join();
