import {
  defineOperator,
  dimensions,
  type Grid,
  type GrowingFile,
  type SimulationState,
  type SourceLocation,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { type Plot, plotSvg } from '../../io/plot/plotSvg.js';
import { areSeveral } from '../../run/areSeveral.js';
import { frameSlots, stepsBetween } from '../../run/frameSlots.js';
import { contextOf, gridKey, planKey } from '../../run/stateKeys.js';
import { onWholeGrid } from '../define/onWholeGrid.js';
import type { CoordinationNumber } from './CoordinationNumber.js';
import type { CoordinationSums } from './CoordinationSums.js';
import { boxMatrix, coordinationById } from './coordination.js';
import { type BiasTerm, biasOf } from './coordinationBias.js';
import {
  type CoordinationSlots,
  checkCoordinationSlots,
  coordinationFunctors,
  coordinationOfSlots,
  coordinationSlots,
} from './coordinationSlots.js';
import { evaluateCoordination } from './evaluateCoordination.js';
import {
  type CoordinationFormat,
  coordinationFormats,
  coordinationHeader,
  coordinationLines,
  formatOfName,
} from './formatCoordination.js';
import { type HarmonicBias, harmonicBias } from './harmonicBias.js';

/**
 * The operator `coordination`. It is not made by `defineAnalysis`, whose operators change nothing: with a bias it is a force, which acts
 * in every step and writes its value in some.
 */
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
    ...frameSlots('evaluations'),
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
  // A bias is a force: it acts in every step, and `every` and `from` say in which the value is written.
  every: (slots) => (slots.harmonic_bias ? 1 : stepsBetween(slots)),
  from: ({ from, harmonic_bias }) => (harmonic_bias ? 0 : from),
  requires: [gridKey],
  functors: coordinationFunctors,
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
    if (out?.position === 0) out.write(coordinationHeader(format));
    const history =
      slots.plot === undefined ? null : { times: [] as number[], values: [] as number[] };
    const number = coordinationOfSlots(slots, state);
    const ctx = contextOf(state);
    // Ranks look at all particles in every step: nothing stays where it is.
    const isShared = areSeveral(ctx);
    const { harmonic_bias: asked } = slots;
    const bias = asked && !isShared ? biasOf(ctx, number, asked) : null;
    const last: { found: CoordinationSums } = { found: { value: Number.NaN, box: [] } };
    const before = async (): Promise<void> => {
      last.found = await sumsNow({ slots, state, own: { number } });
    };
    // Forces of other particles are computed anew without this operator.
    const term = asked ? { ...harmonicBias(() => last.found, asked), before } : null;
    return { number, bias, last, term, out, format, history };
  },
  execute(context) {
    const { state, own } = context;
    const { bias } = own;
    if (!bias) return evaluate(context);
    if (!bias.isPrepared) return begin(context, bias);
    const added = addForces(state, bias, context.location);
    const isDue = isWritten(context);
    return added || isDue ? tell(context, bias, isDue, added) : undefined;
  },
  calls: ({ state, own: { bias } }) => (bias?.isPrepared ? forceCalls(state, bias) : null),
  doesMore: isWritten,
  steadyUntil: ({ slots, state }) => {
    const { from = 0 } = slots;
    const every = stepsBetween(slots) ?? 1;
    return from + every * Math.max(0, Math.floor((state.step - from) / every) + 1);
  },
  save: ({ own, state }) => ({ ...own.history, isStale: own.number.isStale(state.get(gridKey)) }),
  async restore({ own, state }, saved) {
    const grid = state.get(gridKey);
    // Groups that were to be looked up again are so in the next evaluation, as without a checkpoint.
    if (!saved?.isStale && !(await own.bias?.start(grid, listedIn(state))))
      await own.number.restore(grid);
    own.history?.times.push(...(saved?.times ?? []));
    own.history?.values.push(...(saved?.values ?? []));
  },
  async finish({ slots, state, own }) {
    if (own.history && slots.plot !== undefined)
      await state.output.writeWhole(slots.plot, plotSvg(plotOf(own.history)));
  },
  dispose({ own }) {
    if (own.bias) own.bias.close();
    else own.number.close();
  },
});

