import { CorpuscleError, type Grid } from '@corpuscle/core';

/** Operators that look for a blow-up. */
type Observer = 'update_neighbors' | 'thermo';

/**
 * Looks for the particle that spoilt a run, on host copies that are current.
 * @param seenBy the operator that has noticed it.
 * @param total what it has found of all particles together, such as an energy that is no number, if it was that.
 * @throws CorpuscleError NOT_FINITE naming the step, the operator and the particle: the first whose position, velocity or force
 *   is not finite; else `total`, or the fastest.
 */
export function reportBlowUp(grid: Grid, step: number, seenBy: Observer, total?: string): never {
  const blowUp = (id: number | bigint, what: string) =>
    new CorpuscleError(
      'NOT_FINITE',
      `the run blew up at step ${step} at particle ${id}: ${what}, as ${seenBy} has found; ${REMEDY}`,
    );
  const ids = grid.block('id').array;
  let fastest = 0;
  let worst = -1;
  for (const name of ['position', 'velocity', 'force'] as const) {
    const { array } = grid.block(name);
    for (let row = 0; row < grid.count; row++) {
      const x = Number(array[4 * row]);
      const y = Number(array[4 * row + 1]);
      const z = Number(array[4 * row + 2]);
      const size = x * x + y * y + z * z;
      if (!Number.isFinite(size))
        throw blowUp(ids[row]!, `its ${name} is (${x}, ${y}, ${z})${placeOf(grid, row, name)}`);
      if (name === 'velocity' && size > worst) {
        worst = size;
        fastest = row;
      }
    }
  }
  if (total)
    throw new CorpuscleError(
      'NOT_FINITE',
      `the run blew up at step ${step}: ${total}, as ${seenBy} has found, while positions, velocities and forces are finite; look at what the potentials compute, or ${REMEDY}`,
    );
  const speed = `its speed is ${Math.sqrt(worst).toPrecision(3)}`;
  throw blowUp(ids[fastest]!, `${speed}${placeOf(grid, fastest, 'velocity')}`);
}

const REMEDY =
  'lower dt, or start from a configuration without close pairs, and with no particle on a wall or beyond it';

/** Where the particle is, unless that has been said. */
function placeOf(grid: Grid, row: number, said: string): string {
  if (said === 'position') return '';
  const { array } = grid.block('position');
  const place = [0, 1, 2].map((c) => Number(Number(array[4 * row + c]).toPrecision(6)));
  return ` at (${place.join(', ')})`;
}
