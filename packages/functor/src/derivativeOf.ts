import { definitionSite } from './definitionSite.js';
import type { SourceLocation } from './error/CorpuscleError.js';
import type { FunctorSpec } from './FunctorSpec.js';
import { HelperLibrary } from './frontend/HelperLibrary.js';
import { originOf } from './frontend/origins.js';
import { parseFunction } from './frontend/parseFunction.js';
import { withFunctionText } from './functionText.js';
import type { Expr, HelperIR } from './ir.js';
import { lateFunction } from './lateFunction.js';
import { helperText, intrinsicsText } from './lower/javascript/lowerToJavaScript.js';
import { derivedHelper } from './passes/derivative/derivedHelper.js';
import { forEachExpression } from './passes/walk.js';
import { helperToWasm } from './standalone/helperToWasm.js';

/** A pure function of numbers, as helpers are. */
export type NumberFunction = (...args: number[]) => number;

/** What is derived by what, and how the derivative is called. */
export interface DerivativeOptions {
  /** Number of the argument that is derived by; default 0. */
  readonly by?: number;
  /** What the derivative is multiplied by; default 1, −1 makes a force of an energy. */
  readonly factor?: number;
  /** What messages call the function and what it belongs to; default 'function' of 'derivativeOf'. */
  readonly name?: string;
  readonly of?: string;
  /** What is done with a result that depends on the argument through whole numbers only; default 'allow': 0 is right. */
  readonly wholeNumbers?: 'allow' | 'refuse';
}

/**
 * The derivative of a function by one of its arguments, as a function of the same arguments. It can be called, and be a
 * helper of a functor: it has text in the functor language, which all lowerings compile. It can be derived again.
 *
 * The function may use what helpers may: branches, loops, local arrays, Math. Where it branches the derivative is that of the
 * branch taken; `abs`, `min` and `max` are branches. `floor`, `round` and their like are constant where they have a derivative.
 *
 * @throws CorpuscleError FUNCTOR_* with the line, when the function cannot be compiled or gives no real number
 * @example
 * const energy = (r: number, k: number): number => 0.5 * k * r * r;
 * const force = derivativeOf(energy, { factor: -1 });
 * force(2, 3); // −6
 */
export function derivativeOf<F extends (...args: never[]) => number>(
  fn: F,
  options: DerivativeOptions = {},
): F {
  const { by = 0, factor = 1, name = 'function', of = 'derivativeOf' } = options;
  const site = definitionSite(derivativeOf);
  const source = compileNumbers(fn, name, of, site);
  const { helper, callees, depends } = derivedHelper(source, by, factor, `${name}_derivative`);
  if (!depends && options.wholeNumbers === 'refuse') checkConstant(source, by);
  const env = { read: none, item: none, write: none, writeItem: none };
  const inner = callees.map((callee) => helperText(callee, env)).join('\n');
  const text = helperText(helper, env);
  const made = (): F => {
    try {
      const body = `"use strict";\n${intrinsicsText}\n${inner}\nreturn ${text};`;
      return new Function(body)() as F;
    } catch (error) {
      if (!(error instanceof EvalError)) throw error; // a page that may not evaluate text
      return helperToWasm(`${name}_derivative`, text, helper.params.length) as unknown as F;
    }
  };
  return withFunctionText(lateFunction(helper.params.length, made), text);
}

/** The function as a helper of reals. */
function compileNumbers(
  fn: (...args: never[]) => number,
  name: string,
  of: string,
  site: SourceLocation,
): HelperIR {
  const spec: FunctorSpec = {
    kind: 'pair',
    name: of,
    helpers: { [name]: fn },
    central: {},
    read: {},
    neighbor: {},
  };
  const { node, source } = parseFunction(fn, `helper '${name}' of functor '${of}'`, site);
  const fail = (problem: string, remedy: string): never =>
    source.fail('FUNCTOR_TYPE', node, problem, remedy);
  const library = new HelperLibrary(spec, site);
  const kinds = node.params.map(() => 'value' as const);
  const template = library.template(name, kinds, fail);
  const { ir } = library.instance(
    template,
    kinds.map(() => 'real' as const),
  );
  const { many } = template.shape;
  if (many || ir.results[0] !== 'real')
    fail(
      `its result is ${many ? 'an array or an object' : `of type ${ir.results[0]}`}, which has no derivative`,
      'return one real number',
    );
  return ir;
}

/** An energy may be constant, but one that is made of whole numbers has no force: that is a mistake. */
function checkConstant(helper: HelperIR, by: number): void {
  const parameter = helper.params[by]!;
  const rounded: Expr[] = [];
  forEachExpression(helper.body, (e) => {
    if (e.kind === 'math' && /^(floor|ceil|trunc|round|sign)$/.test(e.name)) rounded.push(e);
  });
  const origin = rounded[0] && originOf(rounded[0]);
  if (origin)
    origin.source.fail(
      'FUNCTOR_UNSUPPORTED',
      origin.node,
      `the result depends on '${parameter.name}' through whole numbers only, so that its derivative is 0 or does not exist`,
      'let it depend on the number itself',
    );
}

function none(): never {
  throw new Error('helpers have no fields');
}
