import {
  knownSlots,
  type OperatorNode,
  operatorFailure,
  operatorsOf,
  type Simulation,
  type SourceLocation,
} from '@corpuscle/core';

/** A cutoff that an operator of the graph uses, and where the user wrote it. */
export interface UsedCutoff {
  readonly operator: string;
  readonly rcut: number;
  readonly location?: SourceLocation;
  /** The operator's place in the graph. */
  readonly node: OperatorNode;
}

/**
 * Cutoffs of all operators of a simulation. By convention an operator that looks at neighbors has a slot `rcut`, or a
 * slot `pairs` with an `rcut` in every entry; others say by `reach` how far they look, 0 for those that need no lists of the run.
 */
export function usedCutoffs(simulation: Simulation): UsedCutoff[] {
  return [...operatorsOf(simulation.root)].flatMap((node) => {
    const { name, reach } = node.definition;
    if (!reach) return writtenCutoffs(node);
    const location = known(node, 'file')?.location;
    const rcut = reachOf(node, knownSlots(node), simulation);
    return rcut > 0 ? [{ operator: name, rcut, ...(location ? { location } : {}), node }] : [];
  });
}

/** The cutoffs that the file gives an operator; none where a function says how far it looks. */
export function writtenCutoffs(node: OperatorNode): UsedCutoff[] {
  const { name, reach } = node.definition;
  if (reach) return [];
  const cutoffs: UsedCutoff[] = [];
  const own = known(node, 'rcut');
  if (typeof own?.value === 'number')
    cutoffs.push({ operator: name, rcut: own.value, location: own.location, node });
  const pairs = known(node, 'pairs');
  if (!Array.isArray(pairs?.value)) return cutoffs;
  for (const pair of pairs.value as readonly { readonly rcut?: unknown }[])
    if (typeof pair.rcut === 'number')
      cutoffs.push({ operator: name, rcut: pair.rcut, location: pairs.location, node });
  return cutoffs;
}

function reachOf(
  node: OperatorNode,
  slots: Readonly<Record<string, unknown>>,
  simulation: Simulation,
): number {
  try {
    return node.definition.reach!(slots, simulation);
  } catch (error) {
    throw operatorFailure(error, node); // else begin_run, which asks, would be blamed
  }
}

/** Value of a slot that is known before the run. */
export function known(
  node: OperatorNode,
  slot: string,
): { readonly value: unknown; readonly location?: SourceLocation } | undefined {
  const source = node.slots.get(slot);
  return source?.kind === 'value' ? source : undefined;
}
