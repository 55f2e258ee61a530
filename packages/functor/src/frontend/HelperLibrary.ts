import type { SourceLocation } from '../error/CorpuscleError.js';
import type { FunctorFunction } from '../Functor.js';
import type { FunctorSpec } from '../FunctorSpec.js';
import type { HelperIR } from '../ir.js';
import type { ResultOp } from '../schema.js';
import { BUILTIN, builtinOf, parsedBuiltin } from './builtinNames.js';
import { type ComputedField, computedFields, computedHelper } from './computedFields.js';
import type { DraftType } from './Draft.js';
import { emitHelper } from './emitFunction.js';
import type { ArgumentKind, HelperInstance, HelperTemplate } from './HelperTemplate.js';
import { type ParsedFunction, parseFunction } from './parseFunction.js';
import { translateHelper } from './translateFunction.js';

/** The helpers of one functor: parsed when first called, compiled once for each combination of argument types. */
export class HelperLibrary {
  readonly names: readonly string[];
  readonly constants: Readonly<Record<string, number>>;
  readonly resultOps: Readonly<Record<string, ResultOp>>;
  /** Fields that helpers compute from others. */
  readonly computed: Readonly<Record<string, ComputedField>>;
  readonly #helpers: Readonly<Record<string, FunctorFunction>>;
  readonly #parsed = new Map<string, ParsedFunction>();
  readonly #templates = new Map<string, HelperTemplate>();
  readonly #pending: string[] = [];
  /** Instances in use, callees before callers. */
  readonly #used: HelperInstance[] = [];

  constructor(
    readonly spec: FunctorSpec,
    readonly site: SourceLocation,
  ) {
    const given = spec.kind === 'cell' || spec.kind === 'reduce' ? spec.computed : undefined;
    this.computed = computedFields(given, spec.name, site);
    const made = Object.entries(this.computed).map(([n, { helper }]) => [
      computedHelper(n),
      helper,
    ]);
    this.#helpers = { ...spec.helpers, ...Object.fromEntries(made) };
    this.names = Object.keys(spec.helpers ?? {});
    this.constants = spec.constants ?? {};
    this.resultOps = (spec.kind === 'reduce' || spec.kind === 'block' ? spec.result : null) ?? {};
  }

  /** The helper as called with these kinds of arguments. */
  template(
    name: string,
    kinds: readonly ArgumentKind[],
    fail: (problem: string, remedy: string) => never,
  ): HelperTemplate {
    const key = `${name}(${kinds.join()})`;
    const present = this.#templates.get(key);
    if (present) return present;
    if (this.#pending.includes(name)) {
      fail(
        `the helper '${name}' calls itself (${[...this.#pending, name].join(' → ')})`,
        'write a loop',
      );
    }
    const builtin = builtinOf(name);
    const parsed = builtin ? parsedBuiltin(name, builtin) : this.#parse(name);
    const wanted = parsed.node.params.length;
    if (wanted !== kinds.length) {
      fail(
        `the helper '${name}' takes ${wanted} argument${wanted === 1 ? '' : 's'}, not ${kinds.length}`,
        'correct the call',
      );
    }
    this.#pending.push(name);
    const { shape } = translateHelper(parsed, kinds, this);
    this.#pending.pop();
    const plain = builtin ? name.slice(BUILTIN.length) : name;
    const instances = new Map();
    const template: HelperTemplate = { name: plain, parsed, kinds, shape, builtin, instances };
    this.#templates.set(key, template);
    return template;
  }

  returnsMany(name: string, kinds: readonly ArgumentKind[]): boolean {
    const builtin = builtinOf(name);
    if (builtin) return builtin.many;
    if (this.#pending.includes(name) || this.#parse(name).node.params.length !== kinds.length)
      return false;
    return this.template(name, kinds, (problem) => {
      throw new Error(problem);
    }).shape.many;
  }

  /** The instance for these argument types. A `literal` argument stays open until the helper's body decides. */
  instance(template: HelperTemplate, types: readonly DraftType[]): HelperInstance {
    const key = types.join();
    const present = template.instances.get(key);
    if (present) return present;
    const made = emitHelper(template, types, this);
    const final = made.params.join();
    const instance = template.instances.get(final) ?? made;
    template.instances.set(key, instance);
    template.instances.set(final, instance);
    return instance;
  }

  /** Marks an instance as part of the finished functor and names it. */
  use(instance: HelperInstance): void {
    if (this.#used.includes(instance)) return;
    for (const callee of instance.callees) this.use(callee);
    const { ir } = instance;
    const base = ir.name;
    let name = base;
    for (let k = 2; this.#used.some((other) => other.ir.name === name); k++) name = `${base}${k}`;
    (ir as { name: string }).name = name;
    this.#used.push(instance);
  }

  get used(): readonly HelperIR[] {
    return this.#used.map(({ ir }) => ir);
  }

  #parse(name: string): ParsedFunction {
    let parsed = this.#parsed.get(name);
    if (!parsed) {
      parsed = parseFunction(
        this.#helpers[name]!,
        `helper '${name}' of functor '${this.spec.name}'`,
        this.site,
      );
      this.#parsed.set(name, parsed);
    }
    return parsed;
  }
}
