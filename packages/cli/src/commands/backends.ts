import { CorpuscleError, didYouMean } from '@corpuscle/core';
import { backendNames } from '@corpuscle/patterns';

/** Packages that register a backend and that users need not install: they are imported when their backend is asked for. */
const packages: Readonly<Record<string, string>> = { webgl: '@corpuscle/webgl' };

/** The backends that can be asked for: those that are registered, and those of packages that are imported on demand. */
export const knownBackends = (): string[] => [
  ...new Set([...backendNames(), ...Object.keys(packages)]),
];

/** @throws CorpuscleError INVALID_VALUE for a backend of the command line that is not registered. */
export function checkBackend(asked: string | undefined): void {
  const known = ['auto', ...knownBackends()];
  if (asked === undefined || known.includes(asked)) return;
  const remedy = 'give one of these, or --import the module that has it';
  throw new CorpuscleError(
    'INVALID_VALUE',
    `--backend ${asked} is not registered${didYouMean(asked, known, remedy)}`,
  );
}

/**
 * Imports the package of a backend, where it has one and is not registered yet.
 * @throws CorpuscleError BACKEND_UNAVAILABLE when it is not installed.
 */
export async function loadBackend(backend: string | undefined): Promise<void> {
  const name = packages[backend ?? ''];
  if (name === undefined || backendNames().includes(backend!)) return;
  try {
    await import(name);
  } catch (error) {
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      `backend ${backend} needs the packages ${name} and gpu.js: install them (npm install ${name} gpu.js), or use --backend cpu or webgpu`,
      { cause: error },
    );
  }
}
