import { CorpuscleError } from '@corpuscle/functor/error';
import { path } from '#core/platform';
import type { PlannedOutput, Simulation } from './Simulation.js';

/** Absolute as Windows reads names. */
const WINDOWS = /^(?:[A-Za-z]:)?[\\/]/;
/** Streams of the process, which are files in no folder. */
const STREAMS = /^\/dev\/(null|stdout|stderr|fd\/\d+)$/;

/** Whether an output name stays in the output folder: relative, and without a way up out of it. */
function staysInside(name: string): boolean {
  if (STREAMS.test(name)) return true;
  if (path.isAbsolute(name) || WINDOWS.test(name)) return false;
  return path.normalize(name).split(/[\\/]/)[0] !== '..';
}

/** A mistake for each output outside of the output folder: a file from elsewhere must not write wherever it likes. */
export function outsideOutputs(outputs: readonly PlannedOutput[]): CorpuscleError[] {
  return outputs
    .filter(({ name }) => !staysInside(name))
    .map(
      ({ name, operator, location }) =>
        new CorpuscleError(
          'INVALID_VALUE',
          `${operator} would write ${name}, which is outside of the output folder: choose a relative name, or allow it (--allow-outside, or allowOutside in a program)`,
          { location },
        ),
    );
}

/**
 * Refuses outputs outside of the output folder.
 * @throws CorpuscleError INVALID_VALUE with the place of the first name.
 */
export function refuseOutsideOutputs({ outputs }: Simulation): void {
  const [first] = outsideOutputs(outputs);
  if (first) throw first;
}
