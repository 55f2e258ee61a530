/**
 * What the trait `needsCellParticleIndex` makes of these names in `read`, all u32: the number of the particle's cell in the
 * last sort, its coordinates, the place within the cell, and the row.
 */
export const indexFields = ['cell', 'slot', 'index', 'cellX', 'cellY', 'cellZ'] as const;

/** The name of a field that the engine fills in. */
export type IndexField = (typeof indexFields)[number];

/** Whether a field is filled in by the engine and not read from the grid. */
export const isIndexField = (name: string): name is IndexField =>
  (indexFields as readonly string[]).includes(name);
