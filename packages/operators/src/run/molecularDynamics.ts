import { type Grid, ParticleTypes, type StopSignal } from '@corpuscle/core';
import {
  type ExecutionContext,
  type PreparedCall,
  type PreparedStep,
  prepareStep,
  updateNeighbors,
} from '@corpuscle/patterns';
import {
  type Evaluation,
  type ExpectedResults,
  ForceLedger,
  requestFor,
} from '../forces/ForceLedger.js';
import type { ForceTerm } from '../forces/ForceTerm.js';
import { reachOf } from '../forces/reachOf.js';
import { removedDegrees } from '../integrators/degreesOfFreedom.js';
import { SchemeCalls, type SchemePart, type StepCalls } from '../integrators/SchemeCalls.js';
import { velocityVerlet } from '../integrators/velocity_verlet/velocityVerletOperators.js';
import { checkOverlap } from '../system/checkOverlap.js';
import { breathe, mustWait } from './checkRun.js';
import { RunLists } from './RunLists.js';
import { PendingRows } from './thermo/PendingRows.js';
import { ThermoSampler } from './thermo/sampleThermo.js';
import type { ThermoRow } from './thermo/thermoRow.js';

/** A run; every number is in simulation units. */
export interface MolecularDynamicsOptions {
  /** All forces of the run; each is added to the others. */
  readonly forces: readonly ForceTerm[];
  /** Time step. */
  readonly dt: number;
  /** What moves particles, as `langevin.with({ … })`. Default: velocity Verlet. */
  readonly integrator?: SchemePart;
  /** Thermostats around it, as `bussi.with({ … })`. */
  readonly thermostats?: readonly SchemePart[];
  /** Seed of their random numbers. Default 0. */
  readonly seed?: number;
  /** Names of particle types, where settings name them. */
  readonly particleTypes?: ParticleTypes;
  /** Steps to do. */
  readonly steps: number;
  /** Skin of the neighbor lists; lists are rebuilt when a particle has moved more than half of it. Default 'auto'. */
  readonly skin?: number | 'auto';
  /** Steps between rows of the thermo table, the first and the last step included; 0 takes none. Default 0. */
  readonly thermoFrequency?: number;
  /** Boltzmann's constant. Default 1. */
  readonly boltzmann?: number;
  /** Called with every row as it arrives, in order; on a device that is later than the step it belongs to. */
  readonly onThermo?: (row: ThermoRow) => void;
  /** Ends the run after the step it is in. */
  readonly signal?: StopSignal;
}

/** What a run gives besides the grid. */
export interface MolecularDynamicsResult {
  readonly rows: readonly ThermoRow[];
  /** Steps done; fewer than asked for when the run was interrupted. */
  readonly steps: number;
}

/**
 * Runs molecular dynamics on a grid without YAML: first forces, then `steps` steps.
 *
 * @throws CorpuscleError BOX_TOO_THIN, OVERLAP, NOT_FINITE (naming step and particle).
 * @example
 * const { rows } = await molecularDynamics(grid, ctx, {
 *   forces: [lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 })],
 *   dt: 0.005, steps: 100, skin: 0.3, thermoFrequency: 10,
 * });
 */
