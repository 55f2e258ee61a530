import { flattened, mentions } from './interleave.js';
import type { WasmNode } from './WasmNode.js';

/** Statements of a loop where a branch is taken in every turn, and where it is in none. */
export interface Unswitched {
  readonly condition: WasmNode;
  readonly taken: readonly WasmNode[];
  readonly left: readonly WasmNode[];
}

/**
 * Takes the first branch out of a loop whose condition nothing in it changes: the processor then has registers for what is beside the
 * branch, too. Null where there is none.
 *
 *   loop { a; if (p) b; c }     ──►     if (p) loop { a; b; c } else loop { a; c }
 */
export function unswitched(list: readonly WasmNode[]): Unswitched | null {
  const flat = flattened(list);
  const at = flat.findIndex((node) => node[0] === 'if' && isSteady(node[1] as WasmNode, flat));
  if (at < 0) return null;
  const [, condition, then, otherwise] = flat[at] as unknown as Branch;
  const around = (inside: readonly WasmNode[]): readonly WasmNode[] => [
    ...flat.slice(0, at),
    ...flattened(inside),
    ...flat.slice(at + 1),
  ];
  return { condition, taken: around(then), left: around(otherwise) };
}

type Branch = [string, WasmNode, readonly WasmNode[], readonly WasmNode[]];

/** Whether an expression of locals and constants has the same value before and after all statements. */
function isSteady(expression: WasmNode, statements: readonly WasmNode[]): boolean {
  const [operation, ...operands] = expression;
  if (operation === 'local.get')
    return !mentions(statements, ['local.set', 'local.tee'], operands[0] as number);
  if (/load|call|memory|global/.test(operation)) return false;
  return operands.every(
    (one) => !Array.isArray(one) || isSteady(one as unknown as WasmNode, statements),
  );
}
