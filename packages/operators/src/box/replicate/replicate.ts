import { CorpuscleError, Domain, type FieldBlock, type Grid, imageFlags } from '@corpuscle/core';
import type { Bond } from '../../bonds/Bonds.js';
import { bondParticles, bondsOf } from '../../bonds/bondParticles.js';

type Repeat = readonly [number, number, number];

/**
 * Repeats a grid's box and everything in it along its lattice vectors. All fields are copied. The ids of copy k are those of
 * the first plus k times their span, with a as the fastest axis. Bonds across the box lead to the next copy. Image flags are 0:
 * particles begin where they are.
 *
 * Host blocks must be current (`newestOnHost`). Call-bound engines notice by the number of particles.
 *
 * @throws CorpuscleError INVALID_VALUE for repeats that are not whole numbers above 0, or more than 10⁸ particles.
 * @example
 * await newestOnHost(grid, ctx);
 * replicate(grid, [2, 2, 1]);
 */
export function replicate(grid: Grid, repeat: Repeat): void {
  const copies = repeat[0] * repeat[1] * repeat[2];
  if (!repeat.every((n) => Number.isInteger(n) && n > 0) || copies * grid.count > 1e8)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `replicate [${repeat.join(', ')}] of ${grid.count} particles: give whole numbers above 0, and no more than 10⁸ particles`,
    );
  if (copies === 1) return;
  const { domain, count } = grid;
  const shifts = shiftsOf(domain, repeat);
  const span = idSpan(grid);
  const bonds = bondsOf(grid);
  const copiedBonds = bonds && bondCopies(grid, bonds.bonds, repeat, span);
  const before = [...grid.blocks.values()].map((block) => ({
    block,
    values: block.array.slice(0, count * block.spec.width),
  }));
  grid.domain = Domain.triclinic(
    domain.matrix.map((x, k) => x * repeat[Math.floor(k / 3) as 0 | 1 | 2]),
    { origin: domain.origin, periodic: domain.periodic },
  );
  grid.resize(copies * count);
  for (const { block, values } of before) copyRows(block, values, copies);
  const position = grid.block('position');
  const id = grid.block('id').array as BigUint64Array;
  for (let copy = 1; copy < copies; copy++)
    for (let row = copy * count; row < (copy + 1) * count; row++) {
      for (let k = 0; k < 3; k++)
        (position.array as Float64Array)[4 * row + k]! += shifts[copy]![k]!;
      id[row]! += BigInt(copy * span);
    }
  const images = grid.blocks.get(imageFlags.name)?.array as Int32Array | undefined;
  images?.fill(0);
  for (const block of grid.blocks.values()) block.rewritten();
  if (bonds && copiedBonds) bondParticles(grid, copiedBonds, bonds.scaling);
}

function shiftsOf({ matrix: m }: Domain, [na, nb, nc]: Repeat): number[][] {
  const shifts: number[][] = [];
  for (let c = 0; c < nc; c++)
    for (let b = 0; b < nb; b++)
      for (let a = 0; a < na; a++)
        shifts.push([0, 1, 2].map((k) => a * m[k]! + b * m[3 + k]! + c * m[6 + k]!));
  return shifts;
}

/** One more than the largest difference of ids. */
export function idSpan(grid: Grid): number {
  const ids = grid.values('id');
  let [least, most] = [Infinity, -Infinity];
  for (const id of ids) {
    least = Math.min(least, id);
    most = Math.max(most, id);
  }
  return most - least + 1;
}

function copyRows({ array }: FieldBlock, values: FieldBlock['array'], copies: number): void {
  for (let copy = 0; copy < copies; copy++) {
    if (array instanceof BigUint64Array) array.set(values as BigUint64Array, copy * values.length);
    else array.set(values as Float64Array, copy * values.length);
  }
}

/** A bond of the first copy, in all: the other particle may be in the next one. */
function bondCopies(grid: Grid, bonds: readonly Bond[], repeat: Repeat, span: number): Bond[] {
  const { domain } = grid;
  const ids = grid.values('id');
  const rowOf = new Map(Array.from(ids, (id, row) => [id, row]));
  const positions = grid.block('position').array as Float64Array;
  const copyAt = (place: readonly number[]): number => {
    const [a, b, c] = place.map((x, k) => ((x % repeat[k]!) + repeat[k]!) % repeat[k]!);
    return (c! * repeat[1] + b!) * repeat[0] + a!;
  };
  const boxes = shiftsOf(Domain.orthorhombic([1, 1, 1]), repeat);
  return bonds.flatMap((bond) => {
    const [i, j] = bond.ids.map((id) => 4 * rowOf.get(id)!);
    const d = [0, 1, 2].map((k) => positions[j! + k]! - positions[i! + k]!);
    const nearest = domain.minimumImage(d[0]!, d[1]!, d[2]!);
    const [x, y, z] = [0, 1, 2].map((k) => domain.origin[k]! + nearest[k]! - d[k]!);
    const away = domain.toFractional(x!, y!, z!).map(Math.round);
    return boxes.map((box): Bond => {
      const [from, to] = [copyAt(box), copyAt(box.map((n, k) => n + away[k]!))];
      return { ...bond, ids: [bond.ids[0] + from * span, bond.ids[1] + to * span] };
    });
  });
}
