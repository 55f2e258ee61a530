import type { Domain } from '@corpuscle/core';

/** Places in a box, by cells that are at least as wide as a distance: tells whether one is closer than it to a point. */
export class PlaceTable {
  readonly #domain: Domain;
  readonly #distance: number;
  readonly #cells: readonly number[];
  readonly #members = new Map<number, number[]>();
  readonly #places: number[] = [];

  constructor(domain: Domain, distance: number) {
    this.#domain = domain;
    this.#distance = distance;
    // Cells along open axes go on beyond the box, and are never narrower than the distance.
    this.#cells = domain.heights.map((height, axis) =>
      domain.periodic[axis] ? Math.max(1, Math.floor(height / distance)) : height / distance,
    );
  }

  add(x: number, y: number, z: number): void {
    const key = this.#key(this.#cellOf(x, y, z));
    const member = this.#places.push(x, y, z) / 3 - 1;
    const members = this.#members.get(key);
    if (members) members.push(member);
    else this.#members.set(key, [member]);
  }

  /** Whether a place is closer than the distance to a point, at its nearest periodic image. */
  isNear(x: number, y: number, z: number): boolean {
    const cell = this.#cellOf(x, y, z);
    const seen = new Set<number>();
    for (let k = 0; k < 27; k++) {
      const near = [(k % 3) - 1, (Math.floor(k / 3) % 3) - 1, Math.floor(k / 9) - 1];
      const key = this.#key(cell.map((c, axis) => this.#wrapped(c + near[axis]!, axis)));
      if (seen.has(key)) continue;
      seen.add(key);
      for (const member of this.#members.get(key) ?? []) {
        const p = this.#places;
        const d = this.#domain.minimumImage(
          x - p[3 * member]!,
          y - p[3 * member + 1]!,
          z - p[3 * member + 2]!,
        );
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < this.#distance * this.#distance) return true;
      }
    }
    return false;
  }

  #cellOf(x: number, y: number, z: number): number[] {
    const s = this.#domain.toFractional(x, y, z);
    return s.map((value, axis) => this.#wrapped(Math.floor(value * this.#cells[axis]!), axis));
  }

  #wrapped(cell: number, axis: number): number {
    const n = this.#cells[axis]!;
    return this.#domain.periodic[axis] ? ((cell % n) + n) % n : cell;
  }

  #key([a, b, c]: readonly number[]): number {
    return a! + 1e5 * b! + 1e10 * c!;
  }
}
