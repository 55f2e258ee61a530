import {
  completed,
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../test/support/frameOfPositions.js';
import { lennardJonesForce } from '../potentials/lennard_jones/lennardJonesForce.js';
import { createGrid } from '../system/createGrid.js';
import { ForceLedger } from './ForceLedger.js';
import type { ForceRequest, ForceTerm } from './ForceTerm.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

/** A term whose energy is known, and which remembers what it was asked for. */
function known(energy: number) {
  const requests: ForceRequest[] = [];
  const term: ForceTerm = {
    name: `known ${energy}`,
    rcut: 0,
    compute(_grid, _ctx, request) {
      requests.push(request);
      return completed({ energy });
    },
    totals: (values) => ({ energy: values.energy!, virial: [energy, 0, 0, 0, 0, 2 * energy] }),
  };
  return { term, requests };
}

const ledger = () =>
  new ForceLedger(
    createGrid(frameOfPositions([[0, 0, 0]]), [{ name: 'A', mass: 1 }], ctx.heap),
    ctx,
  );

it('sums the terms added so far, also when some are added after the totals were asked for', async () => {
  for (const totals of [true, false]) {
    const account = ledger();
    account.begin({ totals });
    account.add(known(3).term);
    expect(await account.totals()).toEqual({ energy: 3, virial: [3, 0, 0, 0, 0, 6] });
    account.add(known(4).term);
    expect(await account.totals()).toEqual({ energy: 7, virial: [7, 0, 0, 0, 0, 14] });
    account.begin({ totals });
    account.add(known(5).term);
    expect(await account.totals()).toEqual({ energy: 5, virial: [5, 0, 0, 0, 0, 10] });
    account.begin({ totals });
    expect(await account.totals()).toEqual({ energy: 0, virial: [0, 0, 0, 0, 0, 0] });
  }
});

it('computes totals again only where they were not expected', async () => {
  for (const totals of [true, false]) {
    const account = ledger();
    const { term, requests } = known(2);
    account.begin({ totals });
    account.add(term);
    await account.totals();
    await account.totals();
    expect(requests.map((request) => request.totals)).toEqual(totals ? [true] : [false, true]);
  }
});

it('leaves the energy out where the virial alone is expected, and computes it when it is asked for', async () => {
  const places = [
    [0, 0, 0],
    [1.1, 0.2, 0],
    [0.1, 1.2, 0.4],
  ] as const;
  const grid = createGrid(frameOfPositions(places), [{ name: 'A', mass: 1 }], ctx.heap);
  await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
  const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 });
  const account = new ForceLedger(grid, ctx);
  account.begin({ totals: true });
  account.add(term);
  const whole = { ...(await account.totals()) };
  expect(whole.energy).toBeLessThan(-2);
  const complete = account.virialValues({ totals: true });
  account.begin({ totals: true, withoutEnergy: true });
  account.add(term);
  // The same values, so that what reads them serves both.
  expect(account.virialValues({ totals: true, withoutEnergy: true })).toEqual(complete);
  expect((await account.latestVirial()).virial).toEqual(whole.virial);
  account.begin({ totals: true, withoutEnergy: true, isDiagonal: true });
  account.add(term);
  const found = (await account.latestVirial()).virial;
  for (const k of [0, 1, 2]) expect(found[k]).toBeCloseTo(whole.virial[k]!, 12);
  const again = await account.totals();
  expect(again.energy).toBeCloseTo(whole.energy, 12);
  account.begin({ totals: true });
  account.add(term);
  expect(await account.totals()).toEqual(whole);
  account.close();
});
