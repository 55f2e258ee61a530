import { expect, it } from 'vitest';
import { Domain } from './Domain.js';

it('tells lengths of a cutoff that does not fit with six digits', () => {
  const edge = 5 / 3;
  const domain = Domain.orthorhombic([edge, edge, edge]);
  expect(() => domain.checkReach(100 / 3)).toThrow(
    /^rcut 33\.3333 is more than 15 times the box, which is 1\.66667 along x/,
  );
});
