import { CorpuscleError } from '@corpuscle/core';
import { sumOutputs } from '@corpuscle/functor/passes';
import type { WgslField } from '@corpuscle/functor/wgsl';
import type { TileRequest } from './tileSource.js';

/** Tiles are met by several workgroups, whose sums are added. @throws CorpuscleError INVALID_VALUE for other outputs. */
export function refuseOutputs(
  { functor, ir }: Pick<TileRequest, 'functor' | 'ir'>,
  written: readonly WgslField[],
): void {
  const refuse = (why: string) => {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' ${why}, so it cannot meet all pairs in tiles on the GPU: use lists, or enableGpu: false`,
    );
  };
  const kinds = sumOutputs(ir);
  for (const { field } of written)
    if (functor.spec.wgsl === undefined && kinds.get(field) === 'general')
      refuse(`does more than add to its output '${field}'`);
  if (written.some(({ type }) => type === 'i32' || type === 'u32'))
    refuse('has outputs that are no reals');
}
