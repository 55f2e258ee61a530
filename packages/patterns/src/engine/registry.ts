import { CorpuscleError } from '@corpuscle/core';
import type { BackendName, Precision } from '../plan/chooseBackend.js';
import type { Engine } from './Engine.js';
import type { HostServices } from './HostEngine.js';
import type { WebGpuDevice } from './WebGpuDevice.js';

/** What an engine is opened with. */
export interface EngineOptions {
  /** What the context was asked for: this backend, 'cpu' (with a device at hand), or 'auto'. */
  readonly requested: 'auto' | BackendName;
  readonly precision: Precision;
  /** Whether runs must repeat to the bit. */
  readonly deterministic: boolean;
  /** Seconds after which work without progress is ended. @internal */
  readonly kernelLimit: number;
  /** A WebGPU device to use instead of asking for one. */
  readonly device?: WebGpuDevice | undefined;
  /** Lists, and the state of the CPU's engine, for engines that work on the memory of the host. */
  readonly host: HostServices;
}

/** Why a backend is not to be had here, as one clause. */
export interface Unavailable {
  readonly unavailable: string;
}

/** How contexts come by an engine. */
export interface EngineRegistration {
  /** What `createExecutionContext({ backend })` and calls name it. */
  readonly name: BackendName;
  /** Whether contexts look for it that are asked for 'auto'. Default false. */
  readonly automatic?: boolean;
  /** The precision of contexts that ask for this backend and for no precision. Default 'f64'. */
  readonly defaultPrecision?: Precision;
  /** Opens it, loading only now what it needs. @throws what keeps it from working; a reason is kept for `explain`. */
  open(options: EngineOptions): Promise<Engine | Unavailable>;
}

const registrations = new Map<BackendName, EngineRegistration>();

/**
 * Makes a backend known to contexts that are created from now on. A name that is known already is registered again.
 * @throws CorpuscleError INVALID_VALUE for the names 'auto' and 'cpu', which mean something else.
 * @example
 * registerEngine({ name: 'mine', open: async ({ host }) => new MyEngine(host) });
 * await using ctx = await createExecutionContext({ backend: 'mine' });
 */
export function registerEngine(registration: EngineRegistration): void {
  const { name } = registration;
  if (name === 'auto' || name === 'cpu')
    throw new CorpuscleError(
      'INVALID_VALUE',
      `an engine cannot be named '${name}', which contexts have already: give it another name`,
    );
  registrations.set(name, registration);
}

/** The engine of a name, or the one that 'auto' looks for. */
export function registrationOf(requested: 'auto' | BackendName): EngineRegistration | undefined {
  if (requested !== 'auto') return registrations.get(requested);
  return [...registrations.values()].find(({ automatic }) => automatic);
}

/** The backends that contexts can be asked for: `cpu`, `webgpu`, and what `registerEngine` has made known. */
export const backendNames = (): BackendName[] => ['cpu', ...registrations.keys()];
