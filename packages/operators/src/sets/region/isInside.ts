import { type Point, quadricTerms, type Region } from './Region.js';

/** What regions ask of a particle: its fields by name, numbers of types and ids among them. */
export type ParticleView = Readonly<Record<string, number>>;

/** Whether a particle is in a region: what kernels do, on the host. */
export function isInside(region: Region, particle: ParticleView): boolean {
  switch (region.kind) {
    case 'interval': {
      const value = particle[region.field]!;
      return value >= region.min && value <= region.max;
    }
    case 'sphere': {
      const [x, y, z] = from(region.center, particle);
      return x * x + y * y + z * z <= region.radius * region.radius;
    }
    case 'cone': {
      const [x, y, z] = from(region.from, particle);
      const [ex, ey, ez] = region.direction;
      const t = x * ex + y * ey + z * ez;
      const radius = region.radius + region.slope * t;
      const away = x * x + y * y + z * z - t * t;
      if (region.length === Number.POSITIVE_INFINITY) return away <= radius * radius;
      return t >= 0 && t <= region.length && away <= radius * radius;
    }
    case 'plane': {
      const [x, y, z] = from(region.point, particle);
      const [nx, ny, nz] = region.normal;
      return x * nx + y * ny + z * nz >= 0;
    }
    case 'quadric':
      return quadricAt(region.terms, particle) <= 0;
    case 'types':
      return region.types.includes(particle.type!);
    case 'ids':
      return region.ids.includes(particle.id!);
    case 'idSpan': {
      const { first, last, stride } = region.span;
      const id = particle.id!;
      return id >= first && id <= last && (id - first) % stride === 0;
    }
    case 'group':
      return (particle.group_mask! & region.bits) !== 0;
    case 'union':
      return region.of.some((part) => isInside(part, particle));
    case 'intersection':
      return region.of.every((part) => isInside(part, particle));
    case 'complement':
      return !isInside(region.of, particle);
  }
}

const from = (at: Point, { rx, ry, rz }: ParticleView): Point => [
  rx! - at[0],
  ry! - at[1],
  rz! - at[2],
];

function quadricAt(terms: Extract<Region, { kind: 'quadric' }>['terms'], p: ParticleView): number {
  const [x, y, z] = [p.rx!, p.ry!, p.rz!];
  const values = [x * x, y * y, z * z, x * y, x * z, y * z, x, y, z, 1];
  return quadricTerms.reduce((sum, term, k) => sum + (terms[term] ?? 0) * values[k]!, 0);
}
