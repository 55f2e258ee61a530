import {
  type Domain,
  knownSlots,
  type OperatorNode,
  operatorsOf,
  type Simulation,
  type SimulationWarning,
} from '@corpuscle/core';
import { lastingBox } from '../../run/checkBoxes.js';
import { onePerPlace } from '../../run/places.js';
import { surfaceOf } from './wallOperator.js';
import { unit, type WallSurface } from './wallTerm.js';

/**
 * Walls and hard walls that reach through a face where space repeats. A particle that goes through the face is put back into the box when
 * lists are built, and then is at another distance of the wall: what it feels depends on when that is.
 */
export function wallsAcrossFaces({ root }: Simulation): readonly SimulationWarning[] {
  const domain = lastingBox(root);
  if (!domain) return [];
  const walls = onePerPlace([...operatorsOf(root)].filter(isWall)).map((node) => {
    const { rcut = 0 } = knownSlots(node) as { readonly rcut?: number };
    return { node, rcut, surface: surfaceIn(node) };
  });
  return walls.flatMap(({ node, rcut, surface }): SimulationWarning[] => {
    const { location } = node;
    if (!surface || !location) return [];
    const others = walls.flatMap((wall) => wall.surface ?? []);
    const axis = [0, 1, 2].find((k) => domain.periodic[k] && reaches(surface, rcut, domain, k));
    if (axis === undefined || isFaced(surface, others)) return [];
    return [{ message: across(node.definition.name, axis), location }];
  });
}

const across = (name: string, axis: number) =>
  `${name} knows no periodic images and reaches through a face along ${'xyz'[axis]}, where the box is periodic: what particles feel there depends on when lists are built; move it, or put change_box: { periodic: [${[0, 1, 2].map((k) => k !== axis).join(', ')}] } into setup_system`;

const isWall = ({ definition: { name } }: OperatorNode) => name === 'wall' || name === 'reflect';

/** The surface of a wall; null where only a run knows it, or where it is a mistake of its own. */
function surfaceIn(node: OperatorNode): WallSurface | null {
  try {
    return surfaceOf(knownSlots(node));
  } catch {
    return null;
  }
}

/** Whether a wall is another one for a particle that has gone through a face. */
function reaches(surface: WallSurface, rcut: number, domain: Domain, k: number): boolean {
  const { matrix, inverse, heights, origin } = domain;
  const along = [0, 1, 2].map((part) => matrix[3 * k + part]!);
  if (surface.kind === 'plane') return Math.abs(cosine(surface.normal, along)) > TINY;
  // Its distance to a lower face, and how far it goes toward faces.
  const normal = [0, 1, 2].map((part) => inverse[3 * part + k]! * heights[k]!);
  const { center, axis, radius, side } = surface;
  const tilt = axis ? Math.abs(cosine(axis, normal)) : 0;
  if (axis && 1 - Math.abs(cosine(axis, along)) < TINY) return false;
  if (tilt > TINY) return true;
  const reach = side === 'inside' ? radius : radius + rcut;
  const above = dot(
    center.map((x, part) => x - origin[part]!),
    normal,
  );
  return above < reach || above > heights[k]! - reach;
}

/** Whether another plane looks at a plane from beyond the particles: between both these do not come to a face. */
const isFaced = (one: WallSurface, others: readonly WallSurface[]): boolean =>
  one.kind === 'plane' &&
  others.some(
    (other) =>
      other.kind === 'plane' &&
      cosine(one.normal, other.normal) < TINY - 1 &&
      dot(
        other.point.map((x, k) => x - one.point[k]!),
        one.normal,
      ) > 0,
  );

const TINY = 1e-9;
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, x, k) => sum + x * b[k]!, 0);
const cosine = (a: readonly number[], b: readonly number[]) =>
  dot(unit(a as never, 'a direction'), unit(b as never, 'a direction'));
