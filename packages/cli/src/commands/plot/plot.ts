import { basename, extname } from 'node:path';
import { CorpuscleError, writeWhole } from '@corpuscle/core';
import { BlockMeans, plotSvg, type Series } from '@corpuscle/operators';
import { exitCode } from '../../exitCodes.js';
import type { Streams } from '../../Streams.js';
import { column, defaultX, defaultY, errorsOf } from './columns.js';
import { readTable, type Table } from './readTable.js';

/** Options of `plot`, as commander gives them. */
export interface PlotOptions {
  readonly x?: string;
  readonly y: readonly string[];
  readonly from?: number;
  readonly mean: boolean;
  readonly title?: string;
  readonly output?: string;
  readonly overwrite: boolean;
}

/**
 * `corpuscle plot`: columns of tables as an image. Standard errors that a table has are drawn; `--mean` computes the mean of a
 * column, with the error of blocks of rows that follow each other.
 */
export async function plot(
  files: readonly string[],
  options: PlotOptions,
  streams: Streams,
): Promise<number> {
  const [first] = files;
  const output = options.output ?? `${basename(first!, extname(first!))}.svg`;
  refuseOther(output);
  const tables = files.map(readTable);
  const x = options.x ?? defaultX(tables[0]!);
  const names = options.y.length > 0 ? options.y : [defaultY(tables[0]!, x)];
  const series = tables.flatMap((table) =>
    names.flatMap((name) => {
      const label = [names.length > 1 ? name : '', files.length > 1 ? table.file : ''];
      const drawn = seriesOf(table, { x, name, from: options.from, label: label.join(' ').trim() });
      return options.mean ? [drawn, meanOf(drawn, name, streams)] : [drawn];
    }),
  );
  const title = options.title ?? files.map((file) => basename(file)).join(', ');
  const y = names.length === 1 ? names[0]! : '';
  await writeWhole(output, plotSvg({ title, x, y, series }), {
    older: options.overwrite ? 'replace' : 'keep',
    onKept: (kept) => streams.err(`${output} was there already: it is ${kept} now\n`),
  });
  streams.out(`${output}\n`);
  return exitCode.done;
}

/** @throws CorpuscleError INVALID_VALUE for another format. */
function refuseOther(output: string): void {
  if (output.endsWith('.svg')) return;
  const remedy = 'name a file .svg, which browsers and most programs turn into other formats';
  throw new CorpuscleError('INVALID_VALUE', `--output ${output}: plots are SVG: ${remedy}`);
}

interface Drawn {
  readonly x: string;
  readonly name: string;
  readonly from?: number | undefined;
  readonly label: string;
}

function seriesOf(table: Table, { x, name, from, label }: Drawn): Series {
  const xs = column(table, x, '--x');
  const isKept = (_: unknown, k: number) => from === undefined || xs[k]! >= from;
  const error = errorsOf(table, name)?.filter(isKept);
  const y = column(table, name, '--y').filter(isKept);
  if (y.length === 0)
    throw new CorpuscleError('INVALID_VALUE', `--from ${from}: ${table.file} ends before`);
  return { name: label, x: xs.filter(isKept), y, ...(error && { error }) };
}

/** A level line at the mean of a series, with its error as a band. */
function meanOf({ x, y }: Series, name: string, streams: Streams): Series {
  const means = new BlockMeans(1);
  for (const value of y) means.add([value]);
  const [mean, error] = [means.mean(0), means.error(0)];
  const told = `${name} ${Number(mean.toPrecision(8))} ± ${Number(error.toPrecision(2))}`;
  streams.out(`${told}\n`);
  const ends = [x[0]!, x.at(-1)!];
  return { name: told, x: ends, y: [mean, mean], error: [error, error] };
}
