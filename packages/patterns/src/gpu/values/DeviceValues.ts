import { joinDouble } from '@corpuscle/functor/wgsl';
import { settable } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { EngineValues } from '../../value/EngineValues.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { VALUE_BYTES, type ValueStore } from './ValueStore.js';

/** Makes what concerns values in the order of calls; steps that are made again make it again. */
export interface ValueRunner {
  readonly gpu: GpuDevice;
  readonly values: ValueStore;
  runValues(name: string, record: () => void): void;
  read<R>(name: string, record: () => PatternHandle<R>): PatternHandle<R>;
}

/** Values in memory of the device. */
export class DeviceValues implements EngineValues {
  readonly #runner: ValueRunner;
  readonly #first: number;
  readonly #count: number;

  constructor(runner: ValueRunner, initial: readonly number[]) {
    this.#runner = runner;
    this.#count = initial.length;
    this.#first = runner.values.take(initial.length);
    if (initial.every((number) => Object.is(number, 0))) this.#clear();
    else this.write(initial);
  }

  /** Where a number lies in the store. */
  parameter(k: number): number {
    return this.#first + k;
  }

  read(): PatternHandle<readonly number[]> {
    return this.#runner.read('read values', () => this.#copy());
  }

  write(numbers: readonly number[], at = 0): void {
    const kept = numbers.slice();
    const { values } = this.#runner;
    this.#runner.runValues('write values', () => values.upload(this.#first + at, kept));
  }

  #clear(): void {
    const { values } = this.#runner;
    this.#runner.runValues('clear values', () => values.clear(this.#first, this.#count));
  }

  free(): void {
    this.#runner.values.give(this.#first, this.#count);
  }

  /** Copies the numbers to where results of reductions wait for the host. */
  #copy(): PatternHandle<readonly number[]> {
    const { gpu, values } = this.#runner;
    let flush = (): void => {};
    const handle = settable<readonly number[]>(() => flush());
    const bytes = VALUE_BYTES * this.#count;
    const place = gpu.stream.result(bytes, {
      resolve: (data) => handle.resolve(numbersOf(data)),
      reject: (error) => handle.reject(error),
    });
    flush = () => place.flush();
    gpu.stream.copy(values.buffer, place.buffer, bytes, VALUE_BYTES * this.#first, place.offset);
    return handle;
  }
}

function numbersOf(data: ArrayBuffer): number[] {
  const parts = new Float32Array(data);
  const numbers: number[] = [];
  for (let k = 0; k < parts.length; k += 2) numbers.push(joinDouble(parts[k]!, parts[k + 1]!));
  return numbers;
}
