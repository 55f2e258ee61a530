import { coldLanes, type VectorMath } from './VectorMath.js';

export const hypot: VectorMath = (m, ...args) =>
  coldLanes(m, 'hypot', args, m.ops.none, m.ops.none);
