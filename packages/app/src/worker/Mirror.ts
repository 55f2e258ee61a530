import { type FieldBlock, Grid } from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';

/** A copy of particles that are on the CPU, in a context that can draw them. */
export class Mirror {
  readonly grid: Grid;
  readonly #source: Grid;

  constructor(source: Grid, context: ExecutionContext) {
    this.#source = source;
    this.grid = new Grid(context.heap, source.domain);
    this.update();
  }

  /** Takes the particles over as they are now. Not after the source has been freed. */
  update(): void {
    const source = this.#source;
    this.grid.domain = source.domain;
    if (this.grid.count !== source.count) this.grid.resize(source.count);
    for (const block of source.blocks.values())
      copy(block, this.grid.addBlock(block.spec), source.count);
  }
}

function copy(from: FieldBlock, to: FieldBlock, rows: number): void {
  const length = rows * from.spec.width;
  if (from.array instanceof BigUint64Array)
    (to.array as BigUint64Array).set(from.array.subarray(0, length));
  else (to.array as Float64Array).set(from.array.subarray(0, length));
  to.rewritten();
}
