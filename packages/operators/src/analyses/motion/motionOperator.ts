import {
  CorpuscleError,
  type Dimension,
  dimensions,
  type Grid,
  type OperatorDefinition,
  type SimulationState,
  stateKey,
} from '@corpuscle/core';
import { countImages } from '../../images/countImages.js';
import { FollowedFrames } from '../../images/FollowedFrames.js';
import { knownTime } from '../../integrators/physicalTime.js';
import { plotSvg } from '../../io/plot/plotSvg.js';
import { evenFrameSlots, stepsBetween } from '../../run/frameSlots.js';
import { contextOf, gridKey, planKey } from '../../run/stateKeys.js';
import { groupOptions, groupSlot } from '../../sets/group/Groups.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { looksAtFrame } from '../define/looksAtFrame.js';
import { withError } from '../define/withError.js';
import { CarriedFields } from './CarriedFields.js';
import type { LagPoint } from './LagCurve.js';
import { MotionCurve, type SavedMotion } from './MotionCurve.js';
import type { KeptVector } from './Origins.js';

/** What an analysis of motion says of itself. */
export interface MotionKind {
  readonly name: string;
  readonly doc: string;
  /** The column of the table, and the label of the axis of the plot. */
  readonly column: string;
  readonly title: string;
  /** Of the curve. */
  readonly dimension: Dimension;
  readonly kept: KeptVector;
  /** Whether what is kept needs image flags. */
  readonly unwraps?: boolean;
  readonly params: (grid: Grid) => Readonly<Record<string, number>>;
  /** More columns of the table: diffusion coefficients, by lag or of the whole curve. */
  readonly diffusion: (points: readonly LagPoint[]) => {
    readonly value: number;
    readonly error: number;
    /** By lag, where there is such a thing. */
    readonly running?: readonly number[];
  } | null;
}

const numberKey = stateKey<{ next: number }>('analyses of motion', 'it exists as soon as one is');

interface Own {
  readonly curve: MotionCurve;
  /** Of frames that are read one after the other: null in a run. */
  readonly carried: CarriedFields | null;
  readonly followed: FollowedFrames | null;
  count: number;
}

const severalOrigins = ({ name }: MotionKind) => `${name} with several origins`;

