import { createExecutionContext } from '../context/createExecutionContext.js';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { ExecutionContextOptions } from '../context/ExecutionContextOptions.js';
import { textDevice } from '../gpu/device/textDevice.js';
import { watchCalls } from './watchCalls.js';

/** A language of kernels: WGSL for the GPU, the text form of WebAssembly and JavaScript for the CPU. */
export type KernelTarget = 'wgsl' | 'wat' | 'js';

/** A kernel as an engine assembled it. */
export interface ListedKernel {
  /** Functors and steps in it, joined by ' + '; steps of an engine have names like `sort: bin`. */
  readonly label: string;
  /** Operators of a simulation that call its functors, in order; none outside simulations. */
  readonly operators: readonly string[];
  /** The text that runs, with comments. */
  readonly text: string;
}

/** What kernels are assembled for. */
export interface KernelListOptions
  extends Pick<ExecutionContextOptions, 'threads' | 'precision' | 'deterministic' | 'heap'> {
  readonly target: KernelTarget;
}

/** A context whose engines note the kernels they assemble, in the order of their first use. */
export interface KernelList {
  readonly context: ExecutionContext;
  readonly kernels: readonly ListedKernel[];
}

/**
 * Makes a context that notes every kernel. For `wgsl` its device runs nothing (all that is read back is zero), so no GPU is
 * needed; for `wat` and `js` the kernels run on the CPU as ever. The caller closes the context.
 *
 * @throws CorpuscleError INVALID_VALUE for unknown choices.
 * @example
 * const { context, kernels } = await listKernels({ target: 'wgsl' });
 * computeCellParticles(grid, drift, context, { params: { dt: 0.005 } });
 * await context.close();
 * kernels[0]?.text; // // drift …
 */
export async function listKernels(options: KernelListOptions): Promise<KernelList> {
  const { target, ...given } = options;
  const found: { readonly label: string; readonly text: string }[] = [];
  const context = await openContext(target, given, (label, text) => {
    found.push({ label: label.trim(), text });
  });
  const callers = watchCalls(context);
  return {
    context,
    get kernels() {
      return found.map(({ label, text }) => ({ label, text, operators: callers.of(label) }));
    },
  };
}

type Note = (label: string, text: string) => void;

async function openContext(
  target: KernelTarget,
  options: Omit<KernelListOptions, 'target'>,
  note: Note,
): Promise<ExecutionContext> {
  if (target === 'wgsl') {
    const device = textDevice(({ label, code }) => note(label, code));
    return createExecutionContext({ ...options, backend: 'webgpu', device });
  }
  const lowering = target === 'js' ? 'javascript' : 'simd';
  const context = await createExecutionContext({ ...options, backend: 'cpu', lowering });
  context.engines.host.onKernel(note);
  return context;
}
