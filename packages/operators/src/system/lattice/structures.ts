/** A crystal structure: an orthorhombic cell (edges in units of the lattice constant) and its basis in fractions. */
export interface CrystalStructure {
  readonly edges: readonly [number, number, number];
  readonly basis: readonly (readonly [number, number, number])[];
}

const CUBE = [1, 1, 1] as const;
const FCC = [
  [0, 0, 0],
  [0.5, 0.5, 0],
  [0.5, 0, 0.5],
  [0, 0.5, 0.5],
] as const;

/** The structures `lattice` knows. hcp is the ideal one, in its orthorhombic cell of four. */
export const structures = {
  sc: { edges: CUBE, basis: [[0, 0, 0]] },
  bcc: {
    edges: CUBE,
    basis: [
      [0, 0, 0],
      [0.5, 0.5, 0.5],
    ],
  },
  fcc: { edges: CUBE, basis: FCC },
  diamond: {
    edges: CUBE,
    basis: [...FCC, ...FCC.map(([x, y, z]) => [x + 0.25, y + 0.25, z + 0.25] as const)],
  },
  hcp: {
    edges: [1, Math.sqrt(3), Math.sqrt(8 / 3)],
    basis: [
      [0, 0, 0],
      [0.5, 0.5, 0],
      [0.5, 5 / 6, 0.5],
      [0, 1 / 3, 0.5],
    ],
  },
} as const satisfies Record<string, CrystalStructure>;

/** Names of the crystals that `lattice` knows. */
export type StructureName = keyof typeof structures;
