import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineOperator, loadSimulation, Registry, runSimulation } from '@corpuscle/core';
import { afterAll, expect, it } from 'vitest';
import { nextTimeStep } from './nextTimeStep.js';
import { planKey } from './stateKeys.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-clock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = defineOperator({
  name: 'plan',
  doc: 'Stands for begin_run.',
  slots: {},
  provides: [planKey],
  execute: () => {},
});
/** Sets the clock as a frame does that was read. */
const jump = defineOperator({
  name: 'jump',
  doc: 'Sets the clock.',
  slots: {},
  execute({ state }) {
    state.step = 1000;
    state.time = 50;
  },
});

async function clockAfter(body: string): Promise<{ step: number; time: number }> {
  const file = path.join(folder, 'in.yaml');
  writeFileSync(file, `next_time_step: { dt: 0.1 }\nsimulation: [plan, ${body}]\n`);
  const operators = new Registry().add(plan, jump, nextTimeStep);
  const { state } = await runSimulation(loadSimulation([file], { operators }));
  return { step: state.step, time: state.time };
}

it('multiplies the time step, so that rounding does not add up', async () => {
  // The sum of ten steps of 0.1 is 0.9999999999999999.
  expect(await clockAfter('{ loop: 10, body: next_time_step }')).toEqual({ step: 10, time: 1 });
  const { time } = await clockAfter('{ loop: 12345, body: next_time_step }');
  expect(time).toBe(12345 * 0.1);
});

it('counts on from where the clock was set', async () => {
  const steps = (n: number) => `{ loop: ${n}, body: next_time_step }`;
  expect(await clockAfter(`${steps(3)}, jump, ${steps(7)}`)).toEqual({
    step: 1007,
    time: 50 + 7 * 0.1,
  });
});
