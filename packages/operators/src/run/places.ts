import type { SourceLocation } from '@corpuscle/core';

/** Whether both are one place in a file: an operator that batches or steps within a step take several times has one. */
export const areSamePlace = (a: SourceLocation | undefined, b: SourceLocation | undefined) =>
  a !== undefined && a.line === b?.line && a.column === b.column && a.file === b.file;

/** The first of each place: stages that use one scheme have it at one place of the file, which is told once. */
export const onePerPlace = <T extends { readonly location?: SourceLocation }>(
  all: readonly T[],
): T[] =>
  all.filter(
    (one, k) => !all.slice(0, k).some((other) => areSamePlace(other.location, one.location)),
  );
