import type { BlockSpec, Grid } from '@corpuscle/core';
import {
  type CellFunctor,
  cellFunctor,
  type FieldSchema,
  withFunctionText,
} from '@corpuscle/patterns';

const AXES = ['x', 'y', 'z'] as const;
const velocities = { vx: 'real', vy: 'real', vz: 'real' } as const;
const positions = { rx: 'real', ry: 'real', rz: 'real' } as const;
const forces = { fx: 'real', fy: 'real', fz: 'real' } as const;
const mass = { mass: 'real' } as const;

type Particle = Record<string, number>;
type Params = Readonly<Record<string, number>>;

/** The field that keeps a component of the forces of a level. */
const kept = (level: number, axis: string): string => `respa_${level}_${axis}`;

const keptFields = (level: number): FieldSchema =>
  Object.fromEntries(AXES.map((axis) => [kept(level, axis), 'real' as const]));

/** Makes one functor for each level, when it is first asked for. */
function byLevel(make: (level: number) => CellFunctor): (level: number) => CellFunctor {
  const made: CellFunctor[] = [];
  return (level) => {
    made[level] ??= make(level);
    return made[level];
  };
}

/** A statement for each axis, as text and as the function that it means. */
const alongAxes = (
  text: (axis: string) => string,
  run: (i: Particle, p: Params, axis: string) => void,
  before = '',
) =>
  withFunctionText(
    ((i: Particle, p: Params) => {
      for (const axis of AXES) run(i, p, axis);
    }) as never,
    `(i, p) => {\n${before}\n${AXES.map(text).join('\n')}\n}`,
  );

const PUSH = 'const s = p.halfDt / i.mass;';

/** v ← v + (δt/2) f/m with the kept forces of a level. */
export const keptKick = byLevel((level) =>
  cellFunctor(
    {
      name: `respa_kick_${level}`,
      fields: velocities,
      read: { ...keptFields(level), ...mass },
      params: { halfDt: 'real' },
      traits: { gpu: true },
    },
    alongAxes(
      (axis) => `i.v${axis} += s * i.${kept(level, axis)};`,
      (i, p, axis) => {
        i[`v${axis}`]! += (p.halfDt! / i.mass!) * i[kept(level, axis)]!;
      },
      PUSH,
    ),
  ),
);

/** The same with the kept forces of the innermost level, then r ← r + δt v. */
export const keptKickDrift = byLevel((level) =>
  cellFunctor(
    {
      name: `respa_kick_drift_${level}`,
      fields: { ...velocities, ...positions },
      read: { ...keptFields(level), ...mass },
      params: { dt: 'real', halfDt: 'real' },
      traits: { gpu: true },
    },
    alongAxes(
      (axis) => `i.v${axis} += s * i.${kept(level, axis)};\ni.r${axis} += p.dt * i.v${axis};`,
      (i, p, axis) => {
        i[`v${axis}`]! += (p.halfDt! / i.mass!) * i[kept(level, axis)]!;
        i[`r${axis}`]! += p.dt! * i[`v${axis}`]!;
      },
      PUSH,
    ),
  ),
);

/** v ← v + (δt/2) f/m with the forces of a level that have just been computed, and keeps them. */
export const kickAndKeep = byLevel((level) =>
  cellFunctor(
    {
      name: `respa_keep_kick_${level}`,
      fields: { ...velocities, ...keptFields(level) },
      read: { ...forces, ...mass },
      params: { halfDt: 'real' },
      traits: { gpu: true },
    },
    alongAxes(
      (axis) => `i.v${axis} += s * i.f${axis};\ni.${kept(level, axis)} = i.f${axis};`,
      (i, p, axis) => {
        i[`v${axis}`]! += (p.halfDt! / i.mass!) * i[`f${axis}`]!;
        i[kept(level, axis)] = i[`f${axis}`]!;
      },
      PUSH,
    ),
  ),
);

/** Keeps the forces of a level. */
export const keep = byLevel((level) =>
  cellFunctor(
    {
      name: `respa_keep_${level}`,
      fields: keptFields(level),
      read: forces,
      traits: { gpu: true },
    },
    alongAxes(
      (axis) => `i.${kept(level, axis)} = i.f${axis};`,
      (i, _, axis) => {
        i[kept(level, axis)] = i[`f${axis}`]!;
      },
    ),
  ),
);

/** The forces of so many levels together. */
export const sumOfLevels = byLevel((levels) => {
  const all = Array.from({ length: levels }, (_, level) => level);
  return cellFunctor(
    {
      name: `respa_sum_${levels}`,
      fields: forces,
      read: Object.assign({}, ...all.map(keptFields)),
      traits: { gpu: true },
    },
    alongAxes(
      (axis) => `i.f${axis} = ${all.map((level) => `i.${kept(level, axis)}`).join(' + ')};`,
      (i, _, axis) => {
        i[`f${axis}`] = all.reduce((sum, level) => sum + i[kept(level, axis)]!, 0);
      },
    ),
  );
});

/** Clears forces, and leaves energies. */
export const clearForces = cellFunctor(
  { name: 'respa_clear', fields: forces, traits: { gpu: true } },
  (i) => {
    i.fx = 0;
    i.fy = 0;
    i.fz = 0;
  },
);

/** Gives particles the fields that keep the forces of so many levels. */
export function addLevels(grid: Grid, levels: number): void {
  for (let level = 0; level < levels; level++)
    grid.addBlock({
      name: `respa_${level}`,
      type: 'f64',
      width: 4,
      members: [...AXES.map((axis) => kept(level, axis)), null],
    } satisfies BlockSpec);
}
