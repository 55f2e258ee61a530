export { type BlockSpec, blockFunctor } from './blockFunctor.js';
export { type CellSpec, cellFunctor } from './cellFunctor.js';
export { compileWhenUsed } from './compileWhenUsed.js';
export { i32, real, u32 } from './conversions.js';
export {
  type NeighbourBuffer,
  type NeighbourhoodFunctor,
  type NeighbourhoodSpec,
  neighbourhoodFunctor,
} from './deprecatedNames.js';
export { type DerivativeOptions, derivativeOf, type NumberFunction } from './derivativeOf.js';
export { CorpuscleError, type ErrorCode, type SourceLocation } from './error/CorpuscleError.js';
export type {
  BlockFunctor,
  CellFunctor,
  Functor,
  FunctorFunction,
  NeighborhoodFunctor,
  PairFunctor,
  ReduceFunctor,
} from './Functor.js';
export type { CommonSpec, FunctorSpec } from './FunctorSpec.js';
export { type SyntaxMistake, syntaxMistake } from './frontend/syntaxMistake.js';
export { withFunctionText } from './functionText.js';
export type { Expr, FunctorIR, FunctorKind, HelperIR, Stmt } from './ir.js';
export { erfc } from './library/direct.js';
export type { JavaScriptEnv, LoweredJavaScript } from './lower/javascript/JavaScriptEnv.js';
export { lowerToJavaScript } from './lower/javascript/lowerToJavaScript.js';
export { mathImports } from './lower/wasm/mathImports.js';
export { lowerToWgsl } from './lower/wgsl/lowerToWgsl.js';
export type { LoweredWgsl, WgslEnv, WgslField, WgslOptions } from './lower/wgsl/WgslEnv.js';
export { type NeighborhoodSpec, neighborhoodFunctor } from './neighborhoodFunctor.js';
export { type PairSpec, pairFunctor } from './pairFunctor.js';
export { printIR } from './passes/printIR.js';
export { type ReduceSpec, reduceFunctor } from './reduceFunctor.js';
export type {
  ArrayView,
  BlockView,
  DerivedOutput,
  DerivedSchema,
  Displacement,
  Extreme,
  FieldSchema,
  FieldType,
  GradientSchema,
  Helper,
  HelperView,
  InitialValues,
  NeighborBuffer,
  ParamSchema,
  ParamType,
  ParamValues,
  PlainResults,
  ReduceOp,
  ResultOp,
  ResultSchema,
  ResultValues,
  SharedSchema,
  SharedType,
  WithDerived,
} from './schema.js';
export { type CellModule, cellToWasm } from './standalone/cellToWasm.js';
export { type ResolvedTraits, resolveTraits, type Traits } from './Traits.js';
export {
  type ValueFunctor,
  type ValueNames,
  type ValueSpec,
  valueFunctor,
} from './valueFunctor.js';
