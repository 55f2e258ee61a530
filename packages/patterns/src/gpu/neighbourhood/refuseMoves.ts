import { CorpuscleError } from '@corpuscle/core';
import type { WgslField } from '@corpuscle/functor/wgsl';
import type { ParticleAccess } from '../pattern/ParticleAccess.js';

/** Positions cannot change while other threads read them. */
export function refuseMoves(
  functor: string,
  stored: readonly WgslField[],
  access: ParticleAccess,
): void {
  const moved = stored.find((field) => access.isPosition(field));
  if (!moved) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `functor '${functor}' moves particles ('${moved.field}') while their neighbours are read: write to another field and move them with a cell functor`,
  );
}