interface Context {
  readonly slots: CoordinationSlots & {
    readonly every?: number;
    readonly frequency?: number;
    readonly from?: number;
    readonly harmonic_bias?: HarmonicBias;
  };
  readonly state: SimulationState;
  readonly location: SourceLocation | undefined;
  readonly own: Output & {
    readonly number: CoordinationNumber;
    /** The last evaluation, and the force of a bias by it. */
    readonly last: { found: CoordinationSums };
    readonly term: ForceTerm | null;
  };
  set(name: string, value: unknown): void;
}

/** Whether the value of a bias is written in this step. */
function isWritten({ slots, state }: Pick<Context, 'slots' | 'state'>): boolean {
  const since = state.step - (slots.from ?? 0);
  return since >= 0 && since % (stepsBetween(slots) ?? 1) === 0;
}

/** How far the lists of a run reach. */
const listedIn = (state: SimulationState): number => state.find(planKey)?.lists.rcut ?? 0;

/** The first evaluation of a bias, or of other particles: it finds out whether the number stays where it is computed. */
async function begin(context: Context, bias: BiasTerm): Promise<void> {
  const { state } = context;
  if (!(await bias.start(state.get(gridKey), listedIn(state)))) return evaluate(context);
  state.renewCalls();
  return tell(context, bias, isWritten(context), addForces(state, bias, context.location));
}

/** Writes the number of a bias that is on the device, in the steps that want it. */
async function tell(
  { state, own, set }: Context,
  bias: BiasTerm,
  isDue: boolean,
  added: void | Promise<void>,
): Promise<void> {
  await added;
  if (!isDue) return;
  await state.knowBox?.();
  const sums = await bias.sums();
  set('coordination_number', sums.value);
  await write(own, sums, state.get(gridKey), state);
}

async function evaluate({ slots, state, own, set, location }: Context): Promise<void> {
  await state.knowBox?.();
  const found = await sumsNow({ slots, state, own }, (sums, grid) =>
    isWritten({ slots, state }) ? write(own, sums, grid, state) : undefined,
  );
  set('coordination_number', found.value);
  own.last.found = found;
  if (own.term) await addForces(state, own.term, location);
}

/** Computes the number of the present particles. @param look what is done with it while its grid has derivatives */
const sumsNow = (
  {
    slots,
    state,
    own: { number },
  }: Pick<Context, 'slots' | 'state'> & { readonly own: Pick<Context['own'], 'number'> },
  look?: (sums: CoordinationSums, grid: Grid) => Promise<void> | undefined,
): Promise<CoordinationSums> =>
  onWholeGrid(state, async () => {
    const { value, box, near } = await evaluateCoordination(number, slots, state);
    await look?.({ value, box }, near.grid);
    await near.close();
    return { value, box };
  });

interface Output {
  readonly out: GrowingFile | null;
  readonly format: CoordinationFormat;
  readonly history: { readonly times: number[]; readonly values: number[] } | null;
}

/** Writes a value, and shares of the particles of a grid where the format has them. */
async function write(
  { out, format, history }: Output,
  { value, box }: CoordinationSums,
  grid: Grid,
  state: SimulationState,
): Promise<void> {
  const { units } = state.simulation.configuration;
  const time = units.fromInternal(state.time, dimensions.time);
  history?.times.push(time);
  history?.values.push(value);
  if (!out) {
    state.say(`coordination ${value}`);
    return;
  }
  const particles = format === 'json' ? await coordinationById(grid, contextOf(state)) : undefined;
  const perLength = units.fromInternal(1, dimensions.inverseLength);
  if (perLength !== 1 && particles)
    for (let k = 0; k < particles.derivatives.length; k++) particles.derivatives[k]! *= perLength;
  const record = { step: state.step, time, value, boxDerivatives: boxMatrix(box), particles };
  await out.writePieces(coordinationLines(format, record));
}

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
