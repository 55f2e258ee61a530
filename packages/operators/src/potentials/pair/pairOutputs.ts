/**
 * What every pair potential can give: forces, `ep` the energy of a particle, and vxx … vyz its share of the virial
 * Σ d_a F_b; of energy and virial, half of each pair's. Outputs that nobody asks for are not computed.
 */
export const pairOutputs = {
  fx: 'real',
  fy: 'real',
  fz: 'real',
  ep: 'real',
  vxx: 'real',
  vyy: 'real',
  vzz: 'real',
  vxy: 'real',
  vxz: 'real',
  vyz: 'real',
} as const;

/** What is done to a potential at its cutoff: nothing, u(rcut) = 0, or also u′(rcut) = 0. */
export type CutoffShift = 'none' | 'energy' | 'force';
export const cutoffShifts = ['none', 'energy', 'force'] as const satisfies readonly CutoffShift[];

/** A table that does not depend on the pair as one number, which kernels keep in a register. */
export function shortestTable(table: number[]): number[] {
  return table.every((value) => value === table[0]) ? table.slice(0, 1) : table;
}
