// Crystals in boxes: as many sites as `create_atoms box` of LAMMPS makes (29 Sep 2021, units metal).

import { Domain } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { latticePlaces } from '../../packages/operators/src/sets/change/latticePlaces.js';
import {
  type StructureName,
  structures,
} from '../../packages/operators/src/system/lattice/structures.js';

type Rows = readonly (readonly number[])[];

const EDGE = 9.6;
const straight = [EDGE, 0, 0, 0, EDGE, 0, 0, 0, EDGE];
const leaning = [EDGE, 0, 0, 3, EDGE, 0, -2, 1, EDGE];

const crystal = (name: StructureName, latticeConstant: number, orient?: Rows) => {
  const { edges, basis } = structures[name];
  const vectors = edges.map((edge, k) => [0, 1, 2].map((c) => (c === k ? edge : 0)));
  return { latticeConstant, vectors, basis, ...(orient && { orient }) };
};

const crystals = {
  bcc: crystal('bcc', 1.3),
  'fcc, whole cells': crystal('fcc', 1.6),
  diamond: crystal('diamond', 2.1),
  hcp: crystal('hcp', 1.1),
  'sc 1': crystal('sc', 1),
  'fcc 110': crystal('fcc', 1.6, [
    [1, 1, 0],
    [-1, 1, 0],
    [0, 0, 1],
  ]),
  'fcc 111': crystal('fcc', 1.6, [
    [1, -1, 0],
    [1, 1, -2],
    [1, 1, 1],
  ]),
  'bcc 111': crystal('bcc', 1.3, [
    [1, 1, 1],
    [-1, 1, 0],
    [-1, -1, 2],
  ]),
  'diamond 210': crystal('diamond', 2.1, [
    [2, 1, 0],
    [-1, 2, 0],
    [0, 0, 1],
  ]),
  'a lattice of its own': {
    latticeConstant: 1,
    vectors: [
      [1.5, 0, 0],
      [0.3, 1.2, 0],
      [0.1, -0.2, 1.4],
    ],
    basis: [
      [0, 0, 0],
      [0.3, 0.4, 0.5],
    ],
  },
  'the same, turned': {
    latticeConstant: 1.1,
    vectors: [
      [1.5, 0, 0],
      [0, 1.2, 0],
      [0, 0, 1.4],
    ],
    basis: [
      [0, 0, 0],
      [0.3, 0.4, 0.5],
    ],
    orient: [
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ],
  },
} as const;

const counts: Readonly<Record<keyof typeof crystals, readonly [box: number, leaning: number]>> = {
  bcc: [855, 829],
  'fcc, whole cells': [864, 864],
  diamond: [865, 796],
  hcp: [1044, 981],
  'sc 1': [1000, 929],
  'fcc 110': [870, 866],
  'fcc 111': [935, 920],
  'bcc 111': [912, 844],
  'diamond 210': [805, 792],
  'a lattice of its own': [714, 718],
  'the same, turned': [588, 549],
};

it.each(Object.entries(counts))('%s', (name, [box, inLeaning]) => {
  const places = (matrix: number[], periodic: readonly [boolean, boolean, boolean]) =>
    latticePlaces(Domain.triclinic(matrix, { periodic }), crystals[name as keyof typeof crystals]);
  expect(places(straight, [true, true, true])).toHaveLength(box);
  expect(places(leaning, [true, true, true])).toHaveLength(inLeaning);
  // The upper faces of an open box belong to no cell either: whole cells fill it, as there.
  expect(places(straight, [false, false, false])).toHaveLength(box);
});
