import type { FunctorIR, HelperIR } from '../../ir.js';
import { hoistUniform } from '../../passes/hoistUniform.js';
import { expressionText, helperName } from './expressionText.js';
import type { JavaScriptEnv, LoweredJavaScript } from './JavaScriptEnv.js';
import { statementsText } from './statementsText.js';

/**
 * Functor → JavaScript text in double precision, bit for bit what calling the user's function gives as long as integer
 * arithmetic stays within 32 bits. The caller wraps `body` in its loops and in `functor: { … }`.
 *
 * @example
 * const { helpers, prologue, body } = lowerToJavaScript(ir, env);
 * `${helpers}${prologue}for (let k = begin; k < end; k++) { ${load} functor: { ${body} } ${store} }`
 */
export function lowerToJavaScript(ir: FunctorIR, env: JavaScriptEnv): LoweredJavaScript {
  const hoisted = hoistUniform(ir);
  const prologue = hoisted.prologue.map(
    ({ variable, value }) => `const ${variable.id} = ${expressionText(value, env)};`,
  );
  const own = ir.helpers.filter(({ builtin }) => !builtin?.math);
  const helpers = own.map((helper) => helperText(helper, env));
  const body = statementsText(hoisted.ir.body, env, 'functor');
  const code = [...helpers, ...prologue, body].join('\n');
  const used = Object.entries(intrinsics).flatMap(([name, text]) =>
    code.includes(`${name}(`) ? [text] : [],
  );
  return {
    helpers: [...used, ...helpers].map((text) => `${text}\n`).join(''),
    prologue: prologue.map((line) => `${line}\n`).join(''),
    body,
  };
}

/** Number → int as `h.i32` and `h.u32` do it, and the upper half of a product as `h.mulHigh` does. */
const intrinsics = {
  h$i32:
    'function h$i32(x) { return x >= 2147483647 ? 2147483647 : x <= -2147483648 ? -2147483648 : x | 0; }',
  h$u32: 'function h$u32(x) { return x >= 4294967295 ? 4294967295 : x > 0 ? x >>> 0 : 0; }',
  h$mulHigh: `function h$mulHigh(a, b) {
const middle = (a >>> 16) * (b & 65535) + (((a & 65535) * (b & 65535)) >>> 16);
const carry = (a & 65535) * (b >>> 16) + (middle % 65536);
return ((a >>> 16) * (b >>> 16) + Math.floor(middle / 65536) + Math.floor(carry / 65536)) >>> 0;
}`,
} as const;

/** All of them. */
export const intrinsicsText = Object.values(intrinsics).join('\n');

/** A helper as a function of its own. */
export function helperText(helper: HelperIR, env: JavaScriptEnv): string {
  const params = helper.params.map((variable) => variable.id).join(', ');
  return `function ${helperName(helper)}(${params}) {\n${statementsText(helper.body, env, 'helper')}}`;
}
