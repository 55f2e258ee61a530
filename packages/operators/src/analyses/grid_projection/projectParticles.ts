import { CorpuscleError, type Grid } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';

/** What is wrong with a box that leans. */
export const SKEWED =
  'the box is skewed, but voxels have right angles: project in an orthorhombic box';

/** Quantities beside the fields of the grid. */
export const projectedQuantities = [
  'count',
  'density',
  'mass',
  'mass_density',
  'temperature',
] as const;

/** What is projected, and on voxels of which size. */
export interface ProjectionOptions {
  /**
   * What to project: `count`, `density` (particles a volume), `mass`, `mass_density`, `temperature` (Σ m v² / 3 n k), or any
   * field of the grid, whose mean over the particles of a voxel is taken; 0 where there are none.
   */
  readonly fields: readonly string[];
  /** Least width of a cell, in length units. Default: cells of eight particles on average. */
  readonly cellSize?: number | undefined;
  /** Voxels along each edge of a cell. Default 1. */
  readonly subdivisions?: number | undefined;
  /** Boltzmann constant in the units of the simulation. Default 1. */
  readonly boltzmann?: number | undefined;
  /** Rows of the particles that count; default all. */
  readonly rows?: Uint32Array | undefined;
}

/** Fields on a regular grid of voxels, x fastest. */
export interface Projection {
  readonly dims: readonly [number, number, number];
  readonly origin: readonly [number, number, number];
  /** Edges of a voxel. */
  readonly spacing: readonly [number, number, number];
  readonly fields: Readonly<Record<string, Float64Array>>;
}

/** A field of so many takes 1 GiB. */
const MOST_VOXELS = 2 ** 27;

/**
 * Projects particles on the cells of a box, each divided into subdivisions³ voxels: every particle counts in the voxel it
 * lies in, so that sums over all voxels are sums over all particles. Particles beyond an open face count in the voxels
 * at that face.
 *
 * @throws CorpuscleError INVALID_VALUE for a box without right angles, or subdivisions below 1; UNKNOWN_FIELD.
 * @example
 * const { dims, fields } = await projectParticles(grid, ctx, { fields: ['density'], cellSize: 2, subdivisions: 2 });
 */
export async function projectParticles(
  grid: Grid,
  ctx: ExecutionContext,
  options: ProjectionOptions,
): Promise<Projection> {
  const { fields, subdivisions = 1, boltzmann = 1 } = options;
  const { domain, count } = grid;
  const rows = options.rows ?? Uint32Array.from({ length: count }, (_, row) => row);
  if (!domain.isOrthorhombic) {
    throw new CorpuscleError('INVALID_VALUE', SKEWED);
  }
  if (!Number.isInteger(subdivisions) || subdivisions < 1) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `subdivisions is ${subdivisions}: give a whole number ≥ 1`,
    );
  }
  const own = fields.filter((name) => !isQuantity(name));
  for (const name of own) grid.field(name);
  await newestOnHost(grid, ctx);
  const edges = [domain.matrix[0]!, domain.matrix[4]!, domain.matrix[8]!];
  const size = options.cellSize ?? Math.cbrt((8 * domain.volume) / Math.max(1, count));
  const dims = edges.map((edge) => subdivisions * Math.max(1, Math.floor(edge / size))) as Triple;
  const voxelCount = dims[0] * dims[1] * dims[2];
  if (!(voxelCount <= MOST_VOXELS))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `the projection would have ${voxelCount} voxels, more than ${MOST_VOXELS}: enlarge cell_size or lower subdivisions`,
    );
  const spacing = edges.map((edge, k) => edge / dims[k]!) as Triple;
  const voxels = voxelOfEach(grid, dims);
  const volume = spacing[0] * spacing[1] * spacing[2];
  const sum = (value: (row: number) => number): Float64Array => {
    const total = new Float64Array(voxelCount);
    for (const row of rows) total[voxels[row]!] = total[voxels[row]!]! + value(row);
    return total;
  };
  const number = sum(() => 1);
  const mean = (total: Float64Array): Float64Array =>
    total.map((x, k) => (number[k] === 0 ? 0 : x / number[k]!));
  const mass = () => grid.values('mass');
  const make: Record<string, () => Float64Array> = {
    count: () => number.slice(),
    density: () => number.map((n) => n / volume),
    mass: () => sumOf(sum, mass()),
    mass_density: () => sumOf(sum, mass()).map((m) => m / volume),
    temperature() {
      const [m, x, y, z] = ['mass', 'vx', 'vy', 'vz'].map((name) => grid.values(name));
      const twice = sum((k) => m![k]! * (x![k]! ** 2 + y![k]! ** 2 + z![k]! ** 2));
      return mean(twice).map((e) => e / (3 * boltzmann));
    },
  };
  return {
    dims,
    origin: [domain.origin[0], domain.origin[1], domain.origin[2]],
    spacing,
    fields: Object.fromEntries(
      fields.map((name) => [name, make[name]?.() ?? mean(sumOf(sum, grid.values(name)))]),
    ),
  };
}

type Triple = [number, number, number];

const isQuantity = (name: string): boolean =>
  (projectedQuantities as readonly string[]).includes(name);

const sumOf = (
  sum: (value: (row: number) => number) => Float64Array,
  values: Float64Array,
): Float64Array => sum((row) => values[row]!);

function voxelOfEach(grid: Grid, dims: Triple): Uint32Array {
  const { domain, count } = grid;
  const position = grid.block('position').array;
  const voxels = new Uint32Array(count);
  for (let row = 0; row < count; row++) {
    const [x, y, z] = [0, 1, 2].map((k) => Number(position[4 * row + k]));
    const s = domain.toFractional(x!, y!, z!);
    const at = s.map((u, k) => {
      const inside = domain.periodic[k as 0 | 1 | 2] ? u - Math.floor(u) : u;
      return Math.min(dims[k]! - 1, Math.max(0, Math.floor(inside * dims[k]!)));
    });
    voxels[row] = at[0]! + dims[0] * (at[1]! + dims[1] * at[2]!);
  }
  return voxels;
}
