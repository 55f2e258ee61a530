import { CorpuscleError } from '@corpuscle/functor/error';
import { outsideOutputs } from './outsideOutputs.js';
import { pluginNames } from './pluginsOf.js';
import type { Registry } from './Registry.js';
import { BackendRules } from './resolve/BackendRules.js';
import {
  checkGlobals,
  checkKeys,
  checkOrder,
  checkUnreadGlobals,
  checkUnusedBatches,
  plannedOutputs,
  unusedEntries,
} from './resolve/checkGraph.js';
import { Definitions } from './resolve/Definitions.js';
import { GraphBuilder } from './resolve/GraphBuilder.js';
import { Mistakes } from './resolve/Mistakes.js';
import { applyPoint, matrixOf } from './resolve/matrix.js';
import { mendSections } from './resolve/mendSections.js';
import { resolveConfiguration } from './resolve/resolveConfiguration.js';
import type { Simulation } from './Simulation.js';
import { type DocumentText, loadDocuments } from './yaml/loadDocuments.js';
import { plainOf } from './yaml/SourceNode.js';

/** What a simulation is read with. */
export interface LoadOptions {
  /** `path=value` options, merged after the files. */
  readonly set?: readonly string[];
  /** The operators, hooks and default batches that the files may name. */
  readonly operators: Registry;
  /** Backends that `configuration` may name besides `auto`. Default: any, and the context refuses what it does not know. */
  readonly backends?: readonly string[];
  /** `false`: names of files outside of the output folder are mistakes, which a run refuses otherwise. */
  readonly allowOutside?: boolean;
  /** Which simulation of a `matrix` it is, from 0. Default 0. */
  readonly point?: number;
}

/**
 * Reads YAML files, or documents of a program, merges them, resolves every name and checks every value. Runs nothing, writes
 * nothing. All mistakes are told at once, up to a limit; of a text that is no YAML the first alone.
 *
 *   files, --set ──▶ one document ──▶ configuration, types ──▶ graph of operators with connected slots ──▶ checks
 *
 * @throws CorpuscleError with the file, line, column and caret of the first mistake; `more` has the others.
 *
 * @example
 * const simulation = loadSimulation(['melt.yaml'], { operators: standardOperators(), set: ['global.dt=0.002'] });
 * await runSimulation(simulation, { context });
 */
export function loadSimulation(
  files: readonly (string | DocumentText)[],
  options: LoadOptions,
): Simulation {
  const names = files.map((file) => (typeof file === 'string' ? file : file.name));
  const mistakes = new Mistakes(names);
  const written = loadDocuments(files, options.operators, options.set ?? [], (mistake) =>
    mistakes.note(mistake),
  );
  const whole = mendSections(written, options.operators, mistakes);
  const points = matrixOf(whole);
  const { point: number = 0 } = options;
  const point = points[number];
  if (number !== 0 && !point)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `point is ${number}, but ${points.length === 0 ? 'there is no matrix' : `the matrix has ${points.length} simulations: give 0 to ${points.length - 1}`}`,
    );
  const document = point ? applyPoint(whole, point) : whole;
  const load = resolveConfiguration(document, mistakes, options.backends);
  const definitions = new Definitions(document, options.operators, load, mistakes);
  checkKeys(document, definitions);
  checkGlobals(document, definitions);
  mistakes.attempt(() => pluginNames(document), []);
  const backends = new BackendRules(document, mistakes, options.backends);
  const builder = new GraphBuilder(definitions, backends);
  const root = builder.buildRoot(document);
  if (!mistakes.hasHoles) backends.noteUnused(root, mistakes);
  checkUnreadGlobals(definitions);
  const warnings = unusedEntries(definitions, root);
  checkUnusedBatches(definitions, builder);
  checkOrder(root, mistakes);
  const outputs = plannedOutputs(root, mistakes);
  if (options.allowOutside === false)
    for (const mistake of outsideOutputs(outputs)) mistakes.note(mistake);
  const globals = [...definitions.globals].map(
    ([key, entry]) => [key, plainOf(entry.value)] as const,
  );
  const backend = backends.forRun(root) ?? load.configuration.backend;
  const simulation: Simulation = {
    ...load,
    configuration: { ...load.configuration, ...(backend !== undefined && { backend }) },
    files: names,
    globals: Object.fromEntries(globals),
    root,
    outputs,
    warnings,
    ...(point && { matrix: points.map(({ name }) => name) }),
  };
  checkWhole(simulation, options.operators, mistakes);
  mistakes.throwAny();
  const advice = options.operators.advice.flatMap((advise) => advise(simulation));
  return { ...simulation, warnings: [...warnings, ...advice] };
}

/** Checks of the whole, where nothing of it is missing. */
function checkWhole(simulation: Simulation, { checks }: Registry, mistakes: Mistakes): void {
  if (mistakes.hasHoles || mistakes.hasWrongUnits) return;
  const isRight = mistakes.notes === 0;
  for (const check of checks) {
    try {
      for (const mistake of check(simulation)) mistakes.note(mistake);
    } catch (error) {
      // They take every value as it is meant. What they stumble over is told already.
      if (isRight) throw error;
    }
  }
}
