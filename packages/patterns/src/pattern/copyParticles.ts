import {
  type BlockArray,
  type BlockSpec,
  CorpuscleError,
  type FieldBlock,
  type Grid,
} from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { type BlockCopy, copyOnHost, numbersOf } from '../engine/blockCopy.js';
import type { SharedCopy } from '../engine/HostEngine.js';
import { combined } from '../handles/combined.js';
import { completed } from '../handles/handles.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import { fetchNewest } from './dispatch.js';

/** Particles as they were at a call, in plain data that can be sent to another thread. */
export interface ParticleCopy {
  readonly count: number;
  /** Rows a, b, c of the box; nine numbers. */
  readonly matrix: readonly number[];
  readonly origin: readonly number[];
  readonly periodic: readonly [boolean, boolean, boolean];
  /** Rows as they are where they come from; `copiedRows` gives their numbers. */
  readonly blocks: ReadonlyMap<string, { readonly spec: Pick<BlockSpec, 'type' | 'width'> }>;
}

/**
 * Copies blocks of a grid in the order of calls; steps go on meanwhile. `whenDone` tells when the copy has come.
 * @param spare a copy that is not needed any more: its memory may be used again
 * @throws CorpuscleError UNKNOWN_FIELD where the grid has no such block; CLOSED.
 * @example
 * const copy = await whenDone(copyParticles(grid, ctx, ['position', 'id']));
 * const rows = copiedRows(copy, 'position'); // x, y, z and a spare number for each particle
 */
export function copyParticles(
  grid: Grid,
  ctx: ExecutionContext,
  blockNames: readonly string[],
  spare?: ParticleCopy,
): PatternHandle<ParticleCopy> {
  if (ctx.closed)
    throw new CorpuscleError('CLOSED', 'the execution context is closed: make a new one');
  ctx.enter();
  const blocks = blockNames.map((name) => grid.block(name));
  const { count, domain } = grid;
  const memoryOf = ({ spec }: FieldBlock) =>
    (spare?.blocks.get(spec.name) as BlockCopy | undefined)?.parts ?? [];
  let shared: SharedCopy | null = null;
  const { host, accelerator } = ctx.engines;
  const device = accelerator?.device;
  const copies = ctx.order.run<readonly BlockCopy[]>(
    () => {
      host.finish(blocks);
      return !device || device.copyBlocks ? null : fetchNewest(device, blocks, grid);
    },
    () => {
      shared = host.copyShared?.(grid, blocks) ?? null;
      if (shared) return completed(copiesOf(shared, blocks));
      const onHost = () => completed(blocks.map((one) => copyOnHost(one, count, memoryOf(one)[0])));
      return device?.copyBlocks?.(blocks, count, memoryOf) ?? onHost();
    },
  );
  return combined([copies], ([all]) => {
    const { matrix, origin, periodic } = shared?.domain ?? domain;
    return {
      count: shared?.count ?? count,
      ...{ matrix: [...matrix], origin: [...origin], periodic },
      blocks: new Map(blockNames.map((name, k) => [name, all![k]!])),
    };
  });
}

const copiesOf = ({ count, rows }: SharedCopy, blocks: readonly FieldBlock[]): BlockCopy[] =>
  blocks.map(({ spec: { type, width } }, k) => ({
    ...{ rows: count, spec: { type, width } },
    ...{ encoding: { kind: 'host' }, parts: [rows[k]!] },
  }));

/** The numbers of a copied block, row after row, as `grid.block(name).array` has them. @throws CorpuscleError UNKNOWN_FIELD */
export function copiedRows(copy: ParticleCopy, blockName: string): BlockArray {
  const block = copy.blocks.get(blockName);
  if (block) return numbersOf(block as BlockCopy);
  throw new CorpuscleError(
    'UNKNOWN_FIELD',
    `the block '${blockName}' has not been copied (copied: ${[...copy.blocks.keys()].join(', ')})`,
  );
}
