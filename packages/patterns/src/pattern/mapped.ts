import type { PatternHandle } from './PatternHandle.js';

/** A handle whose result is made from another's. */
class MappedHandle<A, B> implements PatternHandle<B> {
  #result: { readonly value: B } | null = null;
  readonly #inner: PatternHandle<A>;
  readonly #map: (value: A) => B;

  constructor(inner: PatternHandle<A>, map: (value: A) => B) {
    this.#inner = inner;
    this.#map = map;
  }
  get done(): boolean {
    return this.#inner.done;
  }
  get value(): B {
    return this.#convert(this.#inner.value);
  }
  wait(): Promise<B> {
    return this.#inner.wait().then((value) => this.#convert(value));
  }
  then<X = B, Y = never>(
    fulfilled?: ((value: B) => X | PromiseLike<X>) | null,
    rejected?: ((reason: unknown) => Y | PromiseLike<Y>) | null,
  ): Promise<X | Y> {
    return this.wait().then(fulfilled, rejected);
  }
  #convert(value: A): B {
    this.#result ??= { value: this.#map(value) };
    return this.#result.value;
  }
}

/** The handle with its result converted, once, when somebody asks. */
export function mapped<A, B>(handle: PatternHandle<A>, map: (value: A) => B): PatternHandle<B> {
  return new MappedHandle(handle, map);
}
