import { CorpuscleError, type Domain, type Saved } from '@corpuscle/core';
import { Chain, type SavedChain } from './Chain.js';
import { PressureBox, type TriangularMap } from './PressureBox.js';

/** What a Nosé–Hoover run holds constant; every number is in simulation units. */
export interface MtkOptions {
  /** kT at the end of a step; null for NPH. */
  readonly kT: number | null;
  readonly tau: number;
  readonly pressure: number;
  readonly tauPressure: number;
  readonly coupling: 'iso' | 'aniso' | 'triclinic';
  readonly dt: number;
  /** Thermostats of each chain. */
  readonly chain: number;
}

/** What it is coupled to. */
export interface MtkSystem {
  readonly count: number;
  /** Degrees of freedom. */
  readonly degrees: number;
  /** Σ m v_a v_b: xx, yy, zz, yz, xz, xy. */
  readonly kinetic: readonly number[];
  /** Σ d_a F_b, in the same order. */
  readonly virial: readonly number[];
}

type SavedMtk = {
  readonly omega: readonly number[];
  readonly kT: number;
  readonly massKT: number;
  readonly fixed: readonly number[];
  readonly thermostat: SavedChain;
  readonly barostat: SavedChain;
};

/**
 * Constant pressure, and temperature, by the equations of Martyna, Tobias and Klein (J. Chem. Phys. 101, 4177 (1994)), in the
 * splitting of `fix npt` and `fix nph` of LAMMPS:
 *
 *   first   chain of the box ½, chain of the particles ½, ω ½, v by ω ½, v by forces ½, box ½, r by v, box ½
 *   second  v by forces ½, v by ω ½, ω ½, chain of the particles ½, chain of the box ½
 */
export class Mtk {
  readonly box: PressureBox;
  #options: MtkOptions;
  /** Strain rates: xx, yy, zz, yz, xz, xy. */
  #omega = [0, 0, 0, 0, 0, 0];
  readonly #thermostat: Chain;
  readonly #barostat: Chain;
  /** The temperature that masses of the box follow from: that at the beginning. */
  readonly #massKT: number;
  /** The present one, of the chain of the box: for NPH that at the beginning. */
  #kT: number;

  /**
   * @param options as they are before the first step
   * @throws CorpuscleError INVALID_VALUE for a box that cannot do what the coupling asks for.
   */
  constructor(options: MtkOptions, domain: Domain, system: MtkSystem, saved?: Saved) {
    this.#options = options;
    this.#thermostat = new Chain(options.chain);
    this.#barostat = new Chain(options.chain);
    const first = saved === undefined ? null : savedMtk(saved);
    this.box = new PressureBox(domain, options.coupling, first?.fixed);
    this.#kT = first?.kT ?? options.kT ?? sum(system.kinetic) / system.degrees;
    this.#massKT = first?.massKT ?? this.#kT;
    if (!first) return;
    this.#omega = [...first.omega];
    this.#thermostat.restore(first.thermostat);
    this.#barostat.restore(first.barostat);
  }

  /** First half of a step. @returns parameters of `moveInBox`. */
  first(options: MtkOptions, system: MtkSystem): MoveParams {
    this.#options = options;
    const { dt } = options;
    this.#pressChain(system); // with the temperature of before
    this.#kT = options.kT ?? this.#kT;
    const scale = this.#thermostatChain(system);
    const kinetic = system.kinetic.map((k) => k * scale * scale);
    this.#pushOmega({ ...system, kinetic });
    const one = this.box.advance(this.#omega, dt / 2);
    const two = this.box.advance(this.#omega, dt / 2);
    return {
      scale,
      dt,
      halfDt: dt / 2,
      ...this.#press(system.count),
      ...firstMap(one),
      ...secondMap(two),
    };
  }

  /** Parameters of `kickInBox`. */
  kick(options: MtkOptions, count: number): PressParams & { readonly halfDt: number } {
    this.#options = options;
    return { halfDt: this.#options.dt / 2, ...this.#press(count) };
  }

  /** Second half, after the kick. @returns the factor of all velocities. */
  second(options: MtkOptions, system: MtkSystem): number {
    this.#options = options;
    this.#pushOmega(system);
    const scale = this.#thermostatChain(system);
    this.#pressChain(system);
    return scale;
  }

  /** What the bath holds: with it and P V the energy of the particles is conserved. */
  bathEnergy({ count, degrees }: Pick<MtkSystem, 'count' | 'degrees'>): number {
    const { kT, pressure } = this.#options;
    const mass = this.#mass(count);
    const driven = this.#driven.reduce((total, k) => total + 0.5 * mass * this.#omega[k]! ** 2, 0);
    const thermostat = kT === null ? 0 : this.#thermostat.energy(this.#ofParticles(degrees));
    return driven + pressure * this.box.volume + thermostat + this.#barostat.energy(this.#ofBox());
  }

  /** All that goes on from a checkpoint. */
  save(): SavedMtk {
    return {
      omega: this.#omega,
      kT: this.#kT,
      massKT: this.#massKT,
      fixed: this.box.fixed,
      thermostat: this.#thermostat.save(),
      barostat: this.#barostat.save(),
    };
  }

  /** Components of ω that move. */
  get #driven(): readonly number[] {
    return this.#options.coupling === 'triclinic' ? [0, 1, 2, 3, 4, 5] : [0, 1, 2];
  }

  #mass(count: number): number {
    return (count + 1) * this.#massKT * this.#options.tauPressure ** 2;
  }

  #ofBox() {
    const { tauPressure, coupling } = this.#options;
    const mass = this.#massKT * tauPressure ** 2;
    const target = (coupling === 'iso' ? 1 : this.#driven.length) * this.#kT;
    return { target, mass, otherMass: mass, kT: this.#kT };
  }

  #ofParticles(degrees: number) {
    const kT = this.#options.kT!;
    const otherMass = kT * this.#options.tau ** 2;
    return { target: degrees * kT, mass: degrees * otherMass, otherMass, kT };
  }

  #pressChain({ count }: MtkSystem): void {
    const mass = this.#mass(count);
    const twice = this.#driven.reduce((total, k) => total + mass * this.#omega[k]! ** 2, 0);
    const factor = this.#barostat.halfStep({ twice, ...this.#ofBox() }, this.#options.dt);
    this.#omega = this.#omega.map((w) => w * factor);
  }

