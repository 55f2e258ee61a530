import type { Domain, NeighborList } from '@corpuscle/core';

/** Shifts of all images that a list may name, by number. @param domain the box of now */
export const imageTable = (list: NeighborList, domain: Domain): [number, number, number][] =>
  Array.from({ length: list.images }, (_, image) => domain.image(image));
