import { Argument, type Command } from 'commander';
import { exitCode } from '../exitCodes.js';
import type { Streams } from '../Streams.js';
import { completionScript, type Shell, shells } from './completion.js';
import { loadCommand } from './loadCommand.js';
import { type Ended, positiveInteger } from './options.js';

/** Commands about the machine: `info`, `bench` and `completion`. */
export function machineCommands(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('info')
    .description('threads, adapters, limits, precisions available, and why not')
    .option('--json', 'print it as JSON', false)
    .action(async (options: { json: boolean }) => {
      const { info } = await import('../commands/info.js');
      ended(await info(options, streams));
    });
  program
    .command('bench')
    .description(
      'how fast this machine is: one thread, all, a GPU, and lmp where it is on the PATH',
    )
    .option('--json', 'print it as JSON', false)
    .option('--seconds <n>', 'seconds of steps for each; default 6', positiveInteger)
    .action(async (options: { json: boolean; seconds?: number }) => {
      const { bench } = await loadCommand(() => import('../commands/bench.js'));
      ended(await bench(options, streams));
    });
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: Shell) => {
      streams.out(completionScript(program, shell));
      ended(exitCode.done);
    });
}
