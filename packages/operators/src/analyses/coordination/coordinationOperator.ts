import { defineOperator, dimensions } from '@corpuscle/core';
import { addForces } from '../../forces/currentLedger.js';
import { type Plot, plotSvg } from '../../io/plot/plotSvg.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { boxMatrix, coordinationById } from './coordination.js';
import {
  checkCoordinationSlots,
  coordinationOfSlots,
  coordinationSlots,
  evaluateCoordination,
} from './coordinationSlots.js';
import {
  type CoordinationFormat,
  coordinationFormats,
  coordinationHeader,
  coordinationLines,
  formatOfName,
} from './formatCoordination.js';
import { harmonicBias } from './harmonicBias.js';

export const coordinationOperator = defineOperator({
  name: 'coordination',
  doc: 'Coordination number: the sum of a switching function of the distance over pairs of particles, with derivatives by positions and box.',
  slots: {
    ...coordinationSlots,
    file: {
      type: 'file',
      mode: 'write',
      doc: 'output file; default: the value is shown on the terminal',
    },
    format: {
      type: 'enum',
      values: coordinationFormats,
      doc: 'json: a line with everything for each frame; csv, colvar: tables; default: by the name of the file',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of the value over time' },
    frequency: {
      type: 'integer',
      min: 1,
      doc: 'steps between evaluations; default: one whenever the operator runs',
    },
    harmonic_bias: {
      type: 'map',
      entries: {
        at: { type: 'number', required: true, doc: 'where the bias is 0' },
        kappa: {
          type: 'quantity',
          dimension: dimensions.energy,
          min: 0,
          required: true,
          doc: 'stiffness',
        },
      },
      doc: 'adds forces of the energy kappa/2 (value − at)²; the operator then belongs into compute_force',
    },
    coordination_number: { type: 'number', direction: 'output', doc: 'the value' },
  },
  requires: [gridKey],
  validate(context) {
    const { slots, fail } = context;
    checkCoordinationSlots(slots, context);
    if (slots.format !== undefined && slots.file === undefined)
      fail(
        'format',
        'INVALID_VALUE',
        'format is given without a file: give file, or remove format',
      );
  },
  prepare({ slots, state }) {
    const { file } = slots;
    const format = (slots.format as CoordinationFormat | undefined) ?? formatOfName(file ?? '');
    const out = file === undefined ? null : state.output.open(file);
    out?.write(coordinationHeader(format));
    const history =
      slots.plot === undefined ? null : { times: [] as number[], values: [] as number[] };
    return { number: coordinationOfSlots(slots, state), out, format, history };
  },
  execute({ slots, state, own, set }) {
    const isDue = slots.frequency === undefined || state.step % slots.frequency === 0;
    if (!isDue && !slots.harmonic_bias) return undefined;
    return evaluate();

    async function evaluate(): Promise<void> {
      const { number, out, format, history } = own;
      const { value, box } = await evaluateCoordination(number, slots, state);
      set('coordination_number', value);
      if (slots.harmonic_bias)
        await addForces(state, harmonicBias({ value, box }, slots.harmonic_bias));
      if (!isDue) return;
      const { units } = state.simulation.configuration;
      const time = units.fromInternal(state.time, dimensions.time);
      history?.times.push(time);
      history?.values.push(value);
      if (!out) {
        state.say(`coordination ${value}`);
        return;
      }
      const particles =
        format === 'json'
          ? await coordinationById(state.get(gridKey), contextOf(state))
          : undefined;
      const perLength = units.fromInternal(1, dimensions.inverseLength);
      if (perLength !== 1 && particles)
        for (let k = 0; k < particles.derivatives.length; k++)
          particles.derivatives[k]! *= perLength;
      const record = { step: state.step, time, value, boxDerivatives: boxMatrix(box), particles };
      for (const text of coordinationLines(format, record)) out.write(text);
    }
  },
  finish({ slots, state, own }) {
    if (own.history && slots.plot !== undefined)
      state.output.open(slots.plot).write(plotSvg(plotOf(own.history)));
  },
  dispose({ own }) {
    own.number.close();
  },
});

/** The value over time, or over frames where they have no times. */
function plotOf({ times, values }: { times: readonly number[]; values: readonly number[] }): Plot {
  const isTimed = times.some((time) => time !== times[0]);
  return {
    title: 'Coordination number',
    x: isTimed ? 'time' : 'frame',
    y: 'value',
    series: [{ name: '', x: isTimed ? times : values.map((_, k) => k), y: values }],
  };
}
