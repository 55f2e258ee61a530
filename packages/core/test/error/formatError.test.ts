import { CorpuscleError } from '@corpuscle/functor/error';
import { expect, it } from 'vitest';
import { formatError } from '../../src/error/formatError.js';

it('a quoted file that is no text cannot command the terminal', () => {
  const frame = '  1 | \tA\u001b[2J\u009b\n    | \t^';
  const location = { file: 'a.xyz', line: 1, column: 2, frame };
  const error = new CorpuscleError('FILE_FORMAT', "not 'A\u001b[2J'", { location });
  expect(formatError(error)).toBe(
    "a.xyz:1:2: not 'A\ufffd[2J'\n  1 | \tA\ufffd[2J\ufffd\n    | \t^",
  );
});
