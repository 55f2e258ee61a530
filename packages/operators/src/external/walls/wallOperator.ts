import { CorpuscleError, dimensions, type SimulationState } from '@corpuscle/core';
import { externalOperator } from '../externalOperator.js';
import { lengthSlot, vector, vectorSlot } from '../slots.js';
import { MOVING_WALL, type MotionSlots, WallMotion } from './WallMotion.js';
import type { WallForm } from './wallForms.js';
import { planeWalls, roundWalls } from './wallFunctors.js';
import { unit, type WallSurface, wallTerm } from './wallTerm.js';

const point = (doc: string) => ({ ...vectorSlot(dimensions.length, doc), required: true }) as const;
const direction = (doc: string) =>
  ({ type: 'list', of: { type: 'number' }, length: 3, required: true, doc }) as const;
const radius = { ...lengthSlot('radius'), above: 0, required: true } as const;
const side = {
  type: 'enum',
  values: ['inside', 'outside'],
  default: 'inside',
  doc: 'where the particles are',
} as const;

/** Where a wall is. */
export const surfaceSlots = {
  plane: {
    type: 'map',
    entries: {
      point: point('a point of the plane'),
      normal: direction('points to the particles'),
    },
    doc: 'a plane',
  },
  sphere: { type: 'map', entries: { center: point('center'), radius, side }, doc: 'a sphere' },
  cylinder: {
    type: 'map',
    entries: {
      point: point('a point of the axis'),
      axis: direction('along the axis'),
      radius,
      side,
    },
    doc: 'a cylinder without ends',
  },
} as const;

/** How a wall moves. */
export const motionSlots = {
  velocity: vectorSlot(dimensions.velocity, 'of a wall that moves, from time 0 on'),
  wiggle: {
    type: 'map',
    entries: {
      amplitude: { ...vectorSlot(dimensions.length, 'largest displacement'), required: true },
      period: {
        type: 'quantity',
        dimension: dimensions.time,
        above: 0,
        required: true,
        doc: 'duration of a swing',
      },
    },
    doc: 'of a wall that swings: amplitude · sin(2π t / period)',
  },
} as const;

interface Surfaces {
  readonly plane?: { readonly point: readonly number[]; readonly normal: readonly number[] };
  readonly sphere?: {
    readonly center: readonly number[];
    readonly radius: number;
    readonly side: string;
  };
  readonly cylinder?: {
    readonly point: readonly number[];
    readonly axis: readonly number[];
    readonly radius: number;
    readonly side: string;
  };
}

/** The one surface that is given. @throws CorpuscleError INVALID_VALUE for none, several, or one without a direction */
export function surfaceOf(slots: unknown): WallSurface {
  const { plane, sphere, cylinder } = slots as Surfaces;
  if ([plane, sphere, cylinder].filter(Boolean).length !== 1)
    throw new CorpuscleError('INVALID_VALUE', 'give one of plane, sphere and cylinder');
  if (plane) {
    const normal = vector(plane.normal);
    unit(normal, 'the normal of a wall');
    return { kind: 'plane', point: vector(plane.point), normal };
  }
  if (cylinder) unit(vector(cylinder.axis), 'the axis of a wall');
  const { radius: size, side: where } = (sphere ?? cylinder)!;
  return {
    kind: 'round',
    center: vector(sphere ? sphere.center : cylinder!.point),
    axis: cylinder ? vector(cylinder.axis) : null,
    radius: size,
    side: where as 'inside' | 'outside',
  };
}

/** The name of a wall that moves; undefined for one that stands. */
export function movingWall(slots: unknown): string | undefined {
  const { velocity, wiggle } = slots as MotionSlots;
  return velocity || wiggle ? MOVING_WALL : undefined;
}

/** How a wall moves; null for one that stands. */
export function motionOf(slots: unknown, state: SimulationState): WallMotion | null {
  if (!movingWall(slots)) return null;
  const surface = surfaceOf(slots);
  const place = surface.kind === 'plane' ? surface.point : surface.center;
  return new WallMotion(state, place, slots as MotionSlots);
}

/** `wall`: a wall that pushes particles back by a potential of the distance. */
export const wallOperator = externalOperator({
  name: 'wall',
  doc: 'A wall with a potential of the distance to it, 0 at rcut. lj93: ε (2/15 (σ/d)⁹ − (σ/d)³), lj126: 4 ε ((σ/d)¹² − (σ/d)⁶), harmonic: ε (d − rcut)². Its energy counts, and it adds nothing to the pressure. The plane or surface may be anywhere, and knows no periodic images.',
  slots: {
    form: {
      type: 'enum',
      values: ['lj93', 'lj126', 'harmonic'],
      required: true,
      doc: 'potential of the distance',
    },
    ...surfaceSlots,
    epsilon: {
      type: 'quantity',
      dimension: dimensions.energy,
      min: 0,
      doc: 'depth of lj93 and lj126',
    },
    sigma: { ...lengthSlot('size of lj93 and lj126'), above: 0 },
    stiffness: {
      type: 'quantity',
      dimension: dimensions.stiffness,
      min: 0,
      doc: 'ε of a harmonic wall',
    },
    rcut: { ...lengthSlot('distance from which on it acts'), above: 0, required: true },
    ...motionSlots,
  },
  needsEvenSteps: movingWall,
  functors: [...Object.values(planeWalls), ...Object.values(roundWalls)],
  validate({ slots, fail }) {
    const isHarmonic = slots.form === 'harmonic';
    for (const name of isHarmonic ? ['stiffness'] : ['epsilon', 'sigma'])
      if (slots[name] === undefined)
        fail('', 'MISSING_VALUE', `a wall of the form ${slots.form} needs ${name}`);
    for (const name of isHarmonic ? ['epsilon', 'sigma'] : ['stiffness'])
      if (slots[name] !== undefined)
        fail(name, 'INVALID_VALUE', `a wall of the form ${slots.form} has no ${name}: remove it`);
    surfaceOf(slots);
  },
  motion: motionOf,
  term: (slots, options, _, motion) =>
    wallTerm(
      {
        form: slots.form as WallForm,
        surface: surfaceOf(slots),
        epsilon: slots.epsilon ?? slots.stiffness!,
        sigma: slots.sigma ?? 1,
        rcut: slots.rcut,
        place: motion?.place,
      },
      options,
    ),
});
