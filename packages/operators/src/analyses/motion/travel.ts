import type { Domain, Grid } from '@corpuscle/core';
import { cellFunctor, computeCellParticles, type ExecutionContext } from '@corpuscle/patterns';
import type { KeptVector } from './Origins.js';

/**
 * How often each particle has crossed the box, since it was first followed. Positions are wrapped whenever particles are sorted; the
 * nearest image of the last position tells which way a particle has gone, as long as it moves less than half a box between two looks.
 *
 *   last    [ x y z _ ]    position at the last look
 *   turns   [ a b c _ ]    whole numbers: unwrapped position = position + a · A + b · B + c · C
 */
export const travelBlocks = [
  {
    name: 'last_position',
    type: 'f64',
    width: 4,
    members: ['last_x', 'last_y', 'last_z', null],
    dimension: { length: 1 },
  },
  { name: 'turns', type: 'f64', width: 4, members: ['turns_a', 'turns_b', 'turns_c', null] },
] as const;

const positions = { rx: 'real', ry: 'real', rz: 'real' } as const;
const last = { last_x: 'real', last_y: 'real', last_z: 'real' } as const;
const turns = { turns_a: 'real', turns_b: 'real', turns_c: 'real' } as const;
const matrix = {
  ax: 'real',
  ay: 'real',
  az: 'real',
  bx: 'real',
  by: 'real',
  bz: 'real',
  cx: 'real',
  cy: 'real',
  cz: 'real',
} as const;

/** Parameters are columns of the inverse box matrix, zero along open axes. */
export const followTravel = cellFunctor(
  { name: 'follow_travel', fields: { ...last, ...turns }, read: positions, params: matrix },
  (i, p) => {
    const x = i.rx - i.last_x;
    const y = i.ry - i.last_y;
    const z = i.rz - i.last_z;
    i.turns_a -= Math.floor(x * p.ax + y * p.ay + z * p.az + 0.5);
    i.turns_b -= Math.floor(x * p.bx + y * p.by + z * p.bz + 0.5);
    i.turns_c -= Math.floor(x * p.cx + y * p.cy + z * p.cz + 0.5);
    i.last_x = i.rx;
    i.last_y = i.ry;
    i.last_z = i.rz;
  },
);

const beginTravel = cellFunctor(
  { name: 'begin_travel', fields: { ...last, ...turns }, read: positions },
  (i) => {
    i.last_x = i.rx;
    i.last_y = i.ry;
    i.last_z = i.rz;
    i.turns_a = 0;
    i.turns_b = 0;
    i.turns_c = 0;
  },
);

/** Notes where particles have gone since the last look; the first look begins. Nothing is awaited. */
export function follow(grid: Grid, ctx: ExecutionContext): void {
  const isNew = !travelBlocks.every(({ name }) => grid.blocks.has(name));
  for (const spec of travelBlocks) grid.addBlock(spec);
  if (isNew) computeCellParticles(grid, beginTravel, ctx);
  else computeCellParticles(grid, followTravel, ctx, { params: inverseOf(grid.domain) });
}

/** Goes on from the image flags of a file, three a particle in the order of the rows; without them particles begin where they are. */
export function beginTravelAt(grid: Grid, images: Int32Array): void {
  const [last, turns] = travelBlocks.map((spec) => grid.addBlock(spec));
  last!.array.set(grid.block('position').array as never);
  for (let row = 0; row < grid.count; row++)
    for (let axis = 0; axis < 3; axis++) turns!.array[4 * row + axis] = images[3 * row + axis]!;
  last!.hostWritten();
  turns!.hostWritten();
}

/** Positions in unwrapped space, for `Origins`; parameters are the rows of the box matrix. */
export const unwrapped: KeptVector = {
  read: { ...positions, ...turns },
  params: matrix,
  text: `const x = i.rx + i.turns_a * p.ax + i.turns_b * p.bx + i.turns_c * p.cx;
const y = i.ry + i.turns_a * p.ay + i.turns_b * p.by + i.turns_c * p.cy;
const z = i.rz + i.turns_a * p.az + i.turns_b * p.bz + i.turns_c * p.cz;`,
  at: (i, p) =>
    (['x', 'y', 'z'] as const).map(
      (axis) =>
        i[`r${axis}`]! +
        i.turns_a! * p[`a${axis}`]! +
        i.turns_b! * p[`b${axis}`]! +
        i.turns_c! * p[`c${axis}`]!,
    ),
  dimension: { length: 1 },
  productText: (now, then) => `(${now} - ${then}) * (${now} - ${then})`,
  product: (now, then) => (now - then) ** 2,
};

type Nine = { readonly [K in keyof typeof matrix]: number };

const nine = (of: (k: number) => number): Nine => ({
  ax: of(0),
  ay: of(1),
  az: of(2),
  bx: of(3),
  by: of(4),
  bz: of(5),
  cx: of(6),
  cy: of(7),
  cz: of(8),
});

/** Row by row. */
export const boxOf = ({ matrix }: Domain): Nine => nine((k) => matrix[k]!);

/** Column by column: what lattice coordinate a, b, c grows by along x, y, z. */
const inverseOf = ({ inverse: m, periodic }: Domain): Nine =>
  nine((k) => (periodic[Math.floor(k / 3)] ? m[3 * (k % 3) + Math.floor(k / 3)]! : 0));
