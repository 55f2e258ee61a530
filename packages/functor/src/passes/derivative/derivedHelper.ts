import type { Expr, HelperIR, Stmt, Variable } from '../../ir.js';
import { forEachStatement } from '../walk.js';
import { number, product } from './algebra.js';
import { HelperTangents } from './HelperTangents.js';
import { namer } from './namer.js';
import { Tangents } from './Tangents.js';
import { tidy } from './tidy.js';

/** A helper of the same parameters, and the tangents of other helpers that it calls. */
export interface DerivedHelper {
  readonly helper: HelperIR;
  readonly callees: readonly HelperIR[];
  /** Whether the result depends on the parameter at all. */
  readonly depends: boolean;
}

/** `factor` times the derivative of a helper's one result by its parameter number `by`. */
export function derivedHelper(
  source: HelperIR,
  by: number,
  factor: number,
  resultName: string,
): DerivedHelper {
  const { params, body } = source;
  const fresh = namer(params, body);
  const helpers = new HelperTangents();
  const parameter = params[by]!;
  const seed = fresh(`${parameter.id}_t`);
  const input: Expr = isAssigned(body, parameter)
    ? { kind: 'variable', type: 'real', variable: seed }
    : number(1);
  const inputs = new Map([[parameter, input]]);
  const tangents = new Tangents({ body, name: fresh, helpers, inputs });
  let depends = false;
  const list = tangents.list(body, (s): Stmt[] => {
    if (s.kind !== 'return') return [s];
    const [tangent] = s.values.map(tangents.tangentOf) as [Expr | null];
    depends ||= tangent !== null;
    return [{ ...s, values: [tangent ? product(number(factor), tangent) : number(0)] }];
  });
  const unit: Stmt = { kind: 'declare', variable: seed, value: number(1) };
  const helper: HelperIR = {
    name: resultName,
    params,
    results: ['real'],
    body: tidy([unit, ...list], params),
  };
  return { helper, callees: helpers.all, depends };
}

function isAssigned(body: readonly Stmt[], variable: Variable): boolean {
  let found = false;
  forEachStatement(body, (s) => {
    found ||= s.kind === 'assign' && s.variable === variable;
  });
  return found;
}
