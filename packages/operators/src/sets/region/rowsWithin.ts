import { CorpuscleError, didYouMean, type Grid } from '@corpuscle/core';
import { boxParamsOf } from '../../box/presentBox.js';
import { isInside, type ParticleView } from './isInside.js';
import { placeInBox } from './placeInBox.js';
import type { Region } from './Region.js';

const places = ['rx', 'ry', 'rz'] as const;

/**
 * A test of rows: whether the particle is in a region by its place within a periodic box. Host copies must be current.
 * @throws CorpuscleError INVALID_VALUE for a field that particles do not have
 */
export function rowsWithin(grid: Grid, region: Region): (row: number) => boolean {
  const names = new Set(fieldsOf(region));
  for (const name of names) checkField(grid, name);
  const isPlaced = places.some((name) => names.has(name));
  if (isPlaced) for (const name of places) names.add(name);
  const columns = [...names].map((name) => [name, grid.values(name)] as const);
  const particle: Record<string, number> = {};
  const { wholeDomain } = grid;
  const [ox, oy, oz] = wholeDomain.origin;
  const box = { ox, oy, oz, ...boxParamsOf(wholeDomain) };
  return (row) => {
    for (const [name, values] of columns) particle[name] = values[row]!;
    if (isPlaced) Object.assign(particle, placeInBox(particle, box));
    return isInside(region, particle as ParticleView);
  };
}

/** @throws CorpuscleError INVALID_VALUE for a field that particles do not have */
export function checkField(grid: Grid, name: string): void {
  if (grid.hasField(name)) return;
  const known = [...grid.blocks.values()].flatMap(({ spec }) => spec.members);
  throw unknownField(
    name,
    known.filter((member) => member !== null),
  );
}

/** A name that no field of the particles has. */
export const unknownField = (name: string, names: readonly string[]): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `particles have no field '${name}'${didYouMean(name, names, `put particle_properties: { fields: { ${name}: {} } } before it`)}`,
  );

/** What a region asks of particles. */
export function fieldsOf(region: Region): readonly string[] {
  switch (region.kind) {
    case 'interval':
      return [region.field];
    case 'types':
      return ['type'];
    case 'ids':
    case 'idSpan':
      return ['id'];
    case 'group':
      return ['group_mask'];
    case 'union':
    case 'intersection':
      return region.of.flatMap(fieldsOf);
    case 'complement':
      return fieldsOf(region.of);
    default:
      return ['rx', 'ry', 'rz'];
  }
}
