import type { BatchNode, GraphNode } from '../Simulation.js';
import { mustKeepOrder, type Touches, touchesOf } from './Touches.js';

/** An item of a parallel batch. */
export interface Branch {
  readonly node: GraphNode;
  /** Whether it has a lane of its own. Otherwise it runs alone: after all before it, and before all after it. */
  readonly isFree: boolean;
  /** Numbers of the branches before it that must have ended when it begins. */
  readonly waitsFor: readonly number[];
  /** Why it does not begin at once, as a clause; empty where it does. */
  readonly reason: string;
}

/**
 * Which items of a parallel batch may run beside each other, by what their operators say that they read and write:
 *
 *   parallel: [rdf, centro_symmetry, [steinhardt, message], deform, msd]
 *
 *   lanes    rdf ───────────┐
 *            centro ────────┤ deform ┬ msd
 *            steinhardt, message ────┘            deform does not say what it writes
 */
export function branchesOf({ body }: BatchNode): Branch[] {
  const touches: (Touches | null)[] = [];
  return body.map((node) => {
    const found = touchesOf(node);
    const before = [...touches.keys()];
    if ('untold' in found) {
      touches.push(null);
      const reason = `${found.untold.definition.name} may change anything`;
      return { node, isFree: false, waitsFor: before, reason };
    }
    const waitsFor = before.filter((k) => !touches[k] || mustKeepOrder(touches[k], found));
    touches.push(found);
    const names = waitsFor.map((k) => nameOf(body[k]!));
    const reason = names.length > 0 ? `after ${names.join(', ')}` : '';
    return { node, isFree: true, waitsFor, reason };
  });
}

const nameOf = (node: GraphNode): string =>
  node.kind === 'operator' ? node.definition.name : node.name;
