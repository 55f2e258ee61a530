import { v128 } from '../ops.js';
import type { WasmNode } from '../WasmNode.js';
import { coldLanes, type VectorMath } from './VectorMath.js';

export const remainder: VectorMath = (m, a, b) =>
  coldLanes(
    m,
    'remainder',
    [a as WasmNode, b as WasmNode],
    m.ops.none,
    v128.and(a as WasmNode, m.ops.none),
  );
