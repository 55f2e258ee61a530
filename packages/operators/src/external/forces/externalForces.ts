import { dimensions, type OperatorDefinition } from '@corpuscle/core';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { externalOperator } from '../externalOperator.js';
import { lengthSlot, vector, vectorSlot } from '../slots.js';
import { springTerm, springWeights } from './centerSpring.js';
import { constantForce, constantForceTerm } from './constantForce.js';
import { harmonicForce, harmonicForceTerm } from './harmonicForce.js';
import { selfSpring, selfSpringTerm, setAnchors } from './selfSpring.js';
import { freezeParticles, freezeTerm, setForce, setForceTerm } from './setForce.js';

const energyNote =
  'Energy counts along directions in which the box does not repeat: −f · r. Nothing is added to the pressure.';

const k = {
  type: 'quantity',
  dimension: dimensions.stiffness,
  min: 0,
  required: true,
  doc: 'spring constant: u = k/2 (d − r0)²',
} as const;
const r0 = { ...lengthSlot('length at rest'), min: 0, default: 0 } as const;
const axes = {
  type: 'enum',
  values: ['x', 'y', 'z', 'xy', 'xz', 'yz', 'xyz'],
  default: 'xyz',
  doc: 'axes along which distances count',
} as const;
const component = (axis: string) =>
  ({
    type: 'quantity',
    dimension: dimensions.force,
    doc: `the force along ${axis}; absent: it stays as it is`,
  }) as const;

/** Operators of external forces, to be put into `compute_force`. */
export const externalForces: readonly OperatorDefinition[] = [
  externalOperator({
    name: 'add_force',
    doc: `The same force on every particle. ${energyNote}`,
    slots: { force: { ...vectorSlot(dimensions.force, 'the force'), required: true } },
    functors: [constantForce],
    term: ({ force }, options) => constantForceTerm(vector(force), 'particle', options),
  }),
  externalOperator({
    name: 'gravity',
    doc: `A constant acceleration: the force on a particle is its mass times it. ${energyNote}`,
    slots: {
      acceleration: { ...vectorSlot(dimensions.acceleration, 'the acceleration'), required: true },
    },
    functors: [constantForce],
    term: ({ acceleration }, options) => constantForceTerm(vector(acceleration), 'mass', options),
  }),
  externalOperator({
    name: 'efield',
    doc: `A constant electric field: the force on a particle is its charge times it. ${energyNote}`,
    slots: {
      field: {
        ...vectorSlot({ ...dimensions.force, charge: -1 }, 'the field, a force over a charge'),
        required: true,
      },
    },
    functors: [constantForce],
    ofCharges: true,
    term: ({ field }, options) => constantForceTerm(vector(field), 'charge', options),
  }),
  externalOperator({
    name: 'harmonic_force',
    doc: 'A spring from every particle to one point, by nearest periodic images.',
    slots: {
      point: { ...vectorSlot(dimensions.length, 'the point'), required: true },
      k,
      r0,
      axes,
    },
    functors: [harmonicForce],
    term: ({ point, ...spring }, options) =>
      harmonicForceTerm({ ...spring, point: vector(point) }, options),
  }),
  externalOperator({
    name: 'spring_self',
    doc: 'A spring from every particle to where it was when the run began, as fix spring/self of LAMMPS: the way back is the one it came, through faces of the box too. The places are kept in checkpoints.',
    slots: { k, axes },
    functors: [selfSpring],
    async term(slots, options, state) {
      await setAnchors(state.get(gridKey), contextOf(state));
      return selfSpringTerm(slots, options);
    },
  }),
  externalOperator({
    name: 'spring',
    doc: 'A spring from the center of mass of a group to a point. Every particle takes a part of the force by its mass. Positions are unwrapped, as in fix spring of LAMMPS, so that the center does not jump where a particle goes through a face.',
    slots: {
      point: { ...vectorSlot(dimensions.length, 'the point'), required: true },
      k,
      r0,
      axes,
    },
    functors: [springWeights],
    unwraps: true,
    term: ({ point, ...spring }, options) =>
      springTerm({ ...spring, point: vector(point) }, options),
  }),
  externalOperator({
    name: 'set_force',
    doc: 'Gives the force on particles other values. Put it last into compute_force: forces that are added later count.',
    slots: { x: component('x'), y: component('y'), z: component('z') },
    functors: [setForce],
    validate({ slots: { x, y, z }, fail }) {
      if ([x, y, z].every((value) => value === undefined))
        fail('', 'MISSING_VALUE', 'set_force needs x, y or z');
    },
    term: ({ x = null, y = null, z = null }, options) => setForceTerm([x, y, z], options),
  }),
  externalOperator({
    name: 'freeze',
    doc: 'Takes force and velocity from particles in every step, so that they stay where they are. Put it last into compute_force.',
    slots: {},
    functors: [freezeParticles],
    stops: true,
    term: (_slots, options) => freezeTerm(options),
  }),
];
