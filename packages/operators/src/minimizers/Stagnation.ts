/** Evaluations without progress after which a search ends. */
const PATIENCE = 200;

/**
 * Notices that a search has come to the last digits of its precision: for many evaluations neither the energy nor the sum of squares
 * of all forces has been lower than ever before. In single precision that is where a force tolerance of 1e-9 ends.
 */
export class Stagnation {
  #energy = Number.POSITIVE_INFINITY;
  #squares = Number.POSITIVE_INFINITY;
  #waited = 0;

  /** @returns whether it is of no use to go on. @param evaluations since the last look */
  look(energy: number, squares: number, evaluations: number): boolean {
    const isLower = energy < this.#energy || squares < this.#squares;
    this.#waited = isLower ? 0 : this.#waited + evaluations;
    this.#energy = Math.min(this.#energy, energy);
    this.#squares = Math.min(this.#squares, squares);
    return this.#waited >= PATIENCE;
  }
}
