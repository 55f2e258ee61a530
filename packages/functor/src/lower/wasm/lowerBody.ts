import type { Expr, Stmt, Variable } from '../../ir.js';
import type { LaneValue } from './BodyEnv.js';
import { Lowering, type LowerOptions } from './Lowering.js';
import { lowerExpression } from './lowerExpression.js';
import { lowerStatements } from './lowerStatement.js';

/**
 * Lowers a functor's body into the open function of `builder`.
 *
 * Lanes run different pairs or particles through the same instructions. Conditions that are equal on all lanes are real branches;
 * others become masks: assignments blend, writes carry the mask, `break`, `continue` and `return` switch lanes off. Loops end when no
 * lane is left. A test whether any lane is left stands only before heavy branches. Helpers are inlined.
 *
 * In the one-lane form (`lanes: 1`) everything is scalar and every branch is real.
 *
 * Arithmetic is IEEE (no reassociation, no approximate division or root) unless `relaxed` fuses multiply-adds. Math.round, sign, trunc,
 * min, max and % are JavaScript's, NaN and −0 included, when `real` is f64. exp, log, pow, sin, cos and tanh are ours on every lane
 * count, within the bounds stated in `math/`.
 *
 * @example a kernel over n values, two at a time
 * const builder = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
 * builder.range(builder.param(1), builder.param(2), (k) => {
 *   lowerBody(functor.ir, { builder, lanes: 2, real: 'f64', env: environmentAt(k) });
 * }, 2);
 */
export function lowerBody(ir: { readonly body: readonly Stmt[] }, options: LowerOptions): void {
  const l = new Lowering(options);
  const variance = l.analysis.body(ir.body);
  l.builder.block((exit) => {
    const run = () => {
      l.frame = l.openFrame(variance, [], exit);
      lowerStatements(l, ir.body);
    };
    if (variance.returnsDiverge) l.inRegion(l.mask ?? l.ops.all, run);
    else run();
  });
}

/**
 * Computes hoisted values (`hoistUniform`) where the builder stands — before the loop — and returns them for
 * {@link LowerOptions.variables}, each as a scalar and as a vector.
 */
export function lowerPrologue(
  prologue: readonly { readonly variable: Variable; readonly value: Expr }[],
  options: LowerOptions,
): Map<string, LaneValue> {
  const values = new Map(options.variables);
  const l = new Lowering({ ...options, variables: values });
  for (const { variable, value } of prologue)
    values.set(variable.id, l.ops.keepBoth(lowerExpression(l, value)));
  return values;
}
