import type { Grid, StopSignal } from '@corpuscle/core';
import {
  type ExecutionContext,
  type PreparedCall,
  prepareCellParticles,
  prepareStep,
  updateNeighbors,
} from '@corpuscle/patterns';
import { ForceLedger } from '../forces/ForceLedger.js';
import type { ForceTerm } from '../forces/ForceTerm.js';
import { kick, kickDrift } from '../integrators/velocity_verlet/velocityVerlet.js';
import { checkOverlap } from '../system/checkOverlap.js';
import { breathe, mustWait } from './checkRun.js';
import { RunLists } from './RunLists.js';
import { PendingRows } from './thermo/PendingRows.js';
import { ThermoSampler } from './thermo/sampleThermo.js';
import type { ThermoRow } from './thermo/thermoRow.js';

/** A run of velocity Verlet; every number is in simulation units. */
export interface MolecularDynamicsOptions {
  /** All forces of the run; each is added to the others. */
  readonly forces: readonly ForceTerm[];
  /** Time step. */
  readonly dt: number;
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
 * Runs velocity Verlet on a grid without YAML: first forces, then `steps` steps.
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
  const rcut = Math.max(0, ...forces.map((term) => term.rcut));
  const ledger = new ForceLedger(grid, ctx);
  const rows: ThermoRow[] = [];
  const due = (step: number) => every > 0 && (step % every === 0 || step === steps);
  const arriving = new PendingRows<ThermoRow>((row) => {
    rows.push(row);
    options.onThermo?.(row);
  });
  const sampler = new ThermoSampler(grid, ctx);
  const sample = (step: number) => {
    const row = sampler.sample({
      step,
      time: step * dt,
      dt,
      boltzmann: options.boltzmann,
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

  grid.domain.checkCutoff(rcut);
  await updateNeighbors(grid, ctx, { rcut, skin, force: true });
  await checkOverlap(grid, ctx, rcut);
  if (isWaiting()) await prepare();
  evaluate(0);
  if (due(0)) await sample(0);
  const lists = new RunLists(grid, ctx, { rcut, skin });
  const first = prepareCellParticles(grid, kickDrift, ctx, { params: { dt, halfDt: dt / 2 } });
  const second = prepareCellParticles(grid, kick, ctx, { params: { halfDt: dt / 2 } });
  const onlyForces = !isWaiting() ? callsOf(ledger, forces) : null;
  const plain = onlyForces && prepareStep(ctx, [first, lists.call, ...onlyForces, second]);
  let step = 0;
  while (step < steps && !options.signal?.aborted) {
    step++;
    if (plain && ctx.backend === 'webgpu' && !due(step)) {
      lists.updates.asked(step);
      const running = plain.run();
      if (running) await running;
      ledger.noteReplay(forces);
      const checked = lists.updates.check();
      if (checked) await checked;
    } else {
      first.run();
      const updated = lists.update(step);
      if (updated) await updated;
      if (isWaiting()) await prepare();
      evaluate(step);
      second.run();
      if (due(step)) await sample(step);
    }
    // Timers and signals get a turn; on the GPU this also bounds how far the queue runs ahead.
    if (step % 64 === 0 || mustWait(ctx)) await breathe(ctx);
  }
  await arriving.flush();
  await lists.updates.settled();
  plain?.close();
  return { rows, steps: step };
}

/** The calls of a step that needs nothing but forces; null where a term cannot be prepared. */
function callsOf(
  ledger: ForceLedger,
  forces: readonly ForceTerm[],
): readonly PreparedCall[] | null {
  const calls: PreparedCall[] = [...ledger.beginCalls];
  for (const term of forces) {
    const more = ledger.addCalls(term);
    if (!more) return null;
    calls.push(...more);
  }
  return calls;
}
