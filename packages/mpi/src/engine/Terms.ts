import { Grid } from '@corpuscle/core';
import type { HostEngine, ReduceCall } from '@corpuscle/patterns';
import { termOf, termsOf } from './termsOf.js';

/** What particles add to sums, in a grid beside theirs, so that these have no fields more. */
export class Terms {
  readonly #grid: Grid;
  readonly #terms: Grid;

  constructor(grid: Grid) {
    this.#grid = grid;
    this.#terms = new Grid(grid.heap, grid.domain);
    grid.onFree(() => this.#terms.free());
  }

  /** What each particle adds to the sums of a reduction, a column a sum; null where it does more than to add. */
  of(engine: HostEngine, call: ReduceCall, sums: readonly string[]): Float64Array[] | null {
    const functor = termsOf(call.functor, sums);
    const { spec } = call.functor;
    if (!functor || spec.kind !== 'reduce') return null;
    engine.finish();
    const { count } = this.#grid;
    const terms = this.#terms;
    if (terms.count !== count) terms.resize(count);
    for (const name of new Set(Object.keys(spec.read).map((one) => this.#grid.field(one).block))) {
      const { array, spec: block } = this.#grid.block(name);
      const copy = terms.addBlock(block);
      (copy.array as Float64Array).set(array.subarray(0, count * block.width) as Float64Array);
      copy.hostWritten();
    }
    const columns = sums.map((sum) => {
      const name = termOf(sum);
      const block = terms.addBlock({ name, type: 'f64', width: 1, members: [name] });
      block.array.fill(0 as never);
      block.hostWritten();
      return block;
    });
    const { params } = call;
    const made = { functor, grid: terms, params, asynchronous: false };
    engine.prepareCells(made).run(made);
    engine.finish();
    return columns.map(({ array }) => array.subarray(0, count) as Float64Array);
  }
}
