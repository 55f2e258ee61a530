import type { PairCall, Plan } from './calls.js';

/** The blocks of a grid that a pair call uses besides positions, by how it uses them. */
export interface PairBlocks {
  /** It reads them of the particle. */
  readonly read: ReadonlySet<string>;
  /** It reads them of neighbors. */
  readonly neighbors: ReadonlySet<string>;
  /** Outputs go there. */
  readonly added: ReadonlySet<string>;
}

/** The blocks of a pair functor that has been compiled. */
export function pairBlocks({
  grid,
  functor,
  outputs,
}: Pick<Plan<PairCall>, 'grid' | 'functor' | 'outputs'>): PairBlocks {
  const { i = {}, j = {} } = functor.ir!.roles;
  const blocksOf = (fields: readonly string[]) =>
    new Set(fields.map((field) => grid.field(field).block));
  return {
    read: blocksOf(Object.keys(i).filter((field) => outputs[field] === undefined)),
    neighbors: blocksOf(Object.keys(j)),
    added: blocksOf(
      Object.keys(outputs).filter((field) => /^(particles|both)$/.test(outputs[field]!)),
    ),
  };
}
