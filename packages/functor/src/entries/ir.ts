export { fromValues } from '../fields/fromValues.js';
export { type IndexField, isIndexField } from '../fields/indexFields.js';
export type {
  ArithmeticOp,
  BitOp,
  CompareOp,
  Expr,
  FunctorIR,
  FunctorKind,
  HelperIR,
  MathName,
  RoleField,
  RoleName,
  Stmt,
  ValueType,
  Variable,
  WriteOp,
} from '../ir.js';
export {
  isStructured,
  type Reduction,
  type ResultRecord,
  reductionOf,
} from '../reduction/Reduction.js';
export { plainResults } from '../reduction/resultSlots.js';
export { initialRecord, valuesOf } from '../reduction/resultValues.js';
