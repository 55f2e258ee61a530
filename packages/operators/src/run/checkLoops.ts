import {
  type BatchNode,
  CorpuscleError,
  type GraphNode,
  type OperatorDefinition,
  type OperatorNode,
  type Simulation,
} from '@corpuscle/core';
import { replicateOperator } from '../box/replicate/replicateOperator.js';
import { beginStage } from './beginRun.js';
import { endTimeStep } from './nextTimeStep.js';

/** What no loop of steps may do in every pass. */
const WITHOUT_END = new Map<OperatorDefinition, string>([
  [
    beginStage,
    'begin_stage would begin a run anew in every step, and the run would never end: name it before the loop, or write run: { steps: … } in simulation',
  ],
  [
    replicateOperator,
    'replicate would repeat the box in every step until the memory is full: put it into setup_system, or give the batch that it is in a condition',
  ],
]);

/** Operators of every pass of a loop of steps with which it would have no end. */
export function checkLoops({ root }: Simulation): readonly CorpuscleError[] {
  return loopsIn(root).flatMap((loop) => {
    const nodes = ofEveryPass(loop);
    if (!nodes.some(({ definition }) => definition === endTimeStep)) return [];
    return nodes.flatMap(({ definition, location }) => {
      const message = WITHOUT_END.get(definition);
      return message ? [new CorpuscleError('INVALID_VALUE', message, { location })] : [];
    });
  });
}

/** All loops that go on for as long as there are steps. */
const loopsIn = (node: GraphNode): BatchNode[] =>
  node.kind === 'operator'
    ? []
    : [...(node.loop === true ? [node] : []), ...node.body.flatMap(loopsIn)];

/** Operators that a pass executes whatever happens, once. */
const ofEveryPass = ({ body }: BatchNode): OperatorNode[] =>
  body.flatMap((node) => {
    if (node.kind === 'operator') return [node];
    return node.condition || node.loop ? [] : ofEveryPass(node);
  });
