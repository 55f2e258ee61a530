import {
  type FunctionBuilder,
  f32,
  f64,
  f64x2,
  i8x16,
  i32,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { FieldBinding } from './FieldBinding.js';

const BYTES = { f64: 8, f32: 4, u32: 4, i32: 4, u64: 8 } as const;

export const rowBytes = (binding: FieldBinding): number => BYTES[binding.storage] * binding.width;

const lowDoubles = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const highDoubles = lowDoubles.map((k) => k + 8);
/** The low words of two 64-bit lanes, moved to the two low 32-bit lanes. */
export const lowWords = [0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11];

/**
 * Moves fields between rows and locals: one local a field, holding one particle or two in SIMD lanes.
 * Two rows of a block of four doubles are read as halves and transposed:
 *
 *   row k    [vx vy | vz _]   ──►   low  half:  [vx vx'] [vy vy']
 *   row k+1  [vx' vy' | vz' _']     high half:  [vz vz'] [_ _']
 */
export class RowAccess {
  /** The local that holds each field. */
  readonly locals = new Map<string, number>();
  readonly #f: FunctionBuilder;
  readonly #lanes: 1 | 2;
  readonly #bindings: readonly FieldBinding[];
  readonly #pointer: (block: string) => WasmNode;
  /** Locals of both members of each half in use, by `block/half`. */
  readonly #halves = new Map<
    string,
    { block: string; offset: number; members: [number, number] }
  >();

  constructor(
    f: FunctionBuilder,
    lanes: 1 | 2,
    bindings: readonly FieldBinding[],
    pointer: (block: string) => WasmNode,
  ) {
    this.#f = f;
    this.#lanes = lanes;
    this.#bindings = bindings;
    this.#pointer = pointer;
    for (const binding of bindings) {
      const local = f.called(this.#declare(binding), `i.${binding.field}`);
      this.locals.set(binding.field, local);
    }
  }

  load(): void {
    const f = this.#f;
    for (const { block, offset, members } of this.#halves.values()) {
      const pointer = this.#pointer(block);
      const here = f.keep(v128.load(pointer, offset));
      const next = f.keep(v128.load(pointer, 32 + offset));
      f.set(members[0], i8x16.shuffle(lowDoubles, here, next));
      f.set(members[1], i8x16.shuffle(highDoubles, here, next));
    }
    for (const binding of this.#bindings) {
      if (this.#isHalf(binding)) continue;
      const value = this.#lanes === 1 ? this.#loadOne(binding) : this.#loadTwo(binding);
      f.set(this.locals.get(binding.field)!, value);
    }
  }

  /** Writes back the fields that `written` names. */
  store(written: ReadonlySet<string>): void {
    const f = this.#f;
    for (const { block, offset, members } of this.#halves.values()) {
      const touched = this.#bindings.some(
        (b) => written.has(b.field) && members.includes(this.locals.get(b.field)!),
      );
      if (!touched) continue;
      const [low, high] = [f.get(members[0]), f.get(members[1])];
      const pointer = this.#pointer(block);
      f.emit(v128.store(pointer, i8x16.shuffle(lowDoubles, low, high), offset));
      f.emit(v128.store(pointer, i8x16.shuffle(highDoubles, low, high), 32 + offset));
    }
    for (const binding of this.#bindings) {
      if (!written.has(binding.field) || this.#isHalf(binding)) continue;
      if (this.#lanes === 1) this.#storeOne(binding);
      else this.#storeTwo(binding);
    }
  }

  #isHalf({ storage, width }: FieldBinding): boolean {
    return this.#lanes === 2 && storage === 'f64' && width === 4;
  }

  #declare(binding: FieldBinding): number {
    const f = this.#f;
    if (!this.#isHalf(binding)) {
      return f.local(this.#lanes === 2 ? 'v128' : binding.type === 'real' ? 'f64' : 'i32');
    }
    const half = binding.component >> 1;
    const key = `${binding.block}/${half}`;
    let entry = this.#halves.get(key);
    if (!entry) {
      entry = {
        block: binding.block,
        offset: 16 * half,
        members: [
          f.called(f.local('v128'), `${binding.block}.${2 * half}`),
          f.called(f.local('v128'), `${binding.block}.${2 * half + 1}`),
        ],
      };
      this.#halves.set(key, entry);
    }
    return entry.members[(binding.component & 1) as 0 | 1];
  }

  #loadOne({ type, storage, block, component }: FieldBinding): WasmNode {
    const pointer = this.#pointer(block);
    const offset = BYTES[storage] * component;
    if (storage === 'f64') return f64.load(pointer, offset);
    if (storage === 'f32') return f64.promote_f32(f32.load(pointer, offset));
    const word = i32.load(pointer, offset);
    if (type !== 'real') return word;
    return storage === 'i32' ? f64.convert_i32_s(word) : f64.convert_i32_u(word);
  }

  #storeOne({ field, storage, block, component }: FieldBinding): void {
    const pointer = this.#pointer(block);
    const offset = BYTES[storage] * component;
    const value = this.#f.get(this.locals.get(field)!);
    if (storage === 'f64') this.#f.emit(f64.store(pointer, value, offset));
    else if (storage === 'f32') this.#f.emit(f32.store(pointer, f32.demote_f64(value), offset));
    else this.#f.emit(i32.store(pointer, value, offset));
  }

  #loadTwo(binding: FieldBinding): WasmNode {
    const { type, storage } = binding;
    if (storage === 'f64') return v128.load(this.#pointer(binding.block));
    const words = this.#loadWords(binding);
    if (storage === 'f32') return f64x2.promote_low_f32x4(words);
    if (type !== 'real') return words;
    return storage === 'i32' ? f64x2.convert_low_i32x4_s(words) : f64x2.convert_low_i32x4_u(words);
  }

  /** The 32-bit numbers (of ids: the low words) of two rows, in the two low lanes. */
  #loadWords({ storage, width, block, component }: FieldBinding): WasmNode {
    const pointer = this.#pointer(block);
    if (width === 1 && storage !== 'u64') return v128.load64_zero(pointer);
    if (width === 1) {
      const ids = this.#f.keep(v128.load(pointer), 'v128');
      return i8x16.shuffle(lowWords, ids, ids);
    }
    const offset = BYTES[storage] * component;
    return v128.load32Lane(
      1,
      pointer,
      v128.load32_zero(pointer, offset),
      offset + BYTES[storage] * width,
    );
  }

  #storeTwo({ field, storage, width, block, component }: FieldBinding): void {
    const f = this.#f;
    const pointer = this.#pointer(block);
    const value = f.get(this.locals.get(field)!);
    if (storage === 'f64') {
      f.emit(v128.store(pointer, value));
      return;
    }
    const words = f.keep(storage === 'f32' ? f32x4demote(value) : value, 'v128');
    if (width === 1) {
      f.emit(v128.store64Lane(0, pointer, words));
      return;
    }
    const offset = 4 * component;
    f.emit(
      v128.store32Lane(0, pointer, words, offset),
      v128.store32Lane(1, pointer, words, offset + 4 * width),
    );
  }
}

const f32x4demote = (value: WasmNode): WasmNode => ['f32x4.demote_f64x2_zero', value];
