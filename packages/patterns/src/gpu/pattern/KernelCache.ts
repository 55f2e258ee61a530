import type { Functor } from '@corpuscle/functor';

/** Variants kept; more than that are hardly ever used again. */
const MOST = 256;

/** Kernels by functor and variant; a functor that is garbage takes its kernels along. */
export class KernelCache<T> {
  readonly #byFunctor = new WeakMap<Functor, Map<string, T>>();

  get(functor: Functor, variant: string, build: () => T): T {
    let variants = this.#byFunctor.get(functor);
    if (!variants) {
      variants = new Map();
      this.#byFunctor.set(functor, variants);
    }
    let built = variants.get(variant);
    if (built === undefined) {
      if (variants.size >= MOST) variants.clear();
      built = build();
      variants.set(variant, built);
    }
    return built;
  }
}
