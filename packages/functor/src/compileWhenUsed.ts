let loads = 0;

/** Whether functors that are defined now wait for their first use. */
export const isDeferred = (): boolean => loads > 0;

/**
 * Loads modules whose functors are compiled when they are first used, not when they are defined: a program starts sooner.
 * Mistakes in them are told at their first use.
 *
 * @example
 * const { kernels } = await compileWhenUsed(() => import('./kernels.js'));
 */
export async function compileWhenUsed<T>(load: () => Promise<T>): Promise<T> {
  loads++;
  try {
    return await load();
  } finally {
    loads--;
  }
}
