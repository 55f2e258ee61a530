import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OperatorBundle, OperatorDefinition, Registry, SourceLocation } from '@corpuscle/core';
import type { AnyPairPotential } from '@corpuscle/operators';
import type { EngineRegistration } from '@corpuscle/patterns';
import { displayPath } from '../output/formatError.js';
import { loadCommand } from '../program/loadCommand.js';
import { exactPlace } from '../typescript/exactPlace.js';
import { importFailure } from '../typescript/importFailure.js';
import { importModule } from '../typescript/importModule.js';

/** A module to take operators from. */
export interface OperatorModule {
  /** What messages call it: the option or the plugin. */
  readonly title: string;
  readonly file: string;
  /** Where a document names it. */
  readonly location?: SourceLocation | undefined;
}

/**
 * A registry with all operators that come along, and those of modules: of `--import`, and of plugins. A module exports
 * operators, integrators, pair potentials and engines (under any name, or in lists), or has a default export that takes the registry and adds to it.
 *
 * @throws CorpuscleError FILE_NOT_FOUND; INVALID_VALUE for a module that cannot be loaded or has no operators.
 */
export async function loadOperators(
  imports: readonly string[],
  plugins: readonly OperatorModule[] = [],
): Promise<Registry> {
  const { createRegistry } = await loadCommand(() => import('@corpuscle/operators'));
  const registry = createRegistry();
  const imported = imports.map((name): OperatorModule => {
    const file = resolve(name);
    return { title: `--import ${displayPath(file)}`, file };
  });
  const files = new Set<string>();
  for (const module of [...imported, ...plugins]) {
    if (!files.has(module.file)) await addFrom(module, registry).catch(errorAt(module.location));
    files.add(module.file);
  }
  return registry;
}

/** Gives an error that has no place of its own that of the document. */
const errorAt =
  (location: SourceLocation | undefined) =>
  async (error: unknown): Promise<never> => {
    const { CorpuscleError } = await import('@corpuscle/core');
    if (!location || !(error instanceof CorpuscleError) || error.location) throw error;
    throw new CorpuscleError(error.code, error.message, { location, cause: error.cause ?? error });
  };

async function addFrom({ title, file }: OperatorModule, registry: Registry): Promise<void> {
  const { CorpuscleError } = await import('@corpuscle/core');
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    const why = existsSync(file) ? 'it is a folder: name a file in it' : 'there is no such file';
    throw new CorpuscleError('FILE_NOT_FOUND', `${title}: ${why}`);
  }
  const { backendNames, registerEngine } = await import('@corpuscle/patterns');
  const known = backendNames().length;
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await importModule(file);
  } catch (cause) {
    if (cause instanceof CorpuscleError && cause.location) throw exactPlace(cause); // from a functor
    throw importFailure(title, file, cause);
  }
  const before = registry.operators.length;
  try {
    if (typeof module.default === 'function') await module.default(registry);
  } catch (cause) {
    if (cause instanceof CorpuscleError && cause.location) throw cause;
    throw importFailure(`${title}: its default export failed`, file, cause);
  }
  const exported = new Set(Object.values(module).flat());
  try {
    const operators = [...exported].filter(isOperator);
    const { pairForceOperator } = await import('@corpuscle/operators');
    registry.add(...operators);
    for (const potential of [...exported].filter(isPotential)) {
      const made = pairForceOperator(potential);
      if (operators.some(({ name }) => name === made.name)) continue;
      if (registry.operator(made.name)) {
        const message = `there is a '${made.name}': give the potential '${potential.name}' another name`;
        throw new CorpuscleError('INVALID_VALUE', message);
      }
      registry.add(made);
    }
    for (const bundle of [...exported].filter(isBundle)) registry.addBundle(bundle);
  } catch (cause) {
    const { message } = cause as Error;
    const given = cause instanceof CorpuscleError ? cause.location : undefined;
    const location = given ?? firstNamed(message, file);
    throw new CorpuscleError('INVALID_VALUE', `${title}: ${message}`, {
      ...(location && { location }),
      cause,
    });
  }
  const engines = [...exported].filter(isEngine);
  for (const engine of engines) registerEngine(engine);
  const hasEngine = engines.length > 0 || backendNames().length > known;
  if (registry.operators.length === before && !hasEngine)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${title}: it exports no operators; export what defineOperator or definePairPotential gives, or an engine`,
    );
}

/** Where a module first has a word that a message quotes: definitions of plain objects have no other place. */
function firstNamed(message: string, file: string): SourceLocation | undefined {
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const [, word] of message.matchAll(/'(\w+)'/g)) {
    const quoted = new RegExp(`(['"\`])${word}\\1`);
    const line = lines.findIndex((text) => quoted.test(text));
    if (line >= 0) return { file, line: line + 1, column: lines[line]!.search(quoted) + 1 };
  }
  return undefined;
}

function isBundle(value: unknown): value is OperatorBundle {
  const { name, operators, composites, defaults } = (value ?? {}) as Partial<OperatorBundle>;
  const isUsed = Array.isArray(composites) || typeof defaults === 'string';
  return typeof name === 'string' && Array.isArray(operators) && isUsed;
}

function isEngine(value: unknown): value is EngineRegistration {
  const { name, open } = (value ?? {}) as Partial<EngineRegistration>;
  return typeof name === 'string' && typeof open === 'function';
}

function isPotential(value: unknown): value is AnyPairPotential {
  const { name, coefficients, term } = (value ?? {}) as Partial<AnyPairPotential>;
  return typeof name === 'string' && typeof coefficients === 'object' && typeof term === 'function';
}

/** Whether it is meant to be an operator: the registry tells what it lacks. */
function isOperator(value: unknown): value is OperatorDefinition {
  const { name, doc, slots, execute } = (value ?? {}) as Partial<OperatorDefinition>;
  const isNamed = typeof name === 'string' || typeof doc === 'string';
  return isNamed && (typeof slots === 'object' || typeof execute === 'function');
}
