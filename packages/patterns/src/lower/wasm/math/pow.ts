import { coldLanes, type VectorMath } from './VectorMath.js';

export const pow: VectorMath = (m, ...args) => coldLanes(m, 'pow', args, m.ops.none, m.ops.none);
