import { coldLanes, type VectorMath } from './VectorMath.js';

export const exp: VectorMath = (m, ...args) => coldLanes(m, 'exp', args, m.ops.none, m.ops.none);
