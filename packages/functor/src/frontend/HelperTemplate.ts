import type { HelperIR, ValueType } from '../ir.js';
import type { Builtin } from '../library/builtins.js';
import type { ParsedFunction } from './parseFunction.js';
import type { Shape } from './Translation.js';

/** `helpers` and `constants` are those arguments handed on; everything else is a number or a truth value. */
export type ArgumentKind = 'value' | 'helpers' | 'constants';

/** A helper before its argument types are known; each combination of types makes an instance. */
export interface HelperTemplate {
  readonly name: string;
  readonly parsed: ParsedFunction;
  readonly kinds: readonly ArgumentKind[];
  readonly shape: Shape;
  readonly builtin: Builtin | null;
  readonly instances: Map<string, HelperInstance>;
}

export interface HelperInstance {
  readonly params: readonly ValueType[];
  readonly results: readonly ValueType[];
  readonly ir: HelperIR;
  /** Instances that this one calls. */
  readonly callees: readonly HelperInstance[];
}
