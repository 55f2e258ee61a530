import type { BackendName } from '../plan/chooseBackend.js';
import type { Engine } from './Engine.js';
import type { HostEngine } from './HostEngine.js';

/** The engines of a context: the CPU's, which takes every functor, and at most one besides. */
export interface Engines {
  readonly host: HostEngine;
  /** The engine besides the CPU's. */
  readonly accelerator: Engine | null;
  /** The backend that was looked for besides the CPU. */
  readonly lookedFor: BackendName;
  /** What the accelerator is, or why there is none, as one clause. */
  readonly reason: string;
}
