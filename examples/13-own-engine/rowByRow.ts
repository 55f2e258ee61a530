import {
  CallByCallEngine,
  type CellCall,
  completed,
  type EngineRegistration,
  type FunctorFacts,
} from '@corpuscle/patterns';

/*
 * An engine that takes cell functors and calls them as they are, one particle after the other. It refuses all else, and the
 * CPU takes it.
 *
 *   corpuscle run run.yaml --import rowByRow.ts --backend row_by_row
 */
class RowByRow extends CallByCallEngine {
  readonly name = 'row_by_row';
  readonly description = 'functors as they are, on one thread';
  readonly precisions = ['f64'] as const;

  refuses({ kind }: FunctorFacts): string | null {
    return kind === 'cell' ? null : `it has no ${kind} functors`;
  }

  override computeCellParticles({ functor, grid, params }: CellCall) {
    const columns = Object.keys(functor.ir!.roles.i ?? {}).map((name) => {
      const { block, component } = grid.field(name);
      return { name, component, block: grid.block(block) };
    });
    for (let row = 0; row < grid.count; row++) {
      const particle: Record<string, number> = {};
      for (const { name, block, component } of columns)
        particle[name] = Number(block.array[row * block.spec.width + component]);
      functor.invoke(particle, params);
      for (const { name, block, component } of columns)
        block.array[row * block.spec.width + component] = particle[name]!;
    }
    for (const { block } of columns) block.hostWritten();
    return completed();
  }
}

/** `--import` registers what a module exports; a program calls registerEngine(rowByRow). */
export const rowByRow: EngineRegistration = {
  name: 'row_by_row',
  open: async () => new RowByRow(),
};
