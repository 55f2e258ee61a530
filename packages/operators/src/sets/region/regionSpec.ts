import { dimensions, type ValueSpec } from '@corpuscle/core';
import { listedParticles } from './listedParticles.js';

const length = { type: 'quantity', dimension: dimensions.length } as const;
const point = { type: 'list', of: length, length: 3 } as const;
const numbers = { type: 'list', of: { type: 'number' }, length: 3 } as const;
const several = (doc: string) =>
  ({
    type: 'list',
    minLength: 1,
    doc,
    get of(): ValueSpec {
      return region;
    },
  }) as const;

const coefficient = (doc: string) => ({ type: 'number', default: 0, doc }) as const;

const region: ValueSpec = {
  type: 'any_of',
  label: 'a region: the name of one, or a map such as { sphere: { center: [0, 0, 0], radius: 2 } }',
  options: [
    { type: 'string', names: 'region' },
    {
      type: 'map',
      get entries() {
        return regionEntries;
      },
    },
  ],
};

const bounds = (side: string) =>
  ({
    type: 'list',
    of: length,
    length: 2,
    doc: `[lower, upper] along ${side}; absent: everywhere`,
  }) as const;

type Entries = Extract<ValueSpec, { type: 'map' }>['entries'];

const regionEntries: Entries = {
  box: {
    type: 'map',
    entries: { x: bounds('x'), y: bounds('y'), z: bounds('z') },
    doc: 'between bounds along x, y and z',
  },
  sphere: {
    type: 'map',
    entries: {
      center: { ...point, required: true, doc: 'center' },
      radius: { ...length, above: 0, required: true, doc: 'radius' },
    },
    doc: 'a ball',
  },
  cylinder: {
    type: 'map',
    entries: {
      from: { ...point, required: true, doc: 'a point of the axis, where it begins' },
      to: { ...point, required: true, doc: 'where it ends' },
      radius: { ...length, above: 0, required: true, doc: 'radius' },
      infinite: { type: 'boolean', default: false, doc: 'whether it has no ends' },
    },
    doc: 'around a line between two points',
  },
  cone: {
    type: 'map',
    entries: {
      from: { ...point, required: true, doc: 'where the axis begins' },
      to: { ...point, required: true, doc: 'where it ends' },
      radii: {
        type: 'list',
        of: { ...length, min: 0 },
        length: 2,
        required: true,
        doc: 'radius at either end',
      },
    },
    doc: 'around a line between two points, wider at one end',
  },
  plane: {
    type: 'map',
    entries: {
      point: { ...point, required: true, doc: 'a point of the plane' },
      normal: { ...numbers, required: true, doc: 'a direction' },
    },
    doc: 'the half of space that the normal points into',
  },
  quadric: {
    type: 'map',
    entries: {
      ...Object.fromEntries(
        ['xx', 'yy', 'zz', 'xy', 'xz', 'yz', 'x', 'y', 'z'].map((term) => [
          term,
          coefficient(`coefficient of ${term}`),
        ]),
      ),
      constant: coefficient('constant term'),
    },
    doc: 'where a polynomial of second degree is 0 or less; coefficients are numbers in internal units',
  },
  ...listedParticles,
  field: {
    type: 'map',
    entries: {
      name: {
        type: 'string',
        names: 'field',
        required: true,
        doc: 'a field of particles, such as vx or charge',
      },
      min: { type: 'number', doc: 'the least value, in internal units; default none' },
      max: { type: 'number', doc: 'the largest value; default none' },
    },
    doc: 'particles by the value of a field',
  },
  group: { type: 'string', names: 'group', doc: 'particles of a group' },
  union: several('in any of these'),
  intersection: several('in all of these'),
  difference: several('in the first of these, and in none of the others'),
  complement: {
    ...(region as Extract<ValueSpec, { type: 'any_of' }>),
    doc: 'everywhere but there',
  },
};

/** What a slot that takes a region accepts. Its value is a `RegionExpression`, which the type of slots cannot say. */
export const regionSpec = region as {
  readonly type: 'any_of';
  readonly label: string;
  readonly options: readonly { readonly type: 'object' }[];
};
