import type { WgslField } from '@corpuscle/functor/wgsl';
import { movesParticles } from '../../plan/refusals.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';

/** Positions cannot change while other threads read them. */
export function refuseMoves(
  functor: string,
  stored: readonly WgslField[],
  access: ParticleAccess,
): void {
  const moved = stored.find((field) => access.isPosition(field));
  if (moved) throw movesParticles(functor, moved.field);
}
