import { CorpuscleError } from '@corpuscle/functor/error';
import { expect, it } from 'vitest';
import type { BatchNode, OperatorNode } from '../Simulation.js';
import { operatorFailure } from './operatorFailure.js';
import { placedLate } from './placedLate.js';

const node = (name: string, line: number, isBuiltIn = false) =>
  ({
    kind: 'operator',
    definition: { name },
    path: name,
    isBuiltIn,
    location: { file: 'run.yaml', line, column: 5 },
  }) as unknown as OperatorNode;
const batch = (...body: OperatorNode[]): BatchNode => ({ kind: 'batch', name: 'all', body });
const root = batch(node('push', 9, true), node('mine', 3), node('twice', 4), node('twice', 5));
const lineOf = (operators: readonly string[]) => {
  const error = new CorpuscleError('KERNEL_FAILED', 'no end', { operators });
  // Whichever operator waits for it when it comes.
  const thrown = operatorFailure(error, node('thermo', 7, true));
  return (placedLate(thrown, root) as CorpuscleError).location?.line;
};

it('an error that names its operators gets the place of the one, or of the one that is not built in', () => {
  expect(lineOf(['mine'])).toBe(3);
  expect(lineOf(['push'])).toBe(9);
  expect(lineOf(['push', 'mine'])).toBe(3);
  expect(lineOf(['twice'])).toBeUndefined();
  expect(lineOf(['', 'unknown'])).toBeUndefined();
});

it('a place in a bundle of a page is none of the author', () => {
  const error = new TypeError('no');
  error.stack = 'TypeError: no\n    at f (http://127.0.0.1:8080/assets/operators.js:488:6164)';
  expect(operatorFailure(error, node('mine', 3)).message).toBe(
    'operator mine failed: TypeError: no',
  );
  error.stack = 'TypeError: no\n    at C:\\own.js:4:8';
  expect(operatorFailure(error, node('mine', 3)).message).toMatch(/no \(C:\\own\.js:4:8\)$/);
});
