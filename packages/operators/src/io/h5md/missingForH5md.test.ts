import Module from 'node:module';
import { type CorpuscleError, loadSimulation } from '@corpuscle/core';
import { afterEach, expect, it, vi } from 'vitest';
import { createRegistry } from '../../createRegistry.js';
import * as inPage from '../../platform/browser.js';
import { missingForH5md } from './missingForH5md.js';

afterEach(() => vi.restoreAllMocks());

/** How Node looks for packages. */
type Resolver = { _resolveFilename(name: string, ...rest: unknown[]): string };

/** Node finds the package no longer. */
function withoutH5wasm() {
  const resolver = Module as unknown as Resolver;
  const resolve = resolver._resolveFilename;
  vi.spyOn(resolver, '_resolveFilename').mockImplementation((name, ...rest) =>
    resolve.call(resolver, name === 'h5wasm/node' ? 'no-such-package' : name, ...rest),
  );
}

const load = (operator: string) =>
  loadSimulation(
    [
      {
        name: 'in.yaml',
        text: `particle_types: { A: { mass: 1 } }\nsimulation:\n  - lattice: { structure: sc, density: 1, repeat: [2, 2, 2], types: [A] }\n  - ${operator}\n`,
      },
    ],
    { operators: createRegistry() },
  );

it.each(['write_h5md: { file: out.h5md }', 'read_h5md: { file: package.json }'])(
  'without h5wasm a file is refused when it is read: %s',
  (operator) => {
    expect(load(operator).warnings).toEqual([]);
    withoutH5wasm();
    let error: CorpuscleError | undefined;
    try {
      load(operator);
    } catch (thrown) {
      error = thrown as CorpuscleError;
    }
    expect(error?.code).toBe('BACKEND_UNAVAILABLE');
    expect(error?.message).toContain('h5wasm, which is not installed (npm install h5wasm)');
    expect([error?.location?.line, error?.location?.column]).toEqual([4, 5]);
  },
);

it('in a page files of H5MD are refused', () => {
  expect(missingForH5md()).toBeNull();
  expect(inPage.missingForH5md()).toContain('need Node');
  expect(() => inPage.openH5mdLink()).toThrow(inPage.missingForH5md());
});
