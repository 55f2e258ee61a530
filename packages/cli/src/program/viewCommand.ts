import { type Command, Option } from 'commander';
import type { ViewOptions } from '../commands/view/view.js';
import type { Streams } from '../Streams.js';
import { loadCommand } from './loadCommand.js';
import {
  type Ended,
  importOption,
  OVERWRITE,
  portNumber,
  positiveInteger,
  setOption,
  yesOption,
} from './options.js';

/** `corpuscle view` and its options. */
export function viewCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('view')
    .description(
      'show a simulation or a file of particles in a page of this machine, which runs and draws it; or a run of this machine',
    )
    .argument('<file>', 'a simulation in YAML, or a file of particles in any format that is read')
    .option('--port <n>', 'of the server; default a free one', portNumber, 0)
    .option('--host <address>', 'of the server; others than this machine reach it too', '127.0.0.1')
    .option('--run', 'run the simulation here, and let the page look at it', false)
    .option('--backend <name>', 'with --run: where functors run, as in corpuscle run')
    .option('--threads <n>', 'with --run: CPU threads; default all cores', positiveInteger)
    .addOption(
      new Option('--precision <policy>', 'with --run: precision of the run').choices([
        'f64',
        'f32',
        'mixed',
      ]),
    )
    .option('--output <dir>', 'with --run: where files go that have a relative name', '.')
    .option('--overwrite', `with --run: ${OVERWRITE}`, false)
    .addOption(setOption())
    .addOption(importOption())
    .addOption(yesOption())
    .option('--no-open', 'print the address, and open no browser')
    .action(async (file: string, options: Omit<ViewOptions, 'kernelLimit'>) => {
      const { view } = await loadCommand(() => import('../commands/view/view.js'));
      ended(await view(file, { ...options, kernelLimit: 10 }, streams));
    });
}
