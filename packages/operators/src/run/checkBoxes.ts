import {
  type BatchNode,
  CorpuscleError,
  type Domain,
  knownSlots,
  type OperatorNode,
  operatorFailure,
  operatorsOf,
  type Simulation,
} from '@corpuscle/core';
import { boxOf, keepsBox } from './checkLists.js';
import { gridKey } from './stateKeys.js';

/** Operators that refuse the box of the files, such as walls at faces through which particles go: a run would end when it comes to them. */
export function checkBoxes({ root }: Simulation): readonly CorpuscleError[] {
  const domain = lastingBox(root);
  if (!domain) return [];
  return [...operatorsOf(root)].flatMap((node) => {
    try {
      node.definition.checkBox?.(knownSlots(node), domain);
      return [];
    } catch (error) {
      const failure = operatorFailure(error, node);
      if (failure instanceof CorpuscleError) return [failure];
      throw failure;
    }
  });
}

/** The box that the one operator makes that makes one, where none gives it other lattice vectors or periods later; else null. */
export function lastingBox(root: BatchNode): Domain | null {
  const nodes = [...operatorsOf(root)];
  const [maker, ...others] = nodes.filter(({ definition }) =>
    definition.provides?.includes(gridKey),
  );
  if (!maker || others.length > 0 || !nodes.every(keepsPeriods)) return null;
  try {
    return boxOf(maker);
  } catch {
    return null; // told by checkLists
  }
}

const keepsPeriods = (node: OperatorNode) =>
  node.isBuiltIn ? !replacing.includes(node.definition.name) : keepsBox(node);

const replacing: readonly string[] = ['change_box', 'replicate'];
