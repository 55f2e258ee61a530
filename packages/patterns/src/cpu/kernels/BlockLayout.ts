import type { Functor } from '@corpuscle/functor';

/** An array that the lanes of a block share: where it lies in the memory of a thread. */
export interface SharedPlace {
  readonly name: string;
  readonly storage: 'f64' | 'u32' | 'i32';
  readonly offset: number;
  readonly length: number;
}

/** What a block functor needs besides its arrays. */
export interface BlockLayout {
  readonly shared: readonly SharedPlace[];
  /** Bytes of block-shared memory, for each thread; a multiple of 8. */
  readonly sharedBytes: number;
  /** Bytes of a record of results, and the reals in it; 0 without results. */
  readonly recordBytes: number;
  readonly reals: number;
}

const layouts = new WeakMap<Functor, BlockLayout>();

/** Lays out the memory of a block functor. @param reals in its results. */
export function blockLayout(functor: Functor, reals: number): BlockLayout {
  let layout = layouts.get(functor);
  if (!layout) {
    layout = layOut(functor, reals);
    layouts.set(functor, layout);
  }
  return layout;
}

function layOut({ spec }: Functor, reals: number): BlockLayout {
  let bytes = 0;
  const declared = Object.entries((spec.kind === 'block' && spec.blockShared) || {});
  const shared = declared.map(([name, type]): SharedPlace => {
    const length = Number(/\d+/.exec(type.slice(type.indexOf('[')))![0]);
    const storage = type.startsWith('real') ? 'f64' : type.startsWith('u32') ? 'u32' : 'i32';
    const place = { name, storage, offset: bytes, length } as const;
    bytes += 8 * Math.ceil(((storage === 'f64' ? 8 : 4) * length) / 8);
    return place;
  });
  return { shared, sharedBytes: bytes, recordBytes: 8 * reals, reals };
}
