import { CorpuscleError, Domain } from '@corpuscle/core';
import { flipBox } from '../../box/flipBox.js';

/** Lengths and tilts of a box: x, y, z, yz, xz, xy. */
export type Six = [number, number, number, number, number, number];

/** A triangular map of positions, r′ = r + t + (r − o) · D. */
export interface TriangularMap {
  readonly o: readonly number[];
  readonly t: readonly number[];
  readonly d: Readonly<Record<'xx' | 'yy' | 'zz' | 'yx' | 'zx' | 'zy', number>>;
}

/**
 * The box of a barostat, by its strain rates ω: ḣ = ω h for lengths, and for tilts as in LAMMPS, where a lies along x and b in the
 * xy plane. Lengths change about the center that the box had at first,
 * without its tilts.
 */
export class PressureBox {
  #lengths: Six;
  #origin: number[];
  readonly #fixed: readonly number[];
  readonly #isTriclinic: boolean;
  /** The first box, where its vectors point anywhere: then it only scales. */
  readonly #first: Domain | null;
  readonly #periodic: Domain['periodic'];

  /** @throws CorpuscleError INVALID_VALUE for a box that cannot do what the coupling asks for. */
  constructor(domain: Domain, coupling: 'iso' | 'aniso' | 'triclinic', fixed?: readonly number[]) {
    const m = domain.matrix;
    const isStandard = m[1] === 0 && m[2] === 0 && m[5] === 0;
    if (!domain.periodic.every(Boolean))
      throw new CorpuscleError(
        'INVALID_VALUE',
        'a barostat needs a box that is periodic along all three vectors: change pbc, or leave the barostat out',
      );
    if (coupling === 'aniso' && !domain.isOrthorhombic)
      throw new CorpuscleError(
        'INVALID_VALUE',
        'coupling: aniso needs a box along x, y and z: use coupling: triclinic, or iso',
      );
    if (coupling === 'triclinic' && !isStandard)
      throw new CorpuscleError(
        'INVALID_VALUE',
        'coupling: triclinic needs a along x and b in the xy plane: turn the box, or use coupling: iso',
      );
    this.#lengths = [m[0]!, m[4]!, m[8]!, m[7]!, m[6]!, m[3]!];
    this.#origin = [...domain.origin];
    this.#fixed = fixed ?? (isStandard ? centerOf(domain) : domain.toCartesian(0.5, 0.5, 0.5));
    this.#isTriclinic = coupling === 'triclinic';
    this.#first = isStandard ? null : domain;
    this.#periodic = domain.periodic;
    if (this.#first) this.#lengths = [1, 1, 1, 0, 0, 0];
  }

  get fixed(): readonly number[] {
    return this.#fixed;
  }

  get volume(): number {
    const [x, y, z] = this.#lengths;
    return x * y * z * (this.#first?.volume ?? 1);
  }

  /** Goes on by a time with rates ω (xx, yy, zz, yz, xz, xy). @returns how positions follow. */
  advance(omega: readonly number[], time: number): TriangularMap {
    const before = [...this.#lengths];
    const origin = [...this.#origin];
    const h = this.#lengths;
    // Tilts take half before the lengths and half after, both with the lengths of before.
    if (this.#isTriclinic) tilt(h, omega, time);
    const grown = [0, 1, 2].map((k) => before[k]! * Math.exp(time * omega[k]!));
    if (this.#isTriclinic) tilt(h, omega, time);
    for (let k = 0; k < 3; k++) {
      h[k] = grown[k]!;
      const fixed = this.#fixed[k]!;
      this.#origin[k] = (origin[k]! - fixed) * Math.exp(time * omega[k]!) + fixed;
    }
    return mapOf(before, h, origin, this.#origin);
  }

  /** As a domain; `flip` exchanges lattice vectors that lean too far. */
  domain(): Domain {
    const [x, y, z, yz, xz, xy] = this.#lengths;
    const first = this.#first;
    const matrix = first ? first.matrix.map((value) => value * x) : [x, 0, 0, xy, y, 0, xz, yz, z];
    const [ox, oy, oz] = this.#origin;
    const options = { origin: [ox!, oy!, oz!] as const, periodic: this.#periodic };
    return Domain.triclinic(matrix, options);
  }

  /** Exchanges lattice vectors that lean too far. @returns the box then, or null where none does. */
  flip(domain: Domain): Domain | null {
    if (!this.#isTriclinic) return null;
    const flipped = flipBox(domain);
    if (flipped === domain) return null;
    const m = flipped.matrix;
    this.#lengths = [m[0]!, m[4]!, m[8]!, m[7]!, m[6]!, m[3]!];
    return flipped;
  }
}

/** The center of the box without its tilts, as LAMMPS has it: tilts leave it alone. */
const centerOf = ({ matrix, origin }: Domain): number[] =>
  origin.map((x, k) => x + matrix[4 * k]! / 2);

function tilt(h: Six, omega: readonly number[], time: number): void {
  const [x, y] = omega as Six;
  const [, ly, lz] = h;
  const xz = () => {
    const f = Math.exp((time / 8) * x);
    h[4] = (h[4] * f + (time / 4) * (omega[5]! * h[3] + omega[4]! * lz)) * f;
  };
  xz();
  const fy = Math.exp((time / 4) * y);
  h[3] = (h[3] * fy + (time / 2) * (omega[3]! * lz)) * fy;
  const fx = Math.exp((time / 4) * x);
  h[5] = (h[5] * fx + (time / 2) * (omega[5]! * ly)) * fx;
  xz();
}

/** The map that keeps lattice coordinates, from lengths and origin to others: D = H⁻¹ H′ − 1. */
function mapOf(
  [x, y, z, yz, xz, xy]: readonly number[],
  [X, Y, Z, YZ, XZ, XY]: readonly number[],
  o: readonly number[],
  O: readonly number[],
): TriangularMap {
  const [ix, iy, iz] = [1 / x!, 1 / y!, 1 / z!];
  const iyx = -xy! * ix * iy;
  const izy = -yz! * iy * iz;
  const izx = (xy! * yz! * iy - xz!) * ix * iz;
  return {
    o,
    t: o.map((value, k) => O[k]! - value),
    d: {
      xx: ix * X! - 1,
      yy: iy * Y! - 1,
      zz: iz * Z! - 1,
      yx: iyx * X! + iy * XY!,
      zx: izx * X! + izy * XY! + iz * XZ!,
      zy: izy * Y! + iz * YZ!,
    },
  };
}
