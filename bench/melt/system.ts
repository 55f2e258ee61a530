/**
 * The melt of LAMMPS' bench/in.lj in reduced units: fcc at density 0.8442, T 1.44, cutoff 2.5, skin 0.3, time step 0.005,
 * 4 · repeat³ particles.
 */
export const system = {
  density: 0.8442,
  temperature: 1.44,
  rcut: 2.5,
  skin: 0.3,
  dt: 0.005,
  seed: 87287,
} as const;

/** What every code runs: so many steps to melt and warm up, then so many that are timed. */
export interface MeltCase {
  readonly repeat: number;
  readonly threads: number;
  readonly warmUp: number;
  readonly steps: number;
}

/** Cubes of fcc cells by name. */
export const sizes: Readonly<Record<string, number>> = {
  '4k': 10,
  '32k': 20,
  '256k': 40,
  '1M': 63,
  '16M': 159,
};

export const particles = ({ repeat }: { readonly repeat: number }): number => 4 * repeat ** 3;

/** Steps that take each code a few seconds, in multiples of 20, so that as many lists are built as in a long run. */
export function meltCase(repeat: number, threads: number): MeltCase {
  const steps = repeat <= 20 ? 200 : repeat <= 40 ? 60 : 20;
  return { repeat, threads, warmUp: Math.min(steps, 100), steps };
}
