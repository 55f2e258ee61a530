import { Domain } from '@corpuscle/core';

/** A box at the limit of half a length must not flip to and fro. */
const MOST = 0.6;

/**
 * The same lattice with vectors that are less tilted: whole multiples of a are taken off b, and of b and a off c, where
 * they lean over by more than 0.6 of a length (xy > 0.6 L_x, and so on). Particles stay where they are.
 *
 * @returns the domain itself where nothing is tilted so far.
 */
export function flipBox(domain: Domain): Domain {
  const { periodic, origin, matrix } = domain;
  const [a, b, c] = [matrix.slice(0, 3), matrix.slice(3, 6), matrix.slice(6)];
  let isFlipped = false;
  /** Takes whole multiples of `by` off a vector, by how far it leans along a direction. */
  const straighten = (v: Row, by: Row, along: Row): Row => {
    const lean = dot(v, along) / dot(along, along);
    if (Math.abs(lean) <= MOST) return v;
    isFlipped = true;
    return minus(v, by, Math.round(lean));
  };
  const [pa, pb, pc] = periodic;
  const newB = pa && pb ? straighten(b, a, a) : b;
  // What is left of b across a is where c leans along b.
  const across = minus(newB, a, dot(newB, a) / dot(a, a));
  const nearB = pb && pc ? straighten(c, newB, across) : c;
  const newC = pa && pc ? straighten(nearB, a, a) : nearB;
  return isFlipped ? Domain.triclinic([...a, ...newB, ...newC], { origin, periodic }) : domain;
}

type Row = readonly number[];

const dot = (a: Row, b: Row): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const minus = (a: Row, b: Row, times: number): Row => a.map((x, k) => x - times * b[k]!);
