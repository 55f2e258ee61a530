import type { Command } from 'commander';
import type { PlotOptions } from '../commands/plot/plot.js';
import type { Streams } from '../Streams.js';
import { loadCommand } from './loadCommand.js';
import { anyNumber, type Ended, OVERWRITE } from './options.js';

/** `corpuscle plot` and its options. */
export function plotCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('plot')
    .description('draw columns of tables as SVG or PNG: thermo.csv, and what analyses write')
    .argument('<file...>', 'tables in CSV, or lines or a list of JSON; several are drawn together')
    .option('--x <column>', 'what is drawn over; default the time, or the first column')
    .option('--y <column,…>', 'what is drawn; default the first column of values', list, [])
    .option('--from <x>', 'leave out what is before', anyNumber)
    .option('--mean', 'draw the mean too, and print it with its error from blocks', false)
    .option('--title <text>', 'default the names of the files')
    .option(
      '--output <file>',
      'an image .svg or .png; default the name of the first file, with .svg',
    )
    .option('--overwrite', OVERWRITE, false)
    .option('--json', 'print the name of the image and the means as JSON', false)
    .action(async (files: string[], options: PlotOptions) => {
      const { plot } = await loadCommand(() => import('../commands/plot/plot.js'));
      ended(await plot(files, options, streams));
    });
}

const list = (text: string, before: readonly string[]): string[] => [...before, ...text.split(',')];
