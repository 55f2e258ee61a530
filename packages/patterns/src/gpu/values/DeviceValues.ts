import { joinDouble } from '@corpuscle/functor/wgsl';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { EngineValues } from '../../value/EngineValues.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { copiedResult } from '../device/PendingResult.js';
import { VALUE_BYTES, type ValueStore } from './ValueStore.js';

/** Values in memory of the device. */
export class DeviceValues implements EngineValues {
  readonly #runner: CallRunner;
  readonly #first: number;
  readonly #count: number;

  constructor(runner: CallRunner, initial: readonly number[]) {
    this.#runner = runner;
    this.#count = initial.length;
    this.#first = runner.gpu.values.take(initial.length);
    if (initial.every((number) => Object.is(number, 0))) this.#clear();
    else this.write(initial);
  }

  /** Where a number lies in the store. */
  parameter(k: number): number {
    return this.#first + k;
  }

  read(): PatternHandle<readonly number[]> {
    return this.#runner.runOther('read values', () => this.#copy());
  }

  write(numbers: readonly number[], at = 0): void {
    const kept = numbers.slice();
    this.#set('write values', () => this.#store.upload(this.#first + at, kept));
  }

  #clear(): void {
    this.#set('clear values', () => this.#store.clear(this.#first, this.#count));
  }

  #set(name: string, set: () => void): void {
    this.#runner.runOther(name, () => {
      set();
      return completed();
    });
  }

  get #store(): ValueStore {
    return this.#runner.gpu.values;
  }

  free(): void {
    this.#store.give(this.#first, this.#count);
  }

  /** Copies the numbers to where results of reductions wait for the host. */
  #copy(): PatternHandle<readonly number[]> {
    const { stream } = this.#runner.gpu;
    const [bytes, offset] = [VALUE_BYTES * this.#count, VALUE_BYTES * this.#first];
    return copiedResult(stream, { buffer: this.#store.buffer, bytes, offset }, numbersOf);
  }
}

function numbersOf(data: ArrayBuffer): number[] {
  const parts = new Float32Array(data);
  const numbers: number[] = [];
  for (let k = 0; k < parts.length; k += 2) numbers.push(joinDouble(parts[k]!, parts[k + 1]!));
  return numbers;
}
