import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, editDistance, nearestName } from '../../src/error/nearestName.js';

describe('nearestName', () => {
  it('finds slips of the pen and leaves strangers alone', () => {
    const names = ['rcut', 'epsilon', 'sigma', 'lennard_jones_force', 'dt'];
    expect(nearestName('rcutt', names)).toBe('rcut');
    expect(nearestName('epislon', names)).toBe('epsilon');
    expect(nearestName('lenard-jones_force', names)).toBe('lennard_jones_force');
    expect(nearestName('DT', names)).toBe('dt');
    expect(nearestName('temperature', names)).toBeUndefined();
    expect(nearestName('x', [])).toBeUndefined();
    expect(nearestName('timestep', ['dt', 'time'])).toBe('dt');
    expect(nearestName('timestep', ['time'])).toBeUndefined();
    expect(nearestName('constant', ['lattice_constant', 'types'])).toBe('lattice_constant');
    expect(nearestName('constant', ['lattice_constant', 'gas_constant'])).toBeUndefined();
    expect(nearestName('own_force', ['born_force', 'zero_force'])).toBeUndefined();
    expect(nearestName('brn_force', ['born_force', 'zero_force'])).toBe('born_force');
  });

  it('ends a message with the nearest name, else the names, else the remedy', () => {
    expect(didYouMean('rcutt', ['rcut'])).toBe(": did you mean 'rcut'?");
    expect(didYouMean('color', ['rcut', 'skin'])).toBe(' (there are rcut, skin)');
    expect(didYouMean('rcut:2.5', ['rcut'])).toBe(": put a space after the colon, 'rcut: 2.5'");
    expect(didYouMean('rcut = 2.5', ['rcut'])).toBe(": write a colon and a space, 'rcut: 2.5'");
    expect(didYouMean('r', ['D', 'alpha', 'r0', 'rcut'])).toBe(": did you mean 'r0'?");
    expect(didYouMean('color', [])).toBe(': remove it');
    expect(didYouMean('color', [], 'define it')).toBe(': define it');
    expect(didYouMean('color', ['rcut', 'skin'], 'it has rcut, skin')).toBe(': it has rcut, skin');
  });

  it('measures a distance: zero for equals, symmetric, one edit counts one', () => {
    const word = fc.string({ maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.nat(), (a, b, k) => {
        expect(editDistance(a, a)).toBe(0);
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        const at = k % (a.length + 1);
        expect(editDistance(a, `${a.slice(0, at)}#${a.slice(at)}`)).toBe(1);
      }),
    );
  });
});
