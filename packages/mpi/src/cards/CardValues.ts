import {
  completed,
  type EngineValues,
  type PatternHandle,
  type ResultPlaces,
} from '@corpuscle/patterns';
import type { CallOrder } from '@corpuscle/patterns/engines';

/** Numbers on a card that are read and written in the order of the calls of a rank. */
export class CardValues implements EngineValues {
  /** Those of the engine of the card. */
  readonly below: EngineValues;
  readonly #order: CallOrder;

  constructor(below: EngineValues, order: CallOrder) {
    this.below = below;
    this.#order = order;
  }

  parameter(k: number): number {
    return this.below.parameter(k);
  }
  read(): PatternHandle<readonly number[]> {
    return this.#order.run(
      () => null,
      () => this.below.read(),
    );
  }
  write(numbers: readonly number[], at?: number): void {
    this.#order.run(
      () => null,
      () => {
        this.below.write(numbers, at);
        return completed();
      },
    );
  }
  free(): void {
    this.#order.run(
      () => null,
      () => {
        this.below.free();
        return completed();
      },
    );
  }
}

/** The values of the engine of the card. */
export const belowOf = (values: EngineValues): EngineValues =>
  values instanceof CardValues ? values.below : values;

/** The same places there. */
export const placesBelow = (into: ResultPlaces | undefined): ResultPlaces | undefined =>
  into && { values: belowOf(into.values), at: into.at };