  #thermostatChain({ kinetic, degrees }: MtkSystem): number {
    if (this.#options.kT === null) return 1;
    return this.#thermostat.halfStep(
      { twice: sum(kinetic), ...this.#ofParticles(degrees) },
      this.#options.dt,
    );
  }

  #pushOmega({ kinetic, virial, count }: MtkSystem): void {
    const { coupling, pressure, dt } = this.#options;
    const { volume } = this.box;
    const mass = this.#mass(count);
    const present = kinetic.map((k, n) => (k + virial[n]!) / volume);
    const mean = (present[0]! + present[1]! + present[2]!) / 3;
    const perParticle = sum(kinetic) / (3 * count);
    for (const k of this.#driven) {
      const p = coupling === 'iso' ? mean : present[k]!;
      const force = k < 3 ? (p - pressure) * volume + perParticle : p * volume;
      this.#omega[k]! += (force / mass) * (dt / 2);
    }
  }

  #press(count: number) {
    const { dt } = this.#options;
    const [x, y, z, yz, xz, xy] = this.#omega as [number, number, number, number, number, number];
    const share = (x + y + z) / (3 * count);
    const g = (w: number) => Math.exp((-dt / 4) * (w + share));
    const s = (w: number) => (-dt / 2) * w;
    return { gx: g(x), gy: g(y), gz: g(z), sxy: s(xy), sxz: s(xz), syz: s(yz) };
  }
}

const sum = (tensor: readonly number[]): number => tensor[0]! + tensor[1]! + tensor[2]!;

function firstMap({ o, t, d }: TriangularMap) {
  const [ox, oy, oz] = o as Vector;
  const [tx, ty, tz] = t as Vector;
  const { xx: dxx, yy: dyy, zz: dzz, yx: dyx, zx: dzx, zy: dzy } = d;
  return { ox, oy, oz, tx, ty, tz, dxx, dyy, dzz, dyx, dzx, dzy };
}

function secondMap({ o, t, d }: TriangularMap) {
  const [Ox, Oy, Oz] = o as Vector;
  const [Tx, Ty, Tz] = t as Vector;
  const { xx: Dxx, yy: Dyy, zz: Dzz, yx: Dyx, zx: Dzx, zy: Dzy } = d;
  return { Ox, Oy, Oz, Tx, Ty, Tz, Dxx, Dyy, Dzz, Dyx, Dzx, Dzy };
}

type Vector = [number, number, number];
type PressParams = Readonly<Record<'gx' | 'gy' | 'gz' | 'sxy' | 'sxz' | 'syz', number>>;
type MoveParams = PressParams &
  ReturnType<typeof firstMap> &
  ReturnType<typeof secondMap> &
  Readonly<Record<'scale' | 'dt' | 'halfDt', number>>;

function savedMtk(saved: Saved): SavedMtk {
  const { omega, kT, massKT, fixed, thermostat, barostat } = (saved ?? {}) as Partial<SavedMtk>;
  const isNumbers = (x: unknown) => Array.isArray(x) && x.every(Number.isFinite);
  const isChain = (c: SavedChain | undefined) =>
    isNumbers(c?.positions) && isNumbers(c?.velocities);
  const isSound =
    isNumbers(omega) && omega!.length === 6 && Number.isFinite(kT! + massKT!) && isNumbers(fixed);
  if (isSound && isChain(thermostat) && isChain(barostat)) return saved as SavedMtk;
  throw new CorpuscleError('FILE_FORMAT', 'the checkpoint has no barostat that makes sense');
}
