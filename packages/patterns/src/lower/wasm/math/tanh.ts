import { coldLanes, type VectorMath } from './VectorMath.js';

export const tanh: VectorMath = (m, ...args) => coldLanes(m, 'tanh', args, m.ops.none, m.ops.none);
