import { CorpuscleError, defineOperator, dimensions, type SimulationState } from '@corpuscle/core';
import { failAt } from '../io/failAt.js';
import { LineReader } from '../io/LineReader.js';

/** From a step on, a time step. */
type Row = readonly [step: number, dt: number];

export const timestepFile = defineOperator({
  name: 'timestep_file',
  doc: 'Sets the time step by a file. Each line has a step and the time step from there on; # begins a comment. Put it before the integrator: numerical_scheme: [timestep_file: { file: steps.txt }, velocity_verlet].',
  slots: {
    file: { type: 'file', mode: 'read', required: true, doc: 'the file' },
    dt: {
      type: 'quantity',
      dimension: dimensions.time,
      direction: 'input_output',
      above: 0,
      required: true,
      doc: 'time step; the value before the first line of the file holds until there',
    },
  },
  hostOnly: true,
  prepare: ({ slots, state }) => rowsOf(slots.file, state),
  execute({ own, state, set, slots }) {
    // It runs before the clock advances: the step that is made next counts.
    const row = own.findLast(([step]) => step <= state.step);
    if (row && row[1] !== slots.dt) set('dt', row[1]);
  },
});

/** @throws CorpuscleError FILE_FORMAT with the line */
function rowsOf(file: string, state: SimulationState): readonly Row[] {
  const { units } = state.simulation.configuration;
  const lines = new LineReader(file);
  const rows: Row[] = [];
  try {
    for (let text = lines.next(); text !== null; text = lines.next()) {
      const words = text.replace(/#.*/, '').trim();
      if (words === '') continue;
      const [step, ...rest] = words.split(/\s+/);
      const dt = Number(rest[0]);
      const isSound =
        rest.length === 1 &&
        /^\d+$/.test(step!) &&
        dt > 0 &&
        Number.isFinite(dt) &&
        Number(step) > (rows.at(-1)?.[0] ?? -1);
      if (!isSound)
        failAt(
          lines,
          text,
          1,
          'a line of time steps is a step, larger than the one before, and a time step above 0: write, for example, 1000 0.002',
        );
      rows.push([Number(step), units.toInternal(dt, dimensions.time)]);
    }
  } finally {
    lines.close();
  }
  if (rows.length > 0) return rows;
  throw new CorpuscleError('FILE_FORMAT', `${file} has no time steps: give lines such as 0 0.001`);
}