export async function molecularDynamics(
  grid: Grid,
  ctx: ExecutionContext,
  options: MolecularDynamicsOptions,
): Promise<MolecularDynamicsResult> {
  const { forces, dt, steps, skin = 'auto' } = options;
  const every = options.thermoFrequency ?? 0;
  let rcut = reachOf(forces);
  const ledger = new ForceLedger(grid, ctx);
  const rows: ThermoRow[] = [];
  const due = (step: number) => every > 0 && (step % every === 0 || step === steps);
  const arriving = new PendingRows<ThermoRow>((row) => {
    rows.push(row);
    options.onThermo?.(row);
  });
  const sampler = new ThermoSampler(grid, ctx);
  const removed = removedIn(grid, options);
  let clock: SchemeCalls | null = null;
  const sample = (step: number) => {
    const row = sampler.sample({
      step,
      time: clock?.time ?? step * dt,
      dt,
      boltzmann: options.boltzmann,
      degrees: Math.max(0, 3 * grid.total - removed),
      totals: ledger.totals(),
    });
    return arriving.add(row);
  };
  const evaluate = (step: number) => {
    ledger.begin({ totals: due(step) });
    for (const term of forces) ledger.add(term);
  };
  const isWaiting = () => forces.some((term) => term.before);
  const prepare = async () => {
    for (const term of forces) await term.before?.(grid, ctx, { rcut, skin });
  };

  grid.domain.checkReach(rcut);
  await updateNeighbors(grid, ctx, { rcut, skin, force: true });
  await checkOverlap(grid, ctx, rcut);
  if (isWaiting()) await prepare();
  if (reachOf(forces) > rcut) {
    rcut = reachOf(forces);
    await updateNeighbors(grid, ctx, { rcut, skin });
  }
  evaluate(0);
  if (due(0)) await sample(0);
  const lists = new RunLists(grid, ctx, { rcut, skin });
  const scheme = schemeOf(grid, ctx, options);
  scheme.begin();
  clock = scheme;
  const isFused = ctx.backend === 'webgpu' && !isWaiting();
  /** Fused steps without totals and with them, by their calls. */
  const passes = [new Map<StepCalls, FusedPass | null>(), new Map<StepCalls, FusedPass | null>()];
  const passOf = (calls: StepCalls, totals: boolean): FusedPass | null => {
    const known = passes[Number(totals)]!;
    let pass = known.get(calls);
    if (pass === undefined) {
      const around = { before: [...calls.before, lists.call, ...calls.late], after: calls.after };
      pass = fusedPass(ledger, forces, { totals }, around);
      known.set(calls, pass);
    }
    return pass;
  };
  let step = 0;
  while (step < steps && !options.signal?.aborted) {
    step++;
    const calls = scheme.at(step);
    const fused = isFused ? passOf(calls, due(step)) : null;
    if (fused) {
      lists.updates.asked(step);
      const running = fused.step.run();
      if (running) await running;
      ledger.noteReplay(fused.evaluation);
      const checked = lists.updates.check();
      if (checked) await checked;
    } else {
      for (const call of calls.before) call.run();
      const updated = lists.update(step);
      if (updated) await updated;
      for (const call of calls.late) call.run();
      if (isWaiting()) await prepare();
      evaluate(step);
      for (const call of calls.after) call.run();
    }
    if (due(step)) await sample(step);
    // Timers and signals get a turn; on the GPU this also bounds how far the queue runs ahead.
    if (step % 64 === 0 || mustWait(ctx)) await breathe(ctx);
  }
  await arriving.flush();
  await lists.updates.settled();
  for (const known of passes) for (const pass of known.values()) pass?.step.close();
  scheme.close();
  sampler.close();
  ledger.close();
  return { rows, steps: step };
}

/** Degrees of freedom that the particles of a run lack of 3N. */
function removedIn(
  { total }: Grid,
  { integrator, thermostats = [] }: MolecularDynamicsOptions,
): number {
  const changes = [integrator, ...thermostats].some((part) => part?.spec.changesMomentum);
  return removedDegrees({ linear: !changes, angular: false }, total);
}

/** The calls of a step, but for lists and forces. */
function schemeOf(
  grid: Grid,
  ctx: ExecutionContext,
  options: MolecularDynamicsOptions,
): SchemeCalls {
  const { integrator = velocityVerlet.with({}), thermostats = [] } = options;
  return new SchemeCalls(integrator, thermostats, {
    grid,
    ctx,
    dt: options.dt,
    particleTypes: options.particleTypes ?? new ParticleTypes([]),
    boltzmann: options.boltzmann ?? 1,
    group: 'all',
    selection: {},
    removedDegrees: removedIn(grid, options),
    seed: options.seed ?? 0,
    firstStep: 0,
    lastStep: options.steps,
    time: 0,
    accountsEnergy: false,
  });
}

/** A step of all prepared calls, and what it computes of forces. */
interface FusedPass {
  readonly step: PreparedStep;
  readonly evaluation: Evaluation;
}

/** Null where a term cannot be prepared. */
function fusedPass(
  ledger: ForceLedger,
  terms: readonly ForceTerm[],
  expect: ExpectedResults,
  around: { readonly before: readonly Call[]; readonly after: readonly Call[] },
): FusedPass | null {
  const added = terms.map((term) => ledger.addCalls(term, expect));
  if (added.includes(null)) return null;
  const forces = added.flatMap((calls) => calls!);
  const calls = [...around.before, ...ledger.beginCalls, ...forces, ...around.after];
  const step = prepareStep(ledger.ctx, calls);
  return { step, evaluation: { terms, request: requestFor(expect) } };
}

// biome-ignore lint/suspicious/noExplicitAny: calls of any parameters and results
type Call = PreparedCall<any, unknown>;
