import { describe, expect, it } from 'vitest';
import { ParticleTypes } from '../../src/particles/ParticleTypes.js';

const type = (name: string, mass = 1, charge = 0) => ({ name, mass, charge });

describe('ParticleTypes', () => {
  it('numbers types in the order of definition', () => {
    const types = new ParticleTypes([type('B', 2), type('A', 3, -1)]);
    expect(types.index('B')).toBe(0);
    expect(types.get('A')).toEqual({ name: 'A', mass: 3, charge: -1 });
    expect(types.get(0).name).toBe('B');
    expect(types.names).toEqual(['B', 'A']);
    expect(types.count).toBe(2);
  });

  it('suggests the nearest name', () => {
    const types = new ParticleTypes([type('water'), type('Ar')]);
    expect(() => types.index('watre')).toThrowError(/'watre': did you mean 'water'\?/);
    expect(() => types.get(2)).toThrowError(expect.objectContaining({ code: 'UNKNOWN_TYPE' }));
  });

  it.each([
    [[type('A', 0)]],
    [[type('A', Number.NaN)]],
    [[type('A', Infinity)]],
    [[type('A', 1, Number.NaN)]],
    [[type('A'), type('A')]],
  ])('refuses %j', (types) => {
    expect(() => new ParticleTypes(types)).toThrowError(
      expect.objectContaining({ code: 'INVALID_VALUE' }),
    );
  });
});
