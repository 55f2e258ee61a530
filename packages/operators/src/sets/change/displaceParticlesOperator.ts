import { defineOperator, dimensions, randomStream } from '@corpuscle/core';
import {
  type CallParams,
  type CellFunctor,
  cellFunctor,
  prepareCellParticles,
} from '@corpuscle/patterns';
import { type PresentBox, presentBox } from '../../box/presentBox.js';
import { axisSlots, vectorSlot } from '../../external/slots.js';
import { bringBack } from '../../images/bringBack.js';
import { countImages } from '../../images/countImages.js';
import { latticeParams } from '../../images/unwrapped.js';
import { rotateOnce } from '../../integrators/prescribed_motion/motionFunctors.js';
import { RenewedCall } from '../../run/RenewedCall.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { groupOptions, groupSlot } from '../group/Groups.js';

const STREAM = randomStream('displace_particles');
const positions = { rx: 'real', ry: 'real', rz: 'real' } as const;
const AXES = ['x', 'y', 'z'] as const;

/** All particles by the same vector. */
export const moveOnce = cellFunctor(
  {
    name: 'move_particles',
    fields: positions,
    params: { x: 'real', y: 'real', z: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    i.rx += p.x;
    i.ry += p.y;
    i.rz += p.z;
  },
);

/** By a vector that goes from one to another as a coordinate, the product with `along`, goes from 0 to 1. */
const rampOnce = cellFunctor(
  {
    name: 'ramp_particles',
    fields: positions,
    params: {
      alongX: 'real',
      alongY: 'real',
      alongZ: 'real',
      low: 'real',
      width: 'real',
      dx0: 'real',
      dy0: 'real',
      dz0: 'real',
      dx1: 'real',
      dy1: 'real',
      dz1: 'real',
    },
    traits: { gpu: true },
  },
  (i, p) => {
    const at = i.rx * p.alongX + i.ry * p.alongY + i.rz * p.alongZ;
    const part = Math.min(1, Math.max(0, (at - p.low) / p.width));
    i.rx += p.dx0 + part * (p.dx1 - p.dx0);
    i.ry += p.dy0 + part * (p.dy1 - p.dy0);
    i.rz += p.dz0 + part * (p.dz1 - p.dz0);
  },
);

/** By random numbers between −d and d, by id and step. */
const randomOnce = cellFunctor(
  {
    name: 'scatter_particles',
    fields: positions,
    read: { id: 'u32' },
    params: { x: 'real', y: 'real', z: 'real', seed: 'u32', step: 'u32', stream: 'u32' },
    traits: { gpu: true },
  },
  (i, p, h) => {
    const [x, y, z] = h.uniform(i.id, p.step, p.stream, p.seed);
    i.rx += p.x * (2 * x - 1);
    i.ry += p.y * (2 * y - 1);
    i.rz += p.z * (2 * z - 1);
  },
);

const pair = { ...vectorSlot(dimensions.length, 'the displacement'), required: true } as const;

/** `displace_particles`: moves particles once, or whenever it runs. */
export const displaceParticlesOperator = defineOperator({
  name: 'displace_particles',
  doc: 'Moves particles of a group, once before a run or now and then in it: all by one vector, by a ramp along an axis, at random, or about an axis. As displace_atoms of LAMMPS. In a loop put it into after_drift. Velocities stay as they are.',
  slots: {
    move: vectorSlot(dimensions.length, 'by this vector'),
    ramp: {
      type: 'map',
      entries: {
        axis: { type: 'enum', values: AXES, required: true, doc: 'the coordinate that counts' },
        range: {
          type: 'list',
          of: { type: 'quantity', dimension: dimensions.length },
          length: 2,
          required: true,
          doc: 'where the ramp begins and ends along it',
        },
        from: { ...pair, doc: 'the displacement before the range' },
        to: { ...pair, doc: 'the displacement beyond it' },
      },
      doc: 'by a vector that goes linearly with a coordinate',
    },
    random: vectorSlot(dimensions.length, 'by random numbers, no farther than this along x, y, z'),
    rotate: {
      type: 'map',
      entries: {
        ...axisSlots,
        angle: { type: 'number', required: true, doc: 'the angle in degrees' },
      },
      doc: 'about an axis: unwrapped places, so that what crosses a face of the box turns as a whole',
    },
    ...groupSlot,
    seed: {
      type: 'integer',
      min: 0,
      max: 2 ** 32 - 1,
      doc: 'of random; default from the configuration',
    },
    every: { type: 'integer', min: 1, default: 1, doc: 'in a loop: steps between displacements' },
  },
  every: 'every',
  requires: [gridKey],
  functors: [moveOnce, rampOnce, randomOnce, rotateOnce],
  validate({ slots, fail }) {
    const { move, ramp, random, rotate } = slots;
    const given = [move, ramp, random, rotate].filter((one) => one !== undefined).length;
    if (given !== 1)
      fail(
        '',
        given === 0 ? 'MISSING_VALUE' : 'INVALID_VALUE',
        'displace_particles needs one of move, ramp, random and rotate',
      );
    if (ramp && ramp.range[0] === ramp.range[1])
      fail('ramp.range', 'INVALID_VALUE', 'the ramp has no length: give two different places');
    if (rotate && Math.hypot(...rotate.axis) === 0)
      fail('rotate.axis', 'INVALID_VALUE', 'the axis has no direction: give another');
  },
  prepare: ({ slots, state }) => {
    const seed = (slots.seed ?? state.simulation.configuration.seed) >>> 0;
    const [functor, params] = displacement(slots, seed);
    let box: PresentBox | null = null;
    const call = new RenewedCall<{ step?: number }>(state, () => {
      const [grid, ctx] = [state.get(gridKey), contextOf(state)];
      if (slots.rotate) {
        countImages(grid, ctx);
        box = presentBox(grid, latticeParams);
      }
      return prepareCellParticles(grid, functor, ctx, {
        params: { ...params, ...box?.params } as CallParams<typeof functor.params>,
        ...groupOptions(state, slots.group),
      });
    });
    return {
      close: () => call.close(),
      run(now: { readonly step?: number }) {
        if (box && !box.isCurrent()) call.close();
        const { current } = call;
        for (const before of box?.calls ?? []) before.run({});
        current.run(now);
      },
    };
  },
  execute({ own, slots, state, isLooping }) {
    const isPlaced = !isLooping(); // there lists bring particles back
    if (isPlaced) bringBack(state);
    own.run(slots.random ? { step: state.step >>> 0 } : {});
    if (isPlaced) bringBack(state);
  },
  dispose: ({ own }) => own.close(),
});

interface Displacement {
  readonly move?: readonly number[] | undefined;
  readonly ramp?:
    | {
        readonly axis: string;
        readonly range: readonly number[];
        readonly from: readonly number[];
        readonly to: readonly number[];
      }
    | undefined;
  readonly random?: readonly number[] | undefined;
  readonly rotate?:
    | {
        readonly point: readonly number[];
        readonly axis: readonly number[];
        readonly angle: number;
      }
    | undefined;
}

/** The functor of a displacement, and its parameters. */
function displacement(
  { move, ramp, random, rotate }: Displacement,
  seed: number,
): readonly [CellFunctor, Readonly<Record<string, number>>] {
  const named = (names: readonly string[], values: readonly number[]) =>
    Object.fromEntries(names.map((name, k) => [name, values[k]!]));
  if (move) return [moveOnce as CellFunctor, named(AXES, move)];
  if (random)
    return [randomOnce as CellFunctor, { ...named(AXES, random), seed, step: 0, stream: STREAM }];
  if (ramp) {
    const along = AXES.map((axis) => (axis === ramp.axis ? 1 : 0));
    const [low, high] = ramp.range as [number, number];
    return [
      rampOnce as CellFunctor,
      {
        ...named(['alongX', 'alongY', 'alongZ'], along),
        low,
        width: high - low,
        ...named(['dx0', 'dy0', 'dz0'], ramp.from),
        ...named(['dx1', 'dy1', 'dz1'], ramp.to),
      },
    ];
  }
  const { point, axis, angle } = rotate!;
  const radians = (angle * Math.PI) / 180;
  const length = Math.hypot(...axis);
  return [
    rotateOnce as CellFunctor,
    {
      ...named(['px', 'py', 'pz'], point),
      ...named(
        ['nx', 'ny', 'nz'],
        axis.map((x) => x / length),
      ),
      cos: Math.cos(radians),
      sin: Math.sin(radians),
    },
  ];
}
