import type { BlockSpec } from './FieldSpec.js';

/** The blocks every grid has. Positions are Cartesian and, after a rebuild, inside the box along periodic axes. */
export const standardBlocks: readonly BlockSpec[] = [
  {
    name: 'position',
    type: 'f64',
    width: 4,
    members: ['rx', 'ry', 'rz', null],
    dimension: { length: 1 },
  },
  {
    name: 'velocity',
    type: 'f64',
    width: 4,
    members: ['vx', 'vy', 'vz', null],
    dimension: { length: 1, time: -1 },
  },
  // fx, fy, fz and the particle's energy share a row: a pair kernel updates all four with two SIMD stores.
  { name: 'force', type: 'f64', width: 4, members: ['fx', 'fy', 'fz', 'ep'] },
  { name: 'type', type: 'u32', width: 1, members: ['type'] },
  { name: 'mass', type: 'f64', width: 1, members: ['mass'], dimension: { mass: 1 } },
  { name: 'charge', type: 'f64', width: 1, members: ['charge'], dimension: { charge: 1 } },
  { name: 'id', type: 'u64', width: 1, members: ['id'] },
];
