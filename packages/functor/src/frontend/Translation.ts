import type { Node } from 'acorn';
import type { RoleField, RoleName } from '../ir.js';
import { conflicts } from './conflicts.js';
import type { DraftExpr, DraftStmt, Local } from './Draft.js';
import type { HelperLibrary } from './HelperLibrary.js';
import type { SourceText } from './SourceText.js';

/** What a name stands for. */
export type Binding =
  | { readonly kind: 'local'; readonly local: Local }
  | { readonly kind: 'role'; readonly role: RoleName }
  /** A field taken out of its role by destructuring a parameter. */
  | { readonly kind: 'field'; readonly role: RoleName; readonly field: string }
  | { readonly kind: 'helpers' }
  | { readonly kind: 'constants' }
  | { readonly kind: 'helper'; readonly name: string }
  | { readonly kind: 'constant'; readonly value: number }
  /** Several values under one name: `const r = h.f(x)` with an object result. */
  | {
      readonly kind: 'record';
      readonly names: readonly string[];
      readonly locals: readonly Local[];
    };

/** How many values a helper returns, and their names when it returns an object. */
export interface Shape {
  readonly many: boolean;
  readonly count: number;
  readonly names: readonly string[] | null;
}

export type RoleTable = { readonly [R in RoleName]?: Readonly<Record<string, RoleField>> };

/** The state of translating one function: scopes, and the statement list that expressions put their effects on. */
export class Translation {
  out: DraftStmt[] = [];
  readonly locals: Local[] = [];
  /** Of the returns met so far; null before the first. */
  shape: Shape | null = null;
  loopDepth = 0;
  readonly #scopes: Map<string, Binding>[] = [new Map()];
  #next = 0;

  constructor(
    readonly source: SourceText,
    readonly library: HelperLibrary,
    readonly kind: 'functor' | 'helper' | 'builtin',
    readonly roles: RoleTable,
    readonly constants: Readonly<Record<string, number>>,
  ) {}

  bind(name: string, binding: Binding): void {
    this.#scopes.at(-1)!.set(name, binding);
  }

  bindAtTop(name: string, binding: Binding): void {
    this.#scopes[0]!.set(name, binding);
  }

  lookup(name: string): Binding | undefined {
    for (let k = this.#scopes.length - 1; k >= 0; k--) {
      const found = this.#scopes[k]!.get(name);
      if (found) return found;
    }
    return undefined;
  }

  scoped<T>(work: () => T): T {
    this.#scopes.push(new Map());
    try {
      return work();
    } finally {
      this.#scopes.pop();
    }
  }

  /** The statements that `work` puts out, kept apart. */
  collect(work: () => void): DraftStmt[] {
    const outer = this.out;
    const inner: DraftStmt[] = [];
    this.out = inner;
    try {
      work();
    } finally {
      this.out = outer;
    }
    return inner;
  }

  newLocal(name: string, node: Node, options: { size?: number; constant?: boolean } = {}): Local {
    const clean = name.replace(/[^A-Za-z0-9]/g, '') || 'v';
    const local: Local = {
      name,
      id: `${/^[0-9]/.test(clean) ? 'v' : ''}${clean}_${this.#next++}`,
      node,
      type: 'literal',
      size: options.size ?? 0,
      constant: options.constant ?? false,
      declaredInt: false,
      demanded: false,
      reassigned: false,
      dynamic: false,
      assigned: [],
    };
    this.locals.push(local);
    return local;
  }

  /** Declares a local with a value and returns it. */
  declare(name: string, value: DraftExpr | null, node: Node, constant: boolean): Local {
    const local = this.newLocal(name, node, { constant });
    if (value) local.assigned.push(value);
    this.out.push({ kind: 'declare', local, value, node });
    return local;
  }

  assign(local: Local, value: DraftExpr, node: Node): void {
    local.assigned.push(value);
    local.reassigned = true;
    this.out.push({ kind: 'assign', local, value, node });
  }

  read(local: Local, node: Node): DraftExpr {
    return { kind: 'local', local, node };
  }

  /**
   * Evaluates parts from left to right. When a later part has effects that would change the value of an earlier one,
   * the earlier one is first stored in a temporary.
   */
  inOrder(parts: readonly (() => DraftExpr)[]): DraftExpr[] {
    const values: DraftExpr[] = [];
    for (const part of parts) {
      const mark = this.out.length;
      const value = part();
      const effects = this.out.slice(mark);
      if (effects.length > 0) {
        values.forEach((earlier, k) => {
          if (!conflicts(earlier, effects)) return;
          const local = this.newLocal('t', earlier.node, { constant: true });
          local.assigned.push(earlier);
          this.out.splice(mark, 0, { kind: 'declare', local, value: earlier, node: earlier.node });
          values[k] = this.read(local, earlier.node);
        });
      }
      values.push(value);
    }
    return values;
  }
}
