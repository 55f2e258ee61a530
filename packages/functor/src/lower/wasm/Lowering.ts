import type { Variable } from '../../ir.js';
import type { BodyEnv, LaneShape, LaneValue } from './BodyEnv.js';
import { type Control, topControl } from './control.js';
import type { FunctionBuilder } from './FunctionBuilder.js';
import { LaneOps } from './LaneOps.js';
import { i32, v128 } from './ops.js';
import { type Variance, VarianceAnalysis } from './variance.js';
import type { Label, WasmNode } from './WasmNode.js';

export interface LowerOptions extends LaneShape {
  readonly builder: FunctionBuilder;
  readonly env: BodyEnv;
  /** Lanes that take part: a v128 as wide as `real`, cheap to repeat; null or absent for all. */
  readonly mask?: WasmNode | null;
  /**
   * Address (i32, cheap to repeat) of 16-byte aligned memory of this thread for local arrays that are indexed by variables;
   * {@link scratchBytes} says how much. Without it such arrays live in locals, reached by chains of selections.
   */
  readonly scratch?: WasmNode | null;
  /** Values of hoisted variables, by `Variable.id`. */
  readonly variables?: ReadonlyMap<string, LaneValue>;
  /**
   * A v128 local that collects lanes on which a vector function's fast path does not hold (an exponential that overflows, the
   * logarithm of 0): results are then not to be used, and the scaffold repeats the work without this option. Without it such
   * lanes are treated at once, after a branch.
   */
  readonly suspects?: number | null;
  /** Fuse multiply and add where the machine does (relaxed SIMD): faster, last bits differ between machines. Default: false. */
  readonly relaxed?: boolean;
}

/**
 * A set of lanes that run the same statements. `mask` null stands for all lanes. Lanes that escape are taken out of every region
 * between them and their target, so regions that can be escaped from own a local.
 */
export interface Region {
  readonly mask: WasmNode | null;
  readonly local: number | null;
}

export type Binding =
  | { readonly kind: 'value'; readonly value: LaneValue }
  | {
      readonly kind: 'local';
      readonly local: number;
      readonly uniform: boolean;
      readonly region: number;
    }
  | {
      readonly kind: 'array';
      /** One local an element, or the address of the first element. */
      readonly place: readonly number[] | WasmNode;
      readonly uniform: boolean;
      readonly region: number;
    };

/** A loop being lowered: where its escapes go. */
export interface OpenLoop {
  readonly exit: Label;
  readonly next: Label;
  /** Index of the first region that a `break` (a `continue`) leaves. */
  readonly breakFrom: number;
  readonly continueFrom: number;
}

/** The functor's body, or one inlined call of a helper. */
export interface Frame {
  readonly variance: Variance;
  readonly bindings: Map<Variable, Binding>;
  readonly exit: Label;
  /** Index of the frame's outermost region. */
  readonly root: number;
  readonly results: readonly { readonly local: number; readonly uniform: boolean }[];
  loop: OpenLoop | null;
  control: Control;
  regions: number;
}

/** State of a lowering. The functions of this folder take it as their first argument. */
export class Lowering {
  readonly ops: LaneOps;
  readonly builder: FunctionBuilder;
  readonly env: BodyEnv;
  readonly analysis: VarianceAnalysis;
  readonly relaxed: boolean;
  readonly suspects: number | null;
  readonly scratch: WasmNode | null;
  readonly regions: Region[] = [];
  readonly hoisted: ReadonlyMap<string, LaneValue>;
  /** Bytes of scratch memory in use. */
  scratchUsed = 0;
  frame: Frame;

  constructor(options: LowerOptions) {
    const { builder, env, lanes } = options;
    this.ops = new LaneOps(builder, options);
    this.builder = builder;
    this.env = env;
    this.relaxed = (options.relaxed ?? false) && lanes > 1;
    this.suspects = options.suspects ?? null;
    this.scratch = options.scratch ?? null;
    this.hoisted = options.variables ?? new Map();
    this.regions.push({ mask: options.mask ?? null, local: null });
    const uniformField = lanes === 1 ? () => true : env.uniform.bind(env);
    this.analysis = new VarianceAnalysis({
      uniformField,
      uniformVariable: (v) => this.hoisted.get(v.id)?.uniform,
    });
    this.frame = this.openFrame(this.analysis.body([]), [], -1);
  }

  openFrame(variance: Variance, results: Frame['results'], exit: Label): Frame {
    return {
      variance,
      bindings: new Map(),
      exit,
      root: this.regions.length - 1,
      results,
      loop: null,
      control: topControl,
      regions: 0,
    };
  }

  /** Lanes that run at this place; null for all. */
  get mask(): WasmNode | null {
    return this.regions.at(-1)?.mask ?? null;
  }

  /** Narrows a condition on lanes to those that run. */
  masked(condition: WasmNode): WasmNode {
    return this.mask ? v128.and(this.mask, condition) : condition;
  }

  /** Runs `emit` with the lanes of `mask` only, in a region that cannot be escaped from (expressions). */
  within<T>(mask: WasmNode, emit: () => T): T {
    this.regions.push({ mask, local: null });
    try {
      return emit();
    } finally {
      this.regions.pop();
    }
  }

  /** Runs `emit` in a region whose mask starts as `mask` and loses the lanes that escape. */
  inRegion(mask: WasmNode, emit: () => void): void {
    const local = this.builder.variable(mask, 'v128');
    this.regions.push({ mask: this.builder.get(local), local });
    try {
      emit();
    } finally {
      this.regions.pop();
    }
  }

  /** Takes the running lanes out of all regions from index `first` on. */
  leave(first: number, lanes: WasmNode | null = this.mask): void {
    const top = this.regions.length - 1;
    for (let k = first; k <= top; k++) {
      const { mask, local } = this.regions[k] as Region;
      if (local === null || mask === null || lanes === null)
        throw new Error('escape from a region without a mask');
      const rest = k === top && lanes === mask ? this.ops.none : v128.andnot(mask, lanes);
      this.builder.set(local, rest);
    }
  }

  /** An index that is 0 on lanes that are off: it may be garbage there. */
  safeIndex(index: LaneValue): LaneValue {
    if (index.uniform || !this.mask) return index;
    return { ...index, node: v128.and(index.node, this.ops.intMask(this.mask)) };
  }

  /** A condition that no lane of the mask holds. */
  noneOf(mask: WasmNode): WasmNode {
    return i32.eqz(v128.any_true(mask));
  }
}
