import {
  CorpuscleError,
  type OperatorDefinition,
  type OperatorNode,
  type Simulation,
} from '@corpuscle/core';
import { replicateOperator } from '../box/replicate/replicateOperator.js';
import { beginStage } from './beginRun.js';
import { loopsIn, ofEveryPass } from './loops.js';
import { endTimeStep, nextTimeStep } from './nextTimeStep.js';

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

/** Operators of every pass of a loop of steps with which it would have no end, or steps that it does not end. */
export function checkLoops({ root }: Simulation): readonly CorpuscleError[] {
  const loops = loopsIn(root).filter(({ loop }) => loop === true);
  return loops.flatMap((loop) => {
    const nodes = ofEveryPass(loop);
    if (!nodes.some(({ definition }) => definition === endTimeStep)) return [];
    const endless = nodes.flatMap(({ definition, location }) => {
      const message = WITHOUT_END.get(definition);
      return message ? [new CorpuscleError('INVALID_VALUE', message, { location })] : [];
    });
    return [...endless, ...stepsBeside(nodes)];
  });
}

/** Steps that a pass begins and does not end: those of a scheme that stands beside `numerical_scheme`. */
function stepsBeside(nodes: readonly OperatorNode[]): readonly CorpuscleError[] {
  const begun = nodes.filter(({ definition }) => definition === nextTimeStep);
  const ended = nodes.filter(({ definition }) => definition === endTimeStep).length;
  return begun
    .slice(ended)
    .map(
      ({ location }) =>
        new CorpuscleError(
          'INVALID_VALUE',
          'a scheme beside numerical_scheme would make a step of its own in each step of the run, which nothing ends: put it into numerical_scheme',
          { location },
        ),
    );
}
