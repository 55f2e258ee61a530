export { givenParameter, withGiven } from '../fields/withGiven.js';
export { fieldUse } from '../passes/fieldUse.js';
export { flattenBranches } from '../passes/flattenBranches.js';
export { type Hoisted, hoistUniform } from '../passes/hoistUniform.js';
export { parity } from '../passes/parity.js';
export { printIR } from '../passes/printIR.js';
export { type OutputKind, sumOutputs } from '../passes/sumOutputs.js';
export {
  forEachExpression,
  forEachStatement,
  listsOf,
  mapOperands,
  mapStatement,
} from '../passes/walk.js';
export { withOutputs } from '../passes/withOutputs.js';
