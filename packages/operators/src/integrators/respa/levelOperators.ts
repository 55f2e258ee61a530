import type { OperatorDefinition, SlotSpecs } from '@corpuscle/core';
import type { IntegratorPhase, IntegratorSpec, PhaseSlots } from '../IntegratorSpec.js';
import { phaseOperator } from '../phaseOperator.js';
import { kick, kickDrift } from '../velocity_verlet/velocityVerlet.js';
import {
  clearForces,
  keep,
  keptKick,
  keptKickDrift,
  kickAndKeep,
  sumOfLevels,
} from './levelFunctors.js';

const slots = {
  level: {
    type: 'integer',
    direction: 'private',
    min: 0,
    default: 0,
    doc: 'the level, 0 for the innermost; of respa_sum the number of levels',
  },
  parts: {
    type: 'integer',
    direction: 'private',
    min: 1,
    default: 1,
    doc: 'how many steps of the level there are in a time step',
  },
} as const satisfies SlotSpecs;

type Slots = PhaseSlots<typeof slots>;

const spec: IntegratorSpec<typeof slots> = {
  name: 'respa',
  doc: 'Multiple time steps.',
  slots,
  phases: [],
};

const halfDt = ({ dt, parts }: Slots) => ({ halfDt: dt / parts / 2 });
const wholeDt = ({ dt, parts }: Slots) => ({ dt: dt / parts, halfDt: dt / parts / 2 });

const operator = (
  name: string,
  phase: IntegratorPhase<Slots>,
  declared: Pick<OperatorDefinition, 'drifts'> = {},
): OperatorDefinition => ({ ...phaseOperator(name, spec, phase), ...declared });

/** What a step of several levels does besides lists and forces. */
export const levelOperators: readonly OperatorDefinition[] = [
  operator('respa_kick', {
    doc: 'Half a kick with the kept forces of a level.',
    functor: ({ level }) => keptKick(level),
    params: halfDt,
  }),
  operator(
    'respa_kick_drift',
    {
      doc: 'Half a kick with the kept forces of the innermost level, and its drift.',
      functor: ({ level }) => keptKickDrift(level),
      params: wholeDt,
    },
    { drifts: 'begin' },
  ),
  operator('respa_next_drift', {
    doc: 'The same with the forces of the innermost level that have just been computed.',
    functor: kickDrift,
    params: wholeDt,
  }),
  operator('respa_push', {
    doc: 'Half a kick with the forces of the innermost level.',
    functor: kick,
    params: halfDt,
  }),
  operator('respa_push_keep', {
    doc: 'Half a kick with the forces of a level, which are kept.',
    functor: ({ level }) => kickAndKeep(level),
    params: halfDt,
  }),
  operator('respa_keep', {
    doc: 'Keeps the forces of a level.',
    functor: ({ level }) => keep(level),
  }),
  operator('respa_clear', {
    doc: 'Clears the forces, and leaves energies.',
    functor: clearForces,
  }),
  operator(
    'respa_sum',
    {
      doc: 'Adds the forces of all levels, for output and for the next run.',
      functor: ({ level }) => sumOfLevels(level),
    },
    { drifts: 'end' },
  ),
];
