import {
  type DispatchOptions,
  type Expr,
  type FunctorFacts,
  type FunctorIR,
  forEachExpression,
  forEachStatement,
  type Stmt,
} from '@corpuscle/patterns';
import { arithmeticBits } from './print/expressionSource.js';

/** Options of calls that WebGL has, or that concern it not. */
const OPTIONS: ReadonlySet<string> = new Set([
  'backend',
  'enableGpu',
  'size',
  'lane',
  'onComplete',
  'asynchronous',
  'form',
  'params',
  'outputs',
  'rcut',
]);

/** Why a call cannot run through gpu.js, as one clause, or null. */
export function refusal(functor: FunctorFacts, options: DispatchOptions): string | null {
  const { name, kind, ir, structured } = functor;
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined || value === null || OPTIONS.has(option)) continue;
    return `the call has the option '${option}', which WebGL does not have`;
  }
  if (structured)
    return 'its results are more than sums, minima and maxima, which WebGL does not have';
  if (!ir) return 'the functor is plain JavaScript (gpu: false), which only the CPU runs';
  if (kind === 'pair' && options.form === 'buffered')
    return `WebGL has the bufferless form only, and functor '${name}' is asked for buffered`;
  return functorRefusal(ir);
}

/**
 * Why a functor cannot run through gpu.js, as one clause, or null. WebGL has fragments that write their own element and
 * nothing else, single precision, and no integers that gpu.js would keep exact beyond 2²⁴.
 */
export function functorRefusal(ir: FunctorIR): string | null {
  if (ir.kind === 'block')
    return 'WebGL cannot write to arbitrary elements of an array (block functors run on the CPU)';
  if (ir.kind !== 'cell' && ir.kind !== 'reduce' && ir.kind !== 'pair')
    return `WebGL has no buffers for ${ir.kind} functors (they run on the CPU)`;
  if (ir.start)
    return 'WebGL has no context around the neighbors of a particle (it runs on the CPU)';
  const bodies = [ir.body, ...ir.helpers.map((helper) => helper.body)];
  for (const body of bodies) {
    const reason = inBody(body);
    if (reason) return reason;
  }
  return null;
}

function inBody(body: readonly Stmt[]): string | null {
  let reason: string | null = null;
  forEachStatement(body, (s) => {
    reason ??= inStatement(s);
  });
  forEachExpression(body, (e) => {
    reason ??= inExpression(e);
  });
  return reason;
}

function inStatement(s: Stmt): string | null {
  switch (s.kind) {
    case 'declare':
    case 'assign':
    case 'write':
    case 'if':
    case 'loop':
    case 'break':
    case 'continue':
    case 'return':
    case 'callMany':
      return null;
    case 'declareArray':
    case 'assignElement':
      return `gpu.js has no local arrays with a computed index ('${s.variable.name}')`;
    default:
      return `gpu.js cannot write array elements`;
  }
}

function inExpression(e: Expr): string | null {
  if ((e.kind === 'bits' && !arithmeticBits(e)) || (e.kind === 'unary' && e.op === '~'))
    return 'gpu.js keeps integers as floats, which have no 32 bits to operate on';
  if (e.kind === 'test') return `WebGL has no ${e.name} (compilers take NaN to be absent)`;
  if (e.kind === 'math' && e.name === 'mulHigh')
    return 'gpu.js keeps integers as floats, and products have 64 bits';
  if (e.kind === 'element')
    return `gpu.js has no local arrays with a computed index ('${e.variable.name}')`;
  if (e.kind === 'number' && !Number.isFinite(Math.fround(e.value)))
    return `WebGL has no number ${e.value}`;
  if (e.kind === 'number' && e.type !== 'real' && Math.abs(e.value) > 2 ** 24)
    return `gpu.js keeps integers as floats, exact up to 2^24, and the functor has ${e.value}`;
  return null;
}
