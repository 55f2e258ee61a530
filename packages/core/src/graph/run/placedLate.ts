import { CorpuscleError } from '@corpuscle/functor/error';
import { type GraphNode, operatorsOf } from '../Simulation.js';

/**
 * An error that came after the calls of its operators, with their place in the user's files. Where calls of several were made as
 * one it is that of the user's own; without a single place the error stays as it is.
 */
export function placedLate(error: unknown, root: GraphNode): unknown {
  if (!(error instanceof CorpuscleError) || !error.operators) return error;
  const { code, message, operators } = error;
  const named = [...operatorsOf(root)].filter(({ definition }) =>
    operators.includes(definition.name),
  );
  const own = named.filter(({ isBuiltIn }) => !isBuiltIn);
  const places = (own.length > 0 ? own : named).flatMap(({ location }) => location ?? []);
  const [location] = places;
  const isOne = places.every(
    ({ file, line, column }) =>
      file === location?.file && line === location.line && column === location.column,
  );
  return location && isOne ? new CorpuscleError(code, message, { location, cause: error }) : error;
}
