/** Which voxels are neighbors: those that share a face, or also those that share an edge or a corner. */
export type VoxelNeighbors = 'faces' | 'all';

/** Voxels, x fastest, and along which axes they repeat. */
export interface VoxelGrid {
  readonly dims: readonly [number, number, number];
  readonly periodic: readonly [boolean, boolean, boolean];
}

/** Connected components. */
export interface Components {
  /** 0 outside, and from 1 on in the order of the first voxel of each component, x fastest. */
  readonly labels: Uint32Array;
  readonly count: number;
}

/**
 * Labels the connected components of voxels. Every voxel is joined with those neighbors that come before it, across periodic faces too
 * (union and find with halved paths, so that the work grows with the number of voxels).
 *
 * @param isInside not 0 for voxels that belong to a component
 */
export function labelComponents(
  { dims, periodic }: VoxelGrid,
  isInside: ArrayLike<number>,
  neighbors: VoxelNeighbors = 'faces',
): Components {
  const [nx, ny, nz] = dims;
  const parent = new Uint32Array(nx * ny * nz);
  for (let k = 0; k < parent.length; k++) parent[k] = k;
  const rootOf = (voxel: number): number => {
    let at = voxel;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  const offsets = halfOfNeighbors(neighbors);
  for (let z = 0; z < nz; z++)
    for (let y = 0; y < ny; y++)
      for (let x = 0; x < nx; x++) {
        const voxel = x + nx * (y + ny * z);
        if (!isInside[voxel]) continue;
        for (const [dx, dy, dz] of offsets) {
          const at = [x + dx, y + dy, z + dz];
          if (at.some((u, k) => !periodic[k] && (u < 0 || u >= dims[k]!))) continue;
          const [u, v, w] = at.map((c, k) => (c + dims[k]!) % dims[k]!) as [number, number, number];
          const other = u + nx * (v + ny * w);
          if (!isInside[other]) continue;
          const [a, b] = [rootOf(voxel), rootOf(other)];
          // The first voxel of a component is its root.
          if (a < b) parent[b] = a;
          else parent[a] = b;
        }
      }
  const labels = new Uint32Array(parent.length);
  let count = 0;
  for (let k = 0; k < parent.length; k++)
    if (isInside[k]) labels[k] = parent[k] === k ? ++count : labels[rootOf(k)]!;
  return { labels, count };
}

/** One of each two neighbors that are opposite to each other. */
function halfOfNeighbors(neighbors: VoxelNeighbors): (readonly [number, number, number])[] {
  const half: (readonly [number, number, number])[] = [];
  for (let z = -1; z <= 0; z++)
    for (let y = -1; y <= (z < 0 ? 1 : 0); y++)
      for (let x = -1; x <= (z < 0 || y < 0 ? 1 : -1); x++)
        if (neighbors === 'all' || Math.abs(x) + Math.abs(y) + Math.abs(z) === 1)
          half.push([x, y, z]);
  return half;
}
