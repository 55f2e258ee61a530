import { type BlockArray, type BlockSpec, type Domain, orderOfIds } from '@corpuscle/core';
import { copiedRows, type ParticleCopy } from '@corpuscle/patterns';

/** Particles that frames are made of: those of a grid, whose host blocks must be current, or of a copy. */
export interface ParticleSource {
  readonly count: number;
  readonly domain: Pick<Domain, 'matrix' | 'origin' | 'periodic'>;
  readonly blocks: { has(name: string): boolean };
  /** @throws CorpuscleError UNKNOWN_FIELD */
  block(name: string): {
    readonly array: BlockArray;
    readonly spec: Pick<BlockSpec, 'type' | 'width'>;
  };
  /** Rows in the order of ids. */
  rowsById(): Uint32Array;
}

/** The particles of a copy. */
export function particlesOf(copy: ParticleCopy): ParticleSource {
  const { count, matrix, origin, periodic, blocks } = copy;
  const arrays = new Map<string, BlockArray>();
  const arrayOf = (name: string): BlockArray => {
    const known = arrays.get(name) ?? copiedRows(copy, name);
    arrays.set(name, known);
    return known;
  };
  return {
    count,
    domain: { matrix, origin, periodic } as ParticleSource['domain'],
    blocks,
    block: (name) => ({ array: arrayOf(name), spec: blocks.get(name)!.spec }),
    rowsById: () => orderOfIds(arrayOf('id') as BigUint64Array, count),
  };
}
