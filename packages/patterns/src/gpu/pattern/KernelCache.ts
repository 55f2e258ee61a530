import type { Functor } from '@corpuscle/functor';

/** Variants kept; more than that are hardly ever used again. */
const MOST = 256;

/** Kernels by functor and variant; a functor that is garbage takes its kernels along. */
export class KernelCache<T> {
  readonly #byFunctor = new WeakMap<Functor, Map<string, T>>();

  get(functor: Functor, variant: string, build: () => T): T {
    const variants = this.#byFunctor.get(functor) ?? new Map<string, T>();
    const known = variants.get(variant);
    if (known !== undefined) return known;
    if (variants.size >= MOST) variants.clear();
    const built = build();
    this.#byFunctor.set(functor, variants.set(variant, built));
    return built;
  }
}
