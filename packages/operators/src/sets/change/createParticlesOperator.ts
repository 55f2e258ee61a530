import {
  CorpuscleError,
  defineOperator,
  dimensions,
  gaussianPair,
  randomStream,
  type SimulationState,
} from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { gatherParticles } from '../../run/gatherParticles.js';
import { isBeforeFirst } from '../../run/isBeforeFirst.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { type StructureName, structures } from '../../system/lattice/structures.js';
import { typeNames } from '../../system/placeParticles.js';
import { GROUP_MASK, groupSlot, groupsOf } from '../group/Groups.js';
import { propertiesOf } from '../properties/particleProperties.js';
import { isInside } from '../region/isInside.js';
import type { Region, RegionExpression } from '../region/Region.js';
import { regionNames } from '../region/Regions.js';
import { regionSpec } from '../region/regionSpec.js';
import { resolveRegion } from '../region/resolveRegion.js';
import { fieldsOf } from '../region/rowsWithin.js';
import { changeParticles, type NewParticle } from './changeParticles.js';
import { nextDraw, streamOf } from './draws.js';
import { latticePlaces } from './latticePlaces.js';
import { newIds, particlesChanged, restoreIds, savedIds } from './particlesChanged.js';
import { randomPlaces } from './randomPlaces.js';

const PLACES = randomStream('create_particles');
const VELOCITIES = randomStream('create_particles velocities');

const three = { type: 'list', of: { type: 'number' }, length: 3 } as const;
const lengths = {
  type: 'list',
  of: { type: 'quantity', dimension: dimensions.length },
  length: 3,
} as const;

/** `create_particles`: adds particles to those that are there. */
export const createParticlesOperator = defineOperator({
  name: 'create_particles',
  doc: 'Adds particles to those that are there: at places that are named, at random with a least distance, or on a lattice that fills the box or a region. They get ids that none had. In a loop put it into after_drift, where lists and forces follow.',
  slots: {
    type: { type: 'particle_type', required: true, doc: 'their type, which gives mass and charge' },
    region: { ...regionSpec, doc: 'a part of space; default the box' },
    positions: { type: 'list', of: lengths, minLength: 1, doc: 'places' },
    count: { type: 'integer', min: 1, doc: 'number of particles at random places' },
    min_distance: {
      type: 'quantity',
      dimension: dimensions.length,
      min: 0,
      default: 0,
      doc: 'random places are no closer to each other and to particles than this',
    },
    attempts: { type: 'integer', min: 1, default: 10000, doc: 'tries for each random place' },
    lattice: {
      type: 'map',
      entries: {
        structure: {
          type: 'enum',
          values: Object.keys(structures),
          doc: 'a structure, or give basis and vectors',
        },
        lattice_constant: {
          type: 'quantity',
          dimension: dimensions.length,
          above: 0,
          required: true,
          doc: 'unit of the lattice vectors',
        },
        basis: { type: 'list', of: three, minLength: 1, doc: 'sites of a cell, in its vectors' },
        vectors: { type: 'list', of: three, length: 3, doc: 'lattice vectors; default a cube' },
        orient: {
          type: 'list',
          of: three,
          length: 3,
          doc: 'directions of the crystal along x, y and z, such as [[1, 1, 0], [-1, 1, 0], [0, 0, 1]]',
        },
        origin: { ...lengths, doc: 'where a site at 0 0 0 is; default the origin of the box' },
      },
      doc: 'a crystal',
    },
    velocity: {
      type: 'list',
      of: { type: 'quantity', dimension: dimensions.velocity },
      length: 3,
      doc: 'their velocity; default 0',
    },
    temperature: {
      type: 'quantity',
      dimension: dimensions.temperature,
      min: 0,
      doc: 'random velocities of this temperature are added',
    },
    group: { ...groupSlot.group, doc: 'a group that they join, made before by the operator group' },
    every: { type: 'integer', min: 1, default: 1, doc: 'in a loop: steps between creations' },
    from: { type: 'integer', min: 0, default: 0, doc: 'in a loop: the first step' },
    seed: { type: 'integer', min: 0, doc: 'default the seed of the configuration' },
  },
  every: 'every',
  from: 'from',
  box: 'kept',
  requires: [gridKey],
  validate({ slots, fail }) {
    const { positions, count, lattice, region, min_distance: apart } = slots;
    const given = [positions, count, lattice].filter((x) => x !== undefined);
    if (given.length !== 1)
      fail('', 'INVALID_VALUE', 'create_particles needs one of positions, count and lattice');
    else if (positions && region !== undefined)
      fail('region', 'INVALID_VALUE', 'places that are named need no region: remove it');
    else if (count === undefined && apart! > 0)
      fail(
        'min_distance',
        'INVALID_VALUE',
        'min_distance is that of random places (count): remove it, and put delete_particles: { overlap: … } after create_particles',
      );
    if (lattice?.structure !== undefined && (lattice.basis || lattice.vectors))
      fail(
        'lattice',
        'INVALID_VALUE',
        'a lattice has a structure, or a basis and vectors of its own: give one of both',
      );
    if (lattice && lattice.structure === undefined && !lattice.basis)
      fail('lattice', 'MISSING_VALUE', 'a lattice needs a structure or a basis');
  },
  async execute({ slots, state }) {
    if (isBeforeFirst(state, slots.from)) return;
    await newestOnHost(state.get(gridKey), contextOf(state));
    gatherParticles(state);
    const added = particlesAt(state, slots as CreateSlots, placesOf(state, slots as CreateSlots));
    changeParticles(state.get(gridKey), () => true, added);
    particlesChanged(state);
  },
  save: ({ state }) => ({ ...savedIds(state) }),
  restore: ({ state }, saved) => restoreIds(state, saved),
});

