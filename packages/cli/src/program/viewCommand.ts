import type { Command } from 'commander';
import type { ViewOptions } from '../commands/view/view.js';
import type { Streams } from '../Streams.js';
import type { Ended } from './options.js';

/** `corpuscle view` and its options. */
export function viewCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('view')
    .description(
      'show a simulation or a file of particles in a page of this machine, which runs and draws it',
    )
    .argument('<file>', 'a simulation in YAML, or a file of particles in any format that is read')
    .option('--port <n>', 'of the server; default a free one', Number, 0)
    .option('--no-open', 'print the address, and open no browser')
    .action(async (file: string, options: ViewOptions) => {
      const { view } = await import('../commands/view/view.js');
      ended(await view(file, options, streams));
    });
}
