import { fieldUse } from '@corpuscle/functor/passes';
import type { EngineStep, StepCall } from '@corpuscle/patterns';
import type { StepOrder } from './StepOrder.js';
import type { CellsOfStep } from './stepParts.js';

/**
 * The end of a step and the beginning of the next one, calls of cell functors both, which the card joins to one kernel:
 *
 *   step   drift │ lists, zero, pairs │ kick                drift │ …
 *   made   drift    lists, zero, pairs  (put off)   kick + drift    …
 */
export class StepBoundary {
  readonly #order: StepOrder;
  readonly #begins: readonly CellsOfStep[];
  readonly #ends: readonly CellsOfStep[];
  /** The calls of the card. */
  readonly calls: readonly StepCall[];
  readonly #joined: EngineStep;
  readonly #end = (): void => this.#ends.forEach(({ call, args }) => void call.run(args));

  /** @param prepare makes calls of the card one step. */
  constructor(
    order: StepOrder,
    begins: readonly CellsOfStep[],
    ends: readonly CellsOfStep[],
    prepare: (calls: readonly StepCall[]) => EngineStep,
  ) {
    this.#order = order;
    this.#begins = begins;
    this.#ends = ends;
    this.calls = [...ends, ...begins].map(({ call, args }) => ({ call: call.below, args }));
    this.#joined = prepare(this.calls);
  }

  /** Makes the beginning of a step. @returns the calls of the end of the one before with it, where that is still to be made */
  begin(): EngineStep | null {
    if (this.#order.take(this.#end)) return this.#joined;
    for (const { call, args } of this.#begins) call.run(args);
    return null;
  }

  /** Puts the end of a step off. What it writes counts as newer on the card from now on, so that the host waits for the card before it reads. */
  end(): void {
    for (const { call } of this.#ends) {
      const { functor, grid } = call.plan;
      for (const name of fieldUse(functor.ir!).writes.get('i') ?? [])
        if (grid.hasField(name)) grid.block(grid.field(name).block).deviceWritten();
    }
    this.#order.leave(this.#end);
  }

  close(): void {
    this.#joined.close();
  }
}
