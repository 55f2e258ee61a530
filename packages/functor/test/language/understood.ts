import type { FunctorFunction } from '../../src/Functor.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { printIR } from '../../src/passes/printIR.js';
import type { Helper } from '../../src/schema.js';

/** Compiles a body written as plain JavaScript and prints what was understood, without the declarations. */
export function understood(
  body: string,
  helpers: Record<string, Helper> = {},
  parameters = 'i, j, d, p, h, c',
): string {
  return compiled(new Function(`return (${parameters}) => {\n${body}\n};`)(), helpers);
}

export function compiled(fn: FunctorFunction, helpers: Record<string, Helper> = {}): string {
  const functor = pairFunctor(
    {
      name: 'demo',
      central: { fx: 'real', fy: 'real', n: 'i32', k: 'u32' },
      read: { q: 'real', type: 'u32' },
      neighbor: { q: 'real', type: 'u32' },
      params: { a: 'real', m: 'i32', count: 'u32', table: 'real[]' },
      helpers,
      constants: { three: 3, half: 0.5 },
    },
    fn as never,
  );
  const text = printIR(functor.ir!)
    .split('\n')
    .filter((line) => !line.startsWith('  role') && !line.startsWith('pair'));
  return text.map((line) => line.slice(2)).join('\n');
}