interface CreateSlots {
  readonly type: string;
  readonly region?: RegionExpression;
  readonly positions?: readonly (readonly number[])[];
  readonly count?: number;
  readonly min_distance: number;
  readonly attempts: number;
  readonly lattice?: {
    readonly structure?: string;
    readonly lattice_constant: number;
    readonly basis?: readonly (readonly number[])[];
    readonly vectors?: readonly (readonly number[])[];
    readonly orient?: readonly (readonly number[])[];
    readonly origin?: readonly number[];
  };
  readonly velocity?: readonly number[];
  readonly temperature?: number;
  readonly group: string;
  readonly seed?: number;
}

const seedOf = (state: SimulationState, { seed }: CreateSlots): number =>
  seed ?? state.simulation.configuration.seed;

function placesOf(state: SimulationState, slots: CreateSlots): [number, number, number][] {
  const grid = state.get(gridKey);
  const region = slots.region === undefined ? null : partOfSpace(state, slots.region);
  const mayBe = (rx: number, ry: number, rz: number) =>
    region === null || isInside(region, { rx, ry, rz });
  const { positions, count, lattice } = slots;
  if (positions) return positions.map((at) => [at[0]!, at[1]!, at[2]!]);
  if (count !== undefined) {
    const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
    const present = new Float64Array(3 * grid.count);
    for (let row = 0; row < grid.count; row++) present.set([x![row]!, y![row]!, z![row]!], 3 * row);
    return randomPlaces(grid.domain, {
      count,
      minDistance: slots.min_distance,
      attempts: slots.attempts,
      isInside: mayBe,
      present,
      seed: seedOf(state, slots),
      stream: streamOf(PLACES, state),
      first: nextDraw(state),
    });
  }
  const { structure, basis, vectors, lattice_constant: latticeConstant, ...rest } = lattice!;
  const known = structure === undefined ? null : structures[structure as StructureName];
  const edges = known?.edges ?? [1, 1, 1];
  const origin = rest.origin ?? grid.domain.origin;
  const axes = [0, 1, 2].map((k) => [0, 1, 2].map((c) => (c === k ? edges[k]! : 0)));
  const places = latticePlaces(grid.domain, {
    latticeConstant,
    vectors: vectors ?? axes,
    basis: basis ?? known!.basis,
    ...(rest.orient && { orient: rest.orient }),
    origin,
  }).filter((at) => mayBe(...at));
  if (places.length > 0) return places;
  throw new CorpuscleError(
    'INVALID_VALUE',
    'no site of the lattice is in the box and the region: enlarge the region, or lower lattice_constant',
  );
}

/** A region that asks for nothing but places. @throws CorpuscleError INVALID_VALUE for one that asks for particles */
function partOfSpace(state: SimulationState, expression: RegionExpression): Region {
  const region = resolveRegion(expression, regionNames(state));
  const asked = fieldsOf(region).find((name) => !['rx', 'ry', 'rz'].includes(name));
  if (asked === undefined) return region;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the region asks for the ${asked} of particles, which are not there yet: take one of shapes alone`,
  );
}

function particlesAt(
  state: SimulationState,
  slots: CreateSlots,
  places: readonly (readonly [number, number, number])[],
): NewParticle[] {
  const { particleTypes, configuration } = state.simulation;
  const type = typeNames(state).indexOf(slots.type);
  const declared = particleTypes.has(slots.type) ? particleTypes.get(slots.type) : null;
  const [mass, charge] = [declared?.mass ?? 1, declared?.charge ?? 0];
  const first = newIds(state, places.length);
  const bits = slots.group === 'all' ? 0 : groupsOf(state).bits(slots.group);
  const properties = propertiesOf(state, slots.type);
  const hasGroups = state.get(gridKey).hasField(GROUP_MASK);
  const [vx, vy, vz] = slots.velocity ?? [0, 0, 0];
  const width = Math.sqrt((configuration.units.boltzmann * (slots.temperature ?? 0)) / mass);
  const seed = seedOf(state, slots);
  return places.map(([rx, ry, rz], k) => {
    const id = first + k;
    const [a, b] = gaussianPair(seed, VELOCITIES, 2 * id);
    const [c] = gaussianPair(seed, VELOCITIES, 2 * id + 1);
    const velocity = { vx: vx! + width * a, vy: vy! + width * b, vz: vz! + width * c };
    const group: Record<string, number> = hasGroups ? { [GROUP_MASK]: (bits | 1) >>> 0 } : {};
    return { id, fields: { rx, ry, rz, ...velocity, type, mass, charge, ...properties, ...group } };
  });
}
