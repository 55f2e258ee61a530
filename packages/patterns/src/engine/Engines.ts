import type { EngineChoice } from '../plan/chooseBackend.js';
import type { Engine } from './Engine.js';
import type { HostEngine } from './HostEngine.js';

/** The engines of a context: the CPU's, which takes every functor, and at most one besides. */
export interface Engines extends EngineChoice {
  readonly host: HostEngine;
  readonly accelerator: Engine | null;
}
