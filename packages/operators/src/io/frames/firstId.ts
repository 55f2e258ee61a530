import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/** What is added to ids for programs whose ids are positive: 1 where a particle has id 0, also one beside a group, else 0. */
export function firstIdShift({ id, count, hasIdZero }: ParticleFrame): 0 | 1 {
  if (hasIdZero) return 1;
  if (!id) return count > 0 ? 1 : 0;
  return id.includes(0) ? 1 : 0;
}
