import { CorpuscleError } from '@corpuscle/functor/error';
import { didYouMean } from '../error/nearestName.js';

/** One kind of particle; mass and charge in internal units. */
export interface ParticleType {
  readonly name: string;
  readonly mass: number;
  readonly charge: number;
}

/**
 * The kinds of particles of a simulation. The field `type` holds their index, in the order of definition.
 *
 * @example
 * const types = new ParticleTypes([{ name: 'A', mass: 1, charge: 0 }]);
 * types.index('A'); // 0
 */
export class ParticleTypes {
  readonly all: readonly ParticleType[];
  #index = new Map<string, number>();

  /** @throws CorpuscleError INVALID_VALUE for a repeated name or a mass that is not positive. */
  constructor(types: readonly ParticleType[]) {
    this.all = [...types];
    types.forEach((type, index) => {
      if (!(type.mass > 0) || !Number.isFinite(type.mass)) {
        throw new CorpuscleError(
          'INVALID_VALUE',
          `particle type '${type.name}' has mass ${type.mass}: give a positive number`,
        );
      }
      if (!Number.isFinite(type.charge)) {
        throw new CorpuscleError(
          'INVALID_VALUE',
          `particle type '${type.name}' has charge ${type.charge}: give a number`,
        );
      }
      if (this.#index.has(type.name)) {
        throw new CorpuscleError('INVALID_VALUE', `particle type '${type.name}' is defined twice`);
      }
      this.#index.set(type.name, index);
    });
  }

  /** Number of types. */
  get count(): number {
    return this.all.length;
  }
  /** Names in the order of their indices. */
  get names(): readonly string[] {
    return this.all.map((type) => type.name);
  }
  /** Whether a type of this name is defined. */
  has(name: string): boolean {
    return this.#index.has(name);
  }

  /** The index of a name. @throws CorpuscleError UNKNOWN_TYPE naming the nearest type. */
  index(name: string): number {
    const index = this.#index.get(name);
    if (index !== undefined) return index;
    throw new CorpuscleError('UNKNOWN_TYPE', unknownType(name, this.names));
  }

  /** A type by name, or by index from 0. @throws CorpuscleError UNKNOWN_TYPE. */
  get(nameOrIndex: string | number): ParticleType {
    const index = typeof nameOrIndex === 'string' ? this.index(nameOrIndex) : nameOrIndex;
    const type = this.all[index];
    if (type) return type;
    throw new CorpuscleError(
      'UNKNOWN_TYPE',
      `particle type ${index} does not exist: there are ${this.count}, counted from 0`,
    );
  }
}

/** Message for a name that is no particle type. */
export function unknownType(name: string, names: readonly string[]): string {
  return `unknown particle type '${name}'${didYouMean(name, names, 'define it under particle_types')}`;
}
