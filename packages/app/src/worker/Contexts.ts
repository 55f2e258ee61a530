import type { Simulation } from '@corpuscle/core';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { compileView } from '@corpuscle/view';

/** Seconds after which a functor on the device is taken to have no end, as in the command. */
const KERNEL_LIMIT = 10;

/**
 * The execution context of the page: one at a time, kept from run to run while simulations want the same. Callers that ask at the
 * same time get the same.
 */
export class Contexts {
  #key = '';
  #present: Promise<ExecutionContext> | null = null;
  #drawing: Promise<ExecutionContext | null> | null = null;
  /** Called before a context is closed. */
  beforeClose: () => Promise<void> = async () => {};

  /** The context that a simulation wants: WebGPU where nothing is said, as particles are drawn from there. */
  of({ configuration }: { readonly configuration: Wishes }): Promise<ExecutionContext> {
    const { backend = 'auto', precision, deterministic = false, threads } = configuration;
    const key = JSON.stringify([backend, precision, deterministic, threads]);
    if (key !== this.#key || !this.#present) {
      this.#key = key;
      const before = this.#present;
      this.#present = this.#renew(before, () =>
        openContext({ precision, deterministic, threads }, backend),
      );
    }
    return this.#present;
  }

  /** The context that draws what another one has on the CPU; null where there is no WebGPU. */
  drawing(): Promise<ExecutionContext | null> {
    this.#drawing ??= openContext({ precision: 'f32' }, 'webgpu').catch(() => null);
    return this.#drawing;
  }

  async #renew(
    before: Promise<ExecutionContext> | null,
    open: () => Promise<ExecutionContext>,
  ): Promise<ExecutionContext> {
    const old = await before?.catch(() => null);
    if (old) {
      await this.beforeClose();
      await old.close();
    }
    try {
      return await open();
    } catch (error) {
      this.#key = ''; // the next run tries again
      throw error;
    }
  }

  /** A context whose device has failed is of no use to the next run. */
  forget(): void {
    this.#key = '';
  }
}

type Wishes = Partial<
  Pick<Simulation['configuration'], 'backend' | 'precision' | 'deterministic' | 'threads'>
>;

/** `auto` in a page: the device, even in software, where it can be had, since it draws; otherwise the CPU. */
async function openContext(
  options: Omit<Wishes, 'backend'>,
  backend: string,
): Promise<ExecutionContext> {
  if (backend !== 'auto') return openNamed(options, backend);
  return openNamed(options, 'webgpu').catch(() => openNamed(options, 'cpu'));
}

async function openNamed(
  options: Omit<Wishes, 'backend'>,
  backend: string,
): Promise<ExecutionContext> {
  const kernelLimit = KERNEL_LIMIT;
  const context = await createExecutionContext({ ...options, backend, kernelLimit });
  if (context.device) compileView(context, { box: false }).catch(() => {}); // the first picture meets the same
  return context;
}
