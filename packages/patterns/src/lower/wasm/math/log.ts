import { coldLanes, type VectorMath } from './VectorMath.js';

export const log: VectorMath = (m, ...args) => coldLanes(m, 'log', args, m.ops.none, m.ops.none);
