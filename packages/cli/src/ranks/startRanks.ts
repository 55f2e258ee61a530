import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { CorpuscleError } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';
import type { Streams } from '../Streams.js';

/**
 * Starts this command on so many ranks with `mpirun`, and waits for its end. Where a rank was killed the run goes on from its last
 * checkpoint. Where this process is killed, the ranks end as after SIGTERM.
 * @param argv the arguments of the command, without `--ranks` and `--retries`
 * @param retries how often it goes on at most
 * @returns the exit code
 * @throws CorpuscleError NO_MPI where there is no `mpirun`
 */
export async function startRanks(
  ranks: number,
  argv: readonly string[],
  retries: number,
  streams: Pick<Streams, 'err'>,
): Promise<number> {
  let isStopped = false;
  for (let tries = 0; ; tries++) {
    // What is there after the first try is of this run.
    const again = tries === 0 ? [] : ['--overwrite', '--restart'];
    const code = await launch(ranks, [...argv, ...again], () => {
      isStopped = true;
    });
    // A launcher ends with another code than ours where a process was killed.
    const isOurs = Object.values<number>(exitCode).includes(code);
    if (isStopped) return code === exitCode.done ? code : exitCode.interrupted;
    if (isOurs || tries >= retries) return code;
    streams.err(`retry ${tries + 1} of ${retries}: a rank was lost\n`);
  }
}

/** Runs it once. */
function launch(ranks: number, argv: readonly string[], onSignal: () => void): Promise<number> {
  const program = process.argv[1]!;
  const whole = ['-n', `${ranks}`, process.execPath, ...process.execArgv, program, ...argv];
  // In a session of its own the launcher gets signals from here alone: it ends ranks at once when it gets a second one.
  const child = spawn('mpirun', whole, {
    detached: true,
    stdio: [process.stdin.isTTY ? 'ignore' : 'inherit', 'inherit', 'inherit'],
    env: { ...unbound, ...process.env, ...permissions(ranks) },
  });
  const watcher = watch(child);
  let last = Number.NEGATIVE_INFINITY;
  const forward = (signal: NodeJS.Signals) => {
    onSignal();
    // Two within a second are one, as on one rank.
    if (performance.now() - last > 1000) child.kill(signal);
    last = performance.now();
  };
  process.on('SIGINT', forward).on('SIGTERM', forward).on('SIGHUP', forward);
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
  }).finally(() => {
    watcher?.kill();
    process.off('SIGINT', forward).off('SIGTERM', forward).off('SIGHUP', forward);
  });
}

/**
 * Ends `mpirun` by SIGTERM, and so the ranks after their step, when this process is killed. A shell waits for that: it reads from a pipe
 * whose other end is here alone. Signals of the terminal do not reach it.
 */
function watch({ pid }: ChildProcess): ChildProcess | undefined {
  if (pid === undefined) return undefined;
  const watcher = spawn('sh', ['-c', 'read _; kill "$0"', `${pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.on('error', () => undefined); // without a shell the ranks go on
  watcher.unref();
  return watcher;
}

/**
 * Open MPI binds each of two ranks to one core, where all threads of a rank would wait for each other: kernels, the collector, what serves a
 * device. Ranks choose their threads themselves.
 */
const unbound = {
  OMPI_MCA_hwloc_base_binding_policy: 'none',
  PRTE_MCA_hwloc_default_binding_policy: 'none',
};

/** What Open MPI must be told: more ranks than cores are allowed, and root may start them. */
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
