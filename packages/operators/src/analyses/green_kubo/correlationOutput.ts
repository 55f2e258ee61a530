import type { SimulationState } from '@corpuscle/core';
import { plotSvg } from '../../io/plot/plotSvg.js';
import { withError } from '../define/withError.js';

/** What an operator of Green and Kubo writes at its end. */
export interface CorrelationOutput {
  /** Name of the operator, and of the coefficient: a column of the table. */
  readonly name: string;
  readonly coefficient: string;
  readonly title: string;
  readonly samples: number;
  /** By lag; the last has the coefficient. */
  readonly rows: readonly Readonly<Record<string, number>>[];
  readonly file: string;
  readonly plot?: string | undefined;
}

/** Writes the table, or JSON with the coefficient beside the points, and the plot; says the coefficient. */
export async function writeCorrelation(
  state: SimulationState,
  { name, coefficient, title, samples, rows, file, plot }: CorrelationOutput,
): Promise<void> {
  const last = rows.at(-1);
  if (!last) {
    state.say(`${name}: the run has fewer samples than lags, so that there is nothing to write`);
    return;
  }
  const [value, error] = [last[coefficient]!, last[`${coefficient}_error`]!];
  const text = /\.json$/i.test(file)
    ? `${JSON.stringify({ samples, [coefficient]: { value, error }, points: rows })}\n`
    : `${Object.keys(last).join(',')}\n${rows.map((row) => Object.values(row).join(',')).join('\n')}\n`;
  await state.output.writeWhole(file, text);
  const words = coefficient.replaceAll('_', ' ');
  const told = `${words} ${withError(value, error)}`;
  state.say(`${name}: ${told}`);
  if (plot === undefined) return;
  const x = rows.map((row) => row.time!);
  const series = [{ name: '', x, y: rows.map((row) => row[coefficient]!) }];
  await state.output.writeWhole(
    plot,
    plotSvg({ title: `${title}: ${told}`, x: 'time', y: words, series }),
  );
}
