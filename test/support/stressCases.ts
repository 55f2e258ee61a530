/** Velocities of the particles whose stresses LAMMPS has computed; their sum is not zero. */
export const stressVelocities = (count: number): number[] =>
  Array.from({ length: 3 * count }, (_, k) => 0.4 * Math.sin(1.7 * k * k + 0.3) + 0.05 * (k % 3));
