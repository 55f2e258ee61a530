import { coldLanes, type VectorMath } from './VectorMath.js';

export const sin: VectorMath = (m, ...args) => coldLanes(m, 'sin', args, m.ops.none, m.ops.none);
export const cos: VectorMath = (m, ...args) => coldLanes(m, 'cos', args, m.ops.none, m.ops.none);
