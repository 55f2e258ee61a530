/** What a chain of thermostats is coupled to. */
export interface Coupling {
  /** Twice the kinetic energy. */
  readonly twice: number;
  /** What it shall be: degrees of freedom times kT. */
  readonly target: number;
  /** Mass of the first thermostat of the chain, and of all others. */
  readonly mass: number;
  readonly otherMass: number;
  readonly kT: number;
}

/** A chain in a checkpoint. */
export type SavedChain = {
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
};

/**
 * A Nosé–Hoover chain of any length (Martyna, Tuckerman, Tobias and Klein, Mol. Phys. 87, 1117 (1996)), in the order of the steps
 * of `fix nvt` of LAMMPS.
 */
export class Chain {
  #positions: number[];
  #velocities: number[];

  constructor(length: number) {
    this.#positions = new Array<number>(length).fill(0);
    this.#velocities = new Array<number>(length).fill(0);
  }

  /** Half a time step. @returns the factor of the velocities that it is coupled to. */
  halfStep({ twice, target, mass, otherMass, kT }: Coupling, dt: number): number {
    const v = this.#velocities;
    const last = v.length - 1;
    const massOf = (k: number) => (k === 0 ? mass : otherMass);
    const force = (k: number, ofFirst: number) =>
      k === 0 ? (ofFirst - target) / mass : (massOf(k - 1) * v[k - 1]! ** 2 - kT) / otherMass;
    const drag = (k: number) => (k < last ? Math.exp((-dt / 8) * v[k + 1]!) : 1);
    const push = (k: number, by: number) => {
      const d = drag(k);
      v[k] = (v[k]! * d + (by * dt) / 4) * d;
    };
    // Forces of this moment: a velocity must not change the force on the next one before its turn.
    const before = v.map((_, k) => force(k, twice));
    for (let k = last; k >= 0; k--) push(k, before[k]!);
    const factor = Math.exp((-dt / 2) * v[0]!);
    for (let k = 0; k <= last; k++) this.#positions[k]! += (dt / 2) * v[k]!;
    const scaled = twice * factor * factor;
    const firstDrag = drag(0);
    v[0] = (v[0]! * firstDrag + (force(0, scaled) * dt) / 4) * firstDrag;
    for (let k = 1; k <= last; k++) {
      const d = drag(k);
      v[k] = v[k]! * d;
      v[k] = (v[k]! + (force(k, scaled) * dt) / 4) * d;
    }
    return factor;
  }

  /** Its energy, kinetic and potential. */
  energy({ target, mass, otherMass, kT }: Omit<Coupling, 'twice'>): number {
    return this.#velocities.reduce(
      (sum, v, k) =>
        sum +
        0.5 * (k === 0 ? mass : otherMass) * v * v +
        (k === 0 ? target : kT) * this.#positions[k]!,
      0,
    );
  }

  save(): SavedChain {
    return { positions: this.#positions, velocities: this.#velocities };
  }

  restore({ positions, velocities }: SavedChain): void {
    this.#positions = [...positions];
    this.#velocities = [...velocities];
  }
}