/** Makes the operator of an analysis that compares particles with themselves at earlier moments. */
export function motionOperator(kind: MotionKind): OperatorDefinition {
  return defineAnalysis({
    name: kind.name,
    doc: kind.doc,
    slots: {
      // A single origin that is kept has its own step and time at each lag.
      ...evenFrameSlots('frames', ({ origins, lags }) => origins === 1 && lags === undefined),
      origins: {
        type: 'integer',
        min: 1,
        max: 32,
        default: 1,
        doc: 'how many origins are open at a time; each keeps a vector of every particle',
      },
      lags: {
        type: 'integer',
        min: 1,
        doc: 'frames that an origin is followed; default: to the end with one origin, otherwise half of the run',
      },
      ...groupSlot,
      file: {
        type: 'file',
        mode: 'write',
        required: true,
        doc: 'a table by lag; JSON with the diffusion coefficient when it is called *.json',
      },
      plot: { type: 'file', mode: 'write', doc: 'an SVG of the curve' },
    },
    inParts: true,
    needsEvenSteps: ({ origins = 1 }) => (origins > 1 ? severalOrigins(kind) : undefined),
    prepare({ slots, state }): Own {
      const number = state.obtain(numberKey, () => ({ next: 0 }));
      const name = `${kind.column}${number.next++}`;
      const { origins } = slots;
      const lags = slots.lags ?? (origins === 1 ? Number.POSITIVE_INFINITY : halfOf(slots, state));
      const isReplaced = !state.find(planKey);
      const ctx = contextOf(state);
      const curve = new MotionCurve(ctx, { name, kept: kind.kept, origins, lags });
      if (kind.unwraps) countImages(state.get(gridKey), ctx);
      return {
        ...{ curve, count: -1, carried: isReplaced ? new CarriedFields() : null },
        followed: isReplaced && kind.unwraps ? new FollowedFrames() : null,
      };
    },
    ...looksAtFrame(), // no other operator knows its fields
    async frame({ slots, state, grid, ctx, own }) {
      if (slots.group === 'all') checkCount(kind.name, own, grid.total);
      if (slots.origins > 1) knownTime(state, severalOrigins(kind));
      await own.carried?.give(grid, ctx);
      await own.followed?.next(state, grid, ctx);
      await own.curve.add({
        grid,
        step: state.step,
        time: state.time,
        params: kind.params(grid),
        adaptations: groupOptions(state, slots.group),
      });
      await own.carried?.take(grid, ctx, own.curve.blocks);
    },
    save: ({ own }) => own.curve.save(),
    restore({ own, state }, saved: SavedMotion) {
      own.curve.restore(saved);
      own.count = state.get(gridKey).total;
    },
    async finish({ slots, state, own }) {
      const { units } = state.simulation.configuration;
      const points = inUserUnits(await own.curve.points(), {
        time: units.fromInternal(1, dimensions.time),
        value: units.fromInternal(1, kind.dimension),
      });
      const found = kind.diffusion(points);
      const diffusion = found && { value: found.value, error: found.error };
      const text = /\.json$/i.test(slots.file)
        ? `${JSON.stringify({ points, diffusion })}\n`
        : tableOf(kind.column, points, found?.running);
      await state.output.writeWhole(slots.file, text);
      const told = diffusion
        ? `diffusion coefficient ${withError(diffusion.value, diffusion.error)}`
        : '';
      if (told !== '') state.say(`${kind.name}: ${told}`);
      if (slots.plot === undefined) return;
      const x = points.map(({ time }) => time);
      const series = [{ name: '', x, y: points.map(({ value }) => value) }];
      const title = told === '' ? kind.title : `${kind.title}: ${told}`;
      await state.output.writeWhole(
        slots.plot,
        plotSvg({ title, x: 'time', y: kind.column, series }),
      );
    },
  });
}

/** Frames in half of the run. @throws CorpuscleError MISSING_VALUE where there is no run */
function halfOf(
  slots: Parameters<typeof stepsBetween>[0] & { readonly from?: number },
  state: SimulationState,
): number {
  const plan = state.find(planKey);
  if (!plan)
    throw new CorpuscleError(
      'MISSING_VALUE',
      'several origins need to know for how long each is followed: give lags',
    );
  const { from = 0 } = slots;
  const frames = (plan.endStep - Math.max(from, plan.firstStep)) / (stepsBetween(slots) ?? 1);
  return Math.max(1, Math.floor(frames / 2));
}

function checkCount(name: string, own: Own, count: number): void {
  if (own.count >= 0 && own.count !== count)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${name} has followed ${own.count} particles, and now there are ${count}: give a group that stays, or let particles be`,
    );
  own.count = count;
}

function inUserUnits(
  points: readonly LagPoint[],
  { time, value }: { readonly time: number; readonly value: number },
): LagPoint[] {
  return points.map((point) => ({
    ...point,
    time: point.time * time,
    axes: [point.axes[0] * value, point.axes[1] * value, point.axes[2] * value],
    value: point.value * value,
    error: point.error * value,
  }));
}

function tableOf(column: string, points: readonly LagPoint[], running?: readonly number[]): string {
  const axes = ['x', 'y', 'z'].map((axis) => `${column}_${axis}`);
  const more = running ? ['diffusion'] : [];
  const head = ['step', 'time', column, ...axes, 'error', 'origins', ...more].join(',');
  const rows = points.map(({ step, time, value, axes: parts, error, origins }, k) =>
    [step, time, value, ...parts, error, origins, ...(running ? [running[k]] : [])].join(','),
  );
  return `${[head, ...rows].join('\n')}\n`;
}
