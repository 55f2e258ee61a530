import { describe, expect, it } from 'vitest';
import { resolveNumber } from '../../../src/graph/resolve/resolveNumber.js';
import type { Bounds } from '../../../src/graph/SlotSpec.js';
import { nodeOf } from '../../../src/graph/yaml/SourceNode.js';
import { SourceText } from '../../../src/graph/yaml/SourceText.js';
import { ParticleTypes } from '../../../src/particles/ParticleTypes.js';
import { dimensions } from '../../../src/units/dimensions.js';
import { UnitSystem } from '../../../src/units/UnitSystem.js';

const load = {
  configuration: { units: UnitSystem.of('metal'), seed: 0, deterministic: false },
  particleTypes: new ParticleTypes([]),
};

type Spec = Parameters<typeof resolveNumber>[1];

/** Whether the value is taken; what else goes wrong is thrown. */
function isTaken(value: number | string, spec: Spec): boolean {
  const node = nodeOf(value, new SourceText('file', 'in.yaml', String(value), '/'));
  try {
    resolveNumber(node, spec, 'value', load);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_VALUE' });
    return false;
  }
}

describe('each bound alone', () => {
  const cases: [string, Bounds, number[], number[]][] = [
    ['min takes its own value', { min: 2 }, [2, 3], [1]],
    ['above does not', { above: 2 }, [3], [1, 2]],
    ['max takes its own value', { max: 2 }, [1, 2], [3]],
    ['below does not', { below: 2 }, [1], [2, 3]],
    ['both ends hold', { above: 1, below: 3 }, [2], [1, 3]],
    ['both ends hold, included', { min: 1, max: 3 }, [1, 2, 3], [0, 4]],
  ];
  it.each(cases)('%s', (_name, bounds, inside, outside) => {
    for (const type of ['number', 'integer'] as const) {
      expect(inside.filter((value) => isTaken(value, { type, ...bounds }))).toEqual(inside);
      expect(outside.filter((value) => isTaken(value, { type, ...bounds }))).toEqual([]);
    }
  });
});

it('bounds of quantities are in the units of the user, whatever unit a value is given in', () => {
  // One bar is 6.02e-6 internal units of pressure (Da/(Å ps²)), one eV 9649 of energy.
  const pressure: Spec = { type: 'quantity', dimension: dimensions.pressure, min: 1, max: 10 };
  for (const value of [1, 10, '5 bar', '0.9 MPa']) expect(isTaken(value, pressure)).toBe(true);
  for (const value of [0.9, 11, '50 bar', '1.1 MPa']) expect(isTaken(value, pressure)).toBe(false);
  const energy: Spec = { type: 'quantity', dimension: dimensions.energy, above: 0.1, below: 2 };
  for (const value of [0.2, 1.9, '200 meV']) expect(isTaken(value, energy)).toBe(true);
  for (const value of [0.1, 2, '50 meV', '1 Ha']) expect(isTaken(value, energy)).toBe(false);
});
