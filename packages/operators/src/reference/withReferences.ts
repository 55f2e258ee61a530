import type { Registry } from '@corpuscle/core';

/**
 * Adds theory, literature and examples of the operators of this package to a registry that has them. These are texts for readers: runs and
 * pages do not load them.
 *
 * @returns the registry
 * @throws CorpuscleError INTERNAL where it lacks one of these operators
 * @example
 * const registry = await withReferences(createRegistry());
 * registry.reference('bussi')!.literature;
 */
export async function withReferences(registry: Registry): Promise<Registry> {
  const { references } = await import('./references.js');
  return registry.addReferences(references);
}
