/**
 * CODATA 2022 values in SI (Mohr et al., Rev. Mod. Phys. 97, 025002, 2025; physics.nist.gov/constants).
 * The first four are exact by the definition of the SI of 2019 and equal in CODATA 2018.
 */
export const constants = {
  boltzmann: 1.380649e-23,
  elementaryCharge: 1.602176634e-19,
  avogadro: 6.02214076e23,
  planck: 6.62607015e-34,
  dalton: 1.66053906892e-27,
  electronMass: 9.1093837139e-31,
  bohrRadius: 5.29177210544e-11,
  hartree: 4.359744722206e-18,
  atomicTime: 2.4188843265864e-17,
  /** Vacuum electric permittivity. */
  permittivity: 8.8541878188e-12,
} as const;
