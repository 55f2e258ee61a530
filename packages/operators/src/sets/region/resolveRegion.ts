import { CorpuscleError } from '@corpuscle/core';
import type { Point, Region, RegionExpression, RegionMap } from './Region.js';

/** What names in a region stand for. */
export interface RegionNames {
  /** The expression of a region. @throws CorpuscleError for a name that is no region. */
  region(name: string): RegionExpression;
  /** The number of a type. @throws CorpuscleError for a name that is no type. */
  type(name: string): number;
  /** The bits of a group. @throws CorpuscleError for a name that is no group. */
  group(name: string): number;
}

/**
 * A region with its names resolved.
 * @throws CorpuscleError INVALID_VALUE for shapes that make no sense and regions that contain themselves, UNKNOWN_TYPE
 */
export function resolveRegion(expression: RegionExpression, names: RegionNames): Region {
  return resolve(expression, names, []);
}

function resolve(
  expression: RegionExpression,
  names: RegionNames,
  within: readonly string[],
): Region {
  if (typeof expression === 'string') {
    if (within.includes(expression)) throw invalid(`the region '${expression}' contains itself`);
    return resolve(names.region(expression), names, [...within, expression]);
  }
  const parts = Object.entries(expression)
    .filter(([, value]) => value !== undefined)
    .map(([key]) => partOf(key as keyof RegionMap, expression, names, within));
  if (parts.length === 0) throw invalid('a region is empty: give a shape such as sphere or box');
  return parts.length === 1 ? parts[0]! : { kind: 'intersection', of: parts };
}

function partOf(
  key: keyof RegionMap,
  map: RegionMap,
  names: RegionNames,
  within: readonly string[],
): Region {
  const nested = (e: RegionExpression) => resolve(e, names, within);
  switch (key) {
    case 'box':
      return box(map.box!);
    case 'sphere':
      return {
        kind: 'sphere',
        center: point(map.sphere!.center),
        radius: positive(map.sphere!.radius, 'the radius of a sphere'),
      };
    case 'cylinder': {
      const { from, to, radius, infinite = false } = map.cylinder!;
      const along = axis(from, to, 'a cylinder');
      const length = infinite ? Number.POSITIVE_INFINITY : along.length;
      return { ...along, length, radius: positive(radius, 'the radius of a cylinder'), slope: 0 };
    }
    case 'cone': {
      const { from, to, radii } = map.cone!;
      const along = axis(from, to, 'a cone');
      const [first, last] = radii as [number, number];
      if (!(first >= 0 && last >= 0 && first + last > 0))
        throw invalid(
          `the radii of a cone are ${radii.join(', ')}: give two, 0 or more, not both 0`,
        );
      return { ...along, radius: first, slope: (last - first) / along.length };
    }
    case 'plane': {
      const { point: at, normal } = map.plane!;
      if (normal.every((x) => x === 0))
        throw invalid('the normal of a plane is 0: give a direction');
      return { kind: 'plane', point: point(at), normal: point(normal) };
    }
    case 'quadric':
      return { kind: 'quadric', terms: map.quadric! };
    case 'types':
      return { kind: 'types', types: map.types!.map((name) => names.type(name)) };
    case 'ids':
      return idsOf(map.ids!);
    case 'field': {
      const { name, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = map.field!;
      if (!(min <= max))
        throw invalid(`the field ${name} is to be from ${min} to ${max}: give min ≤ max`);
      return { kind: 'interval', field: name, min, max };
    }
    case 'group':
      return { kind: 'group', bits: names.group(map.group!) };
    case 'union':
    case 'intersection':
      return { kind: key, of: severalOf(key, map[key]!).map(nested) };
    case 'difference': {
      const [first, ...others] = severalOf(key, map.difference!).map(nested);
      const without = others.map((of): Region => ({ kind: 'complement', of }));
      return { kind: 'intersection', of: [first!, ...without] };
    }
    case 'complement':
      return { kind: 'complement', of: nested(map.complement!) };
  }
}

function box(sides: NonNullable<RegionMap['box']>): Region {
  const of = (['x', 'y', 'z'] as const).flatMap((side): Region[] => {
    const bounds = sides[side];
    if (!bounds) return [];
    const [min, max] = bounds as [number, number];
    if (!(min <= max))
      throw invalid(
        `a box reaches from ${min} to ${max} along ${side}: give the lower bound first`,
      );
    return [{ kind: 'interval', field: `r${side}`, min, max }];
  });
  if (of.length === 0) throw invalid('a box has no sides: give x, y or z, each [lower, upper]');
  return { kind: 'intersection', of };
}

function axis(from: readonly number[], to: readonly number[], what: string) {
  const along = point(to.map((x, k) => x - from[k]!));
  const length = Math.hypot(...along);
  if (!(length > 0)) throw invalid(`${what} begins and ends at one point: give two`);
  const direction = point(along.map((x) => x / length));
  return { kind: 'cone', from: point(from), direction, length } as const;
}

function idsOf(ids: NonNullable<RegionMap['ids']>): Region {
  if (!('first' in ids)) {
    if (ids.length === 0) throw invalid('the list of ids is empty: give at least one');
    return { kind: 'ids', ids: [...new Set(ids)].sort((a, b) => a - b) };
  }
  const { first, last, stride = 1 } = ids;
  if (!(first <= last && stride >= 1))
    throw invalid(
      `ids from ${first} to ${last} by ${stride} are none: give first ≤ last, stride ≥ 1`,
    );
  return { kind: 'idSpan', span: { first, last, stride } };
}

function severalOf(key: string, of: readonly RegionExpression[]): readonly RegionExpression[] {
  if (of.length > 0) return of;
  throw invalid(`${key} has no regions: give at least one`);
}

const point = (x: readonly number[]): Point => [x[0]!, x[1]!, x[2]!];

function positive(value: number, what: string): number {
  if (value > 0) return value;
  throw invalid(`${what} is ${value}: give a positive length`);
}

const invalid = (message: string) => new CorpuscleError('INVALID_VALUE', message);
