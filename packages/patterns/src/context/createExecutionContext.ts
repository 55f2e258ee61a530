import { CorpuscleError, SharedHeap } from '@corpuscle/core';
import { availableThreads } from '../engine/availableThreads.js';
import type { Engines } from '../engine/Engines.js';
import type { HostEngine } from '../engine/HostEngine.js';
import { backendNames, registrationOf } from '../engine/registry.js';
import { precisionUnavailable } from '../plan/precisionUnavailable.js';
import { openHost } from './builtinEngines.js';
import { type ContextSettings, ExecutionContext } from './ExecutionContext.js';
import type { ExecutionContextOptions } from './ExecutionContextOptions.js';

/**
 * Makes an execution context.
 * @throws CorpuscleError INVALID_VALUE for an unknown choice; NO_ADAPTER when a backend is asked for that cannot be had here,
 *   with the reason; BACKEND_UNAVAILABLE when it lacks the precision that was asked for.
 * @example
 * await using ctx = await createExecutionContext({ backend: 'cpu', threads: 2 });
 */
export async function createExecutionContext(
  options: ExecutionContextOptions = {},
): Promise<ExecutionContext> {
  const settings = settingsOf(options);
  const cpu = openHost(settings);
  const host = options.around?.(cpu) ?? cpu;
  try {
    const ctx = new ExecutionContext(settings, await enginesOf(host, settings, options));
    if (ctx.engines.accelerator?.device) settings.heap.holdsFields = false;
    // Threads start while the caller goes on. A failure shows at the next call.
    if (ctx.backend === host.name) host.ready().catch(() => {});
    return ctx;
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** What was asked for, with the defaults filled in. @throws CorpuscleError INVALID_VALUE */
export function settingsOf(options: ExecutionContextOptions): ContextSettings {
  checkChoice('backend', options.backend, ['auto', ...backendNames()]);
  checkChoice('precision', options.precision, ['f64', 'f32', 'mixed']);
  checkChoice('lowering', options.lowering, ['simd', 'scalar', 'javascript']);
  const { backend: requested = 'auto', lowering = 'simd', deterministic = false } = options;
  const usual = requested === 'auto' ? undefined : registrationOf(requested)?.defaultPrecision;
  return {
    requested,
    threads: threadsOf(options.threads),
    precision: options.precision ?? usual ?? 'f64',
    lowering,
    deterministic,
    heap: options.heap ?? new SharedHeap(),
    kernelLimit: options.kernelLimit ?? Number.POSITIVE_INFINITY,
  };
}

async function enginesOf(
  host: HostEngine,
  { requested, precision, deterministic, kernelLimit }: ContextSettings,
  { device, aroundDevice }: ExecutionContextOptions,
): Promise<Engines> {
  const isNamed = requested !== 'auto' && requested !== host.name;
  const registration = registrationOf(isNamed ? requested : 'auto');
  const lookedFor = registration?.name ?? requested;
  const without = (reason: string): Engines => ({ host, accelerator: null, lookedFor, reason });
  if (!registration) return without('no other engine is registered');
  if (requested === host.name && !device) return without('the context was made with backend cpu');
  const asked = { requested, precision, deterministic, kernelLimit };
  const opened = await registration.open({ ...asked, device, host });
  if ('unavailable' in opened) {
    if (!isNamed) return without(opened.unavailable);
    throw new CorpuscleError(
      'NO_ADAPTER',
      `backend ${requested} was asked for, but ${opened.unavailable}; use backend cpu, or auto to let it choose`,
    );
  }
  const accelerator = aroundDevice?.(opened, host) ?? opened;
  if (isNamed && !accelerator.precisions.includes(precision)) {
    await accelerator.close();
    const { precisionReason = `it has ${accelerator.precisions.join(', ')}` } = accelerator;
    throw precisionUnavailable(precision, requested, precisionReason);
  }
  return { host, accelerator, lookedFor, reason: accelerator.description };
}

function threadsOf(asked: number | undefined): number {
  const cores = availableThreads();
  if (asked === undefined) return cores;
  if (!Number.isInteger(asked) || asked < 1) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `threads is ${asked}: give a whole number from 1 to ${cores}`,
    );
  }
  return Math.min(asked, cores); // spinning threads without a core of their own are hundreds of times slower
}

/** JavaScript callers have no compiler that knows the choices. */
function checkChoice(name: string, value: string | undefined, choices: readonly string[]): void {
  if (value === undefined || choices.includes(value)) return;
  const remedy = name === 'backend' ? ', or import the package that registers it first' : '';
  throw new CorpuscleError(
    'INVALID_VALUE',
    `${name} is '${value}': give ${choices.join(', ')}${remedy}`,
  );
}
