import type { OperatorReference } from '@corpuscle/core';
import { analysisReferences } from '../analyses/references.js';
import { externalReferences } from '../external/references.js';
import { integratorReferences } from '../integrators/references.js';
import { fileReferences } from '../io/references.js';
import { otherPotentials } from '../potentials/otherReferences.js';
import { pairReferences } from '../potentials/pairReferences.js';
import { partReferences, runReferences } from '../run/references.js';
import { systemReferences } from '../system/references.js';

/** Theory, literature and example of every operator of this package. */
export const references: Readonly<Record<string, OperatorReference>> = {
  ...pairReferences,
  ...otherPotentials,
  ...externalReferences,
  ...integratorReferences,
  ...analysisReferences,
  ...fileReferences,
  ...systemReferences,
  ...runReferences,
  ...partReferences,
};
