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
  readonly json: boolean;
}

/** What `--json` prints: the image, and the means of `--mean` with their errors. */
interface Told {
  readonly output: string;
  readonly means?: readonly Mean[];
}

interface Mean {
  readonly file: string;
  readonly name: string;
  readonly mean: number;
  readonly error: number;
  readonly values: number;
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
  const tables = files.map((file) => readTable(file, (text) => streams.err(`${text}\n`)));
  const x = options.x ?? defaultX(tables[0]!);
  const names = options.y.length > 0 ? options.y : [defaultY(tables[0]!, x)];
  const means: Mean[] = [];
  const series = tables.flatMap((table) =>
    names.flatMap((name) => {
      const label = [names.length > 1 ? name : '', files.length > 1 ? table.file : ''];
      const drawn = seriesOf(table, { x, name, from: options.from, label: label.join(' ').trim() });
      if (!options.mean) return [drawn];
      const mean = meanOf(drawn, name, table.file);
      means.push(mean);
      return [drawn, levelOf(drawn, mean)];
    }),
  );
  const title = options.title ?? files.map((file) => basename(file)).join(', ');
  const y = names.length === 1 ? names[0]! : '';
  const svg = plotSvg({ title, x, y, series });
  await writeWhole(output, isPng(output) ? await pngOf(svg) : svg, {
    older: options.overwrite ? 'replace' : 'keep',
    onKept: (kept) => streams.err(`${output} was there already: it is ${kept} now\n`),
  });
  const told: Told = { output, ...(options.mean && { means }) };
  streams.out(
    options.json
      ? `${JSON.stringify(told)}\n`
      : `${means.map((one) => `${textOf(one)}\n`).join('')}${output}\n`,
  );
  return exitCode.done;
}

const isPng = (output: string): boolean => output.endsWith('.png');

const pngOf = async (svg: string): Promise<Uint8Array> =>
  (await import('./plotPng.js')).plotPng(svg);

/** @throws CorpuscleError INVALID_VALUE for another format. */
function refuseOther(output: string): void {
  if (output.endsWith('.svg') || isPng(output)) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `--output ${output}: plots are SVG or PNG: name a file .svg or .png`,
  );
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

/** The mean of a series, with the error of blocks of rows that follow each other. */
function meanOf({ y }: Series, name: string, file: string): Mean {
  const means = new BlockMeans(1);
  for (const value of y) means.add([value]);
  return { file, name, mean: means.mean(0), error: means.error(0), values: y.length };
}

/** A level line at the mean of a series, with its error as a band. */
function levelOf({ x }: Series, mean: Mean): Series {
  const ends = [x[0]!, x.at(-1)!];
  return {
    name: textOf(mean),
    x: ends,
    y: [mean.mean, mean.mean],
    ...(Number.isFinite(mean.error) && { error: [mean.error, mean.error] }),
  };
}

/** One value alone has no error. */
const textOf = ({ name, mean, error }: Mean): string =>
  `${name} ${Number(mean.toPrecision(8))}${Number.isFinite(error) ? ` ± ${Number(error.toPrecision(2))}` : ', one value without an error'}`;
