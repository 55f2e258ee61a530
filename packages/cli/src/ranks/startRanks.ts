import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { CorpuscleError } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';

/**
 * Starts this command on so many ranks with `mpirun`, and waits for its end.
 * @param argv the arguments of the command, without `--ranks`
 * @returns the exit code
 * @throws CorpuscleError NO_MPI where there is no `mpirun`
 */
export function startRanks(ranks: number, argv: readonly string[]): Promise<number> {
  const program = process.argv[1]!;
  const whole = ['-n', `${ranks}`, process.execPath, ...process.execArgv, program, ...argv];
  const child = spawn('mpirun', whole, {
    stdio: 'inherit',
    env: { ...process.env, ...permissions(ranks) },
  });
  // The launcher gets the signals of a terminal too, and passes them on: this process waits for what comes of them.
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  const wait = () => undefined;
  process.on('SIGINT', wait).on('SIGTERM', forward).on('SIGHUP', forward);
  return new Promise<number>((resolve, reject) => {
    child.on('close', (code) => resolve(code ?? exitCode.failed));
    child.on('error', (cause) =>
      reject(
        new CorpuscleError(
          'NO_MPI',
          '--ranks starts the run with mpirun, which is not found: install Open MPI or MPICH (apt-get install openmpi-bin)',
          { cause },
        ),
      ),
    );
  }).finally(() => process.off('SIGINT', wait).off('SIGTERM', forward).off('SIGHUP', forward));
}

/** What Open MPI must be told: who asks for more ranks than there are cores gets them, and root may start them. */
function permissions(ranks: number): NodeJS.ProcessEnv {
  const many = ranks > availableParallelism();
  const isRoot = process.getuid?.() === 0;
  return {
    ...(many && {
      OMPI_MCA_rmaps_base_oversubscribe: '1',
      PRTE_MCA_rmaps_default_mapping_policy: ':oversubscribe',
    }),
    ...(isRoot && { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' }),
  };
}
