import type { Grid } from '@corpuscle/core';
import { isInside, type ParticleView } from '../region/isInside.js';
import type { Region } from '../region/Region.js';

/** A test of rows: whether the particle is in a region. Host copies must be current. */
export function rowsWithin(grid: Grid, region: Region): (row: number) => boolean {
  const names = [...new Set(['rx', 'ry', 'rz', 'id', 'type', ...fieldsOf(region)])];
  const columns = names.map((name) => [name, grid.values(name)] as const);
  return (row) => {
    const particle: Record<string, number> = {};
    for (const [name, values] of columns) particle[name] = values[row]!;
    return isInside(region, particle as ParticleView);
  };
}

function fieldsOf(region: Region): string[] {
  switch (region.kind) {
    case 'interval':
      return [region.field];
    case 'group':
      return ['group_mask'];
    case 'union':
    case 'intersection':
      return region.of.flatMap(fieldsOf);
    case 'complement':
      return fieldsOf(region.of);
    default:
      return [];
  }
}
