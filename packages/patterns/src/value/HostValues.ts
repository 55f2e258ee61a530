import { completed } from '../handles/handles.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type { EngineValues } from './EngineValues.js';

/** Values of an engine that computes on the host. */
export class HostValues implements EngineValues {
  readonly numbers: Float64Array;

  constructor(initial: readonly number[]) {
    this.numbers = Float64Array.from(initial);
  }

  parameter(k: number): number {
    return this.numbers[k]!;
  }
  read(): PatternHandle<readonly number[]> {
    return completed(Array.from(this.numbers));
  }
  write(numbers: readonly number[], at = 0): void {
    this.numbers.set(numbers, at);
  }
  free(): void {}
}
