import type { SourceLocation } from '@corpuscle/core';

/** Whether both are one place in a file: an operator that batches or steps within a step take several times has one. */
export const areSamePlace = (a: SourceLocation | undefined, b: SourceLocation | undefined) =>
  a !== undefined && a.line === b?.line && a.column === b.column && a.file === b.file;
