import type { Domain } from '@corpuscle/core';
import type { HaloFrame, HaloOrigin } from '@corpuscle/patterns/engines';
import type { Communicator } from '../communicator/Communicator.js';
import type { Link } from '../decomposition/links.js';

/**
 * Where ghosts come from: one origin for each rank and image, and how many have it. All ranks call it.
 * @param frame that of the own particles. @param links by rank. @param counts how many this rank sends by each
 */
export function haloOrigins(
  communicator: Communicator,
  domain: Domain,
  { edges, center }: HaloFrame,
  links: readonly Link[],
  counts: readonly number[],
): readonly (HaloOrigin & { readonly ghosts: number })[] {
  const told = communicator.exchange(
    Array.from({ length: communicator.size }, (_, rank) => {
      const numbers = links.flatMap((link, k) =>
        link.rank === rank ? [counts[k]!, ...link.boxes] : [],
      );
      return new Uint8Array(Float64Array.from([...edges, ...center, ...numbers]).buffer);
    }),
  );
  return told.flatMap(({ buffer }) => {
    const numbers = new Float64Array(buffer as ArrayBuffer);
    const frame = { edges: [...numbers.slice(0, 9)], center: [...numbers.slice(9, 12)] };
    return Array.from({ length: (numbers.length - 12) / 4 }, (_, k) => {
      const [ghosts, ...boxes] = numbers.slice(12 + 4 * k, 16 + 4 * k);
      return { frame, shift: vectorOf(boxes, domain), ghosts: ghosts! };
    });
  });
}

const vectorOf = (boxes: readonly number[], { matrix }: Domain): number[] =>
  [0, 1, 2].map(
    (k) => boxes[0]! * matrix[k]! + boxes[1]! * matrix[k + 3]! + boxes[2]! * matrix[k + 6]!,
  );
