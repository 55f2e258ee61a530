/** What stochastic cell rescaling knows at a step; every number is in simulation units. */
export interface CellRescaling {
  readonly volume: number;
  /** Of the particles, virial and kinetic. */
  readonly pressure: number;
  readonly target: number;
  readonly kT: number;
  readonly compressibility: number;
  readonly tau: number;
  /** Time since the last change. */
  readonly time: number;
  /** Degrees of freedom that the total momentum does not have: 3 where it is always zero. */
  readonly missing: number;
  /** A number of the standard normal distribution. */
  readonly noise: number;
}

/**
 * The next volume of stochastic cell rescaling (Bernetti and Bussi, J. Chem. Phys. 153, 114107 (2020)). In λ = √V noise
 * does not depend on the volume:
 *
 *   dλ = −(β λ / 2τ) (P0 − P − m kT/V − kT/2V) dt + √(kT β / 2τ) dW
 *
 * m = 1 where the total momentum is zero: P then lacks the kT/V of the center of mass, which is anywhere in the volume.
 */
export function nextVolume(options: CellRescaling): number {
  const { volume, pressure, target, kT, compressibility, tau, time, missing, noise } = options;
  const root = Math.sqrt(volume);
  const excess = pressure - target + ((missing / 3 + 0.5) * kT) / volume;
  const drift = ((compressibility * root) / (2 * tau)) * excess * time;
  const spread = Math.sqrt((kT * compressibility * time) / (2 * tau));
  return (root + drift + spread * noise) ** 2;
}
