import type { RoleName } from '../../ir.js';

/**
 * A functor becomes one WGSL function, named `options.name` (default: the functor's name), with `real` = f32, or with
 * `real` = double-single, vec2f (high, low), where `options.real` is 'f64':
 *
 *   pair     fn NAME(i: ptr<function, NAME_i>, j: NAME_j, d: vec4f)      d = (x, y, z, r2), central − neighbor;
 *            double-single: mat2x4f, columns of high and low parts
 *   cell     fn NAME(i: ptr<function, NAME_i>)
 *   reduce   fn NAME(acc: ptr<function, NAME_acc>, i: NAME_i)
 *   block    fn NAME(b_index: u32, b_x: u32, b_y: u32, b_z: u32, b_lane: u32, b_size: u32)
 *
 * (One struct of a block would be non-uniform as a whole because of its lane, and barriers would be refused.)
 * NAME_i, NAME_j and NAME_acc are structs, declared in `structs`. A member is called `wgslMember(field)`: the
 * field's name made safe, with a trailing underscore (`type_`, `fx_`). NAME_i and NAME_acc hold exactly the fields the
 * functor reads or writes (see `fields`); a struct that would be empty holds one member `pad_: u32`. Outputs are written through the pointer, `+=` on top of what it holds: a
 * caller that accumulates clears the members first, or loads them.
 *
 * Parameters and arrays are reached through the text that this environment supplies: module-scope variables
 * (uniforms, storage buffers) that the caller declares. Writes are statements, so the caller guards them; the guarded
 * forms for storage buffers are ready-made in `storageItem` and `storageWrite`.
 *
 * Double-single text calls functions `ds_…`, which `doubleLibrary` declares; `GpuDevice.kernel` adds them by itself.
 */
export interface WgslEnv {
  /** A scalar parameter, e.g. `params.eps_`. Types: real f32 (vec2f), i32, u32. */
  param(field: string): string;
  /** An element of a table parameter (role p) or an array argument (role a); `index` is the text of a u32. */
  item(role: RoleName, field: string, index: string): string;
  /** A statement that writes an element of an array argument of a block functor; `index` is the text of a u32. */
  writeItem(
    role: RoleName,
    field: string,
    index: string,
    op: '=' | '+=' | '-=',
    value: string,
  ): string;
  /** A statement for `i.field += value` where the caller keeps this sum itself; null where the struct's member does. */
  sum?(field: string, op: '+=' | '-=', value: string): string | null;
  /**
   * Fields of i, reals that the functor only adds to, whose members collect errors in their low parts: in double-single that costs
   * less than a real sum. When all is added the caller settles them (`ds_settled`).
   */
  readonly gathered?: ReadonlySet<string>;
}

/** How a functor is printed, and where its parameters and arrays live. */
export interface WgslOptions {
  /** Name of the function and prefix of everything else (default: the functor's name). */
  readonly name?: string;
  readonly env: WgslEnv;
  /** What `real` is (default f32). */
  readonly real?: 'f32' | 'f64';
  /** Whether what depends on parameters only is computed before: see `LoweredWgsl.before`. */
  readonly hoist?: boolean;
  /** A hand-written function body to use in place of the compiled one (`spec.wgsl`); not with real f64. */
  readonly body?: string;
}

/** A field of a struct argument, in the order of its members. */
export interface WgslField {
  readonly field: string;
  readonly member: string;
  readonly type: 'f32' | 'vec2f' | 'i32' | 'u32';
  readonly written: boolean;
}

/** A functor as a function of WGSL, with the structs of its arguments. */
export interface LoweredWgsl {
  /** Struct declarations. */
  readonly structs: string;
  /** Support and helper functions, then the functor's own. */
  readonly functions: string;
  readonly name: string;
  /** Statement with which a thread computes what all calls of the functor share; empty where there is nothing. */
  readonly before: string;
  /** Members of the struct arguments, by role. */
  readonly fields: {
    readonly i: readonly WgslField[];
    readonly j: readonly WgslField[];
    readonly acc: readonly WgslField[];
  };
}
