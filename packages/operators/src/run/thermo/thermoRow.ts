/** A symmetric tensor: xx, yy, zz, xy, xz, yz. */
export type Tensor = readonly [number, number, number, number, number, number];

/** One line of the thermo table; energies are totals. */
export interface ThermoRow {
  readonly step: number;
  readonly time: number;
  readonly temperature: number;
  readonly potential_energy: number;
  readonly kinetic_energy: number;
  readonly total_energy: number;
  readonly pressure: number;
  readonly pxx: number;
  readonly pyy: number;
  readonly pzz: number;
  readonly pxy: number;
  readonly pxz: number;
  readonly pyz: number;
  /** The total energy and what thermostats have taken, where the table has this column. */
  readonly conserved_quantity?: number;
}

/** The columns of `thermo.csv`, in order. */
export const thermoColumns = [
  'step',
  'time',
  'temperature',
  'potential_energy',
  'kinetic_energy',
  'total_energy',
  'pressure',
  'pxx',
  'pyy',
  'pzz',
  'pxy',
  'pxz',
  'pyz',
] as const satisfies readonly (keyof ThermoRow)[];

/** What a row is computed from; every number is in simulation units. */
export interface ThermoInput {
  readonly step: number;
  readonly time: number;
  readonly count: number;
  readonly volume: number;
  /** Degrees of freedom. Default 3N − 3. */
  readonly degrees?: number | undefined;
  /** Boltzmann's constant in the units of the run (1 in lj units). */
  readonly boltzmann: number;
  readonly potentialEnergy: number;
  /** Σ m v_a v_b. */
  readonly kinetic: Tensor;
  /** Σ over pairs of d_a F_b. */
  readonly virial: Tensor;
}

/**
 * Temperature, energies and the pressure tensor P_ab = (Σ m v_a v_b + W_ab) / V.
 * pressure = (pxx + pyy + pzz) / 3.
 */
export function thermoRow(input: ThermoInput): ThermoRow {
  const { kinetic, virial, volume } = input;
  const twice = kinetic[0] + kinetic[1] + kinetic[2];
  const degrees = input.degrees ?? 3 * input.count - 3;
  const pressure = (k: number): number => (kinetic[k]! + virial[k]!) / volume;
  const pxx = pressure(0);
  const pyy = pressure(1);
  const pzz = pressure(2);
  return {
    step: input.step,
    time: input.time,
    temperature: degrees > 0 ? twice / (degrees * input.boltzmann) : 0,
    potential_energy: input.potentialEnergy,
    kinetic_energy: twice / 2,
    total_energy: input.potentialEnergy + twice / 2,
    pressure: (pxx + pyy + pzz) / 3,
    pxx,
    pyy,
    pzz,
    pxy: pressure(3),
    pxz: pressure(4),
    pyz: pressure(5),
  };
}

/** One line of `thermo.csv`: every number reads back to the same f64. */
export function thermoLine(row: ThermoRow): string {
  let line = String(row.step);
  for (let k = 1; k < thermoColumns.length; k++) line += `,${row[thermoColumns[k]!]}`;
  return row.conserved_quantity === undefined ? line : `${line},${row.conserved_quantity}`;
}
