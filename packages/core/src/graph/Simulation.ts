import type { SourceLocation } from '@corpuscle/functor/error';
import type { ParticleTypes } from '../particles/ParticleTypes.js';
import type { UnitSystem } from '../units/UnitSystem.js';
import type { OperatorDefinition } from './defineOperator.js';
import type { SlotExpression } from './expression/SlotExpression.js';
import type { ValueSpec } from './SlotSpec.js';

/** Key `configuration`: what holds for the whole run. */
export interface Configuration {
  readonly units: UnitSystem;
  /** Seed of every random stream, 0 … 2⁵³−1. */
  readonly seed: number;
  /** Same seed, backend and device give the same bits, with any number of threads. */
  readonly deterministic: boolean;
  /** Wishes about the machine; the command line has the last word. */
  readonly backend?: string;
  readonly threads?: number;
  readonly precision?: 'f64' | 'f32' | 'mixed';
}

/** What is known when the values of operators are checked. */
export interface LoadContext {
  readonly configuration: Configuration;
  readonly particleTypes: ParticleTypes;
}

/** Where the value of a slot comes from. */
export type SlotSource =
  /** Given, global or default: known before the run, in internal units. */
  | { readonly kind: 'value'; readonly value: unknown; readonly location?: SourceLocation }
  /** Made by an operator at run time. */
  | { readonly kind: 'output'; readonly cell: OutputCell; readonly fallback?: unknown }
  | { readonly kind: 'absent' };

/** Where an output lives while the simulation runs; consumers hold the same object. */
export interface OutputCell {
  readonly operator: string;
  readonly slot: string;
  readonly spec: ValueSpec;
  /** Whether it is a number that stands for any quantity, as computed ones do in reduced units. */
  readonly isReduced?: boolean;
  /** What it holds when a run begins. */
  readonly initial: unknown;
  value: unknown;
}

/** One place in the graph: an operator with its slots connected. */
export interface OperatorNode {
  readonly kind: 'operator';
  readonly definition: OperatorDefinition;
  /** Names of the batches around it and its own: `molecular_dynamics/compute_force/my_force`. */
  readonly path: string;
  /** What its time counts for in profiles, where a batch says `profiling: false`: the path of that batch. */
  readonly profiledAs?: string;
  /** Whether it comes with a package. */
  readonly isBuiltIn: boolean;
  /** The backend that `configuration` gives it; absent: that of the run. */
  readonly backend?: string;
  readonly slots: ReadonlyMap<string, SlotSource>;
  /**
   * The place in the text. A named batch that is used twice appears twice in the graph, but its operators have one
   * place each, and so one `own` and one `finish`: a file written by both has one header.
   */
  readonly place: object;
  readonly location?: SourceLocation;
}

/** Operators in order. A loop's condition is tested before the first pass and after each. */
export interface BatchNode {
  readonly kind: 'batch';
  readonly name: string;
  readonly body: readonly GraphNode[];
  readonly condition?: SlotExpression;
  /** Absent: once. A number: that many passes, asked for again before each. `true`: while the condition holds, or until an operator ends it. */
  readonly loop?: true | SlotExpression;
  /** Whether items that do not depend on each other may run beside each other. */
  readonly parallel?: boolean;
  /** Whether it is a hook that runs at the end of an interrupted run too, or is inside one. */
  readonly isEpilog?: boolean;
  readonly location?: SourceLocation;
}

/** An operator, or a batch of nodes. */
export type GraphNode = OperatorNode | BatchNode;

/** A file that the simulation will write, known before it runs. */
export interface PlannedOutput {
  readonly name: string;
  readonly operator: string;
  readonly location?: SourceLocation;
}

/** Something in the files that is no mistake but hardly meant. */
export interface SimulationWarning {
  readonly message: string;
  readonly location: SourceLocation;
}

/** A simulation as loaded: every name resolved, every value checked, nothing run. */
export interface Simulation extends LoadContext {
  readonly files: readonly string[];
  /** `global` values as written, for printing. */
  readonly globals: Readonly<Record<string, unknown>>;
  readonly root: BatchNode;
  readonly outputs: readonly PlannedOutput[];
  /** What the author of the files should know. */
  readonly warnings: readonly SimulationWarning[];
  /** Names of all simulations that the document's `matrix` stands for, this one among them. */
  readonly matrix?: readonly string[];
}

/** The same simulation with one backend for all operators, which the caller has chosen. */
export function withOneBackend(simulation: Simulation): Simulation {
  const plain = <N extends GraphNode>(node: N): N => {
    if (node.kind === 'batch') return { ...node, body: node.body.map(plain) };
    const { backend: _, ...others } = node;
    return others as N;
  };
  return { ...simulation, root: plain(simulation.root) };
}

/** Every operator of a graph, in order of appearance. */
export function* operatorsOf(node: GraphNode): Generator<OperatorNode> {
  if (node.kind === 'operator') yield node;
  else for (const child of node.body) yield* operatorsOf(child);
}
