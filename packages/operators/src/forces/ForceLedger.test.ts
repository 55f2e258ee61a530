import { completed, createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../test/support/frameOfPositions.js';
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
