import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defineOperator, loadSimulation, Registry, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

/** A module with one operator that reads a property of nothing in line 8. */
const broken = (where: string) => `export const custom = {
  name: 'custom',
  doc: 'Fails.',
  slots: { rcut: { type: 'number', default: 1, doc: 'a number' } },
  ${where} { return stateOf(undefined).step; },
  ${where.includes('execute') ? '' : 'execute() {},'}
};
function stateOf(x) { return x.state; }
`;
const yaml = meltYaml({
  global: '{ dt: 0.005, end_iteration: 0 }',
  dump_data: '\n  - custom: { rcut: 2 }',
});
const line = yaml.split('\n').findIndex((text) => text.includes('custom:')) + 1;
let modules = 0;

/** Runs a command with the YAML file and a module; modules are loaded once, so that each has a name of its own. */
async function command(name: 'run' | 'check', module: string) {
  const file = `custom${modules++}.mjs`;
  work.write({ 'run.yaml': yaml, [file]: module });
  const options = name === 'run' ? ['--backend', 'cpu', '--output', work.root] : [];
  return runCli([name, work.path('run.yaml'), '--import', work.path(file), ...options]);
}

describe('an exception in an imported operator', () => {
  it.each([
    ['execute', 'execute()'],
    ['an execute that is asynchronous', 'async execute()'],
    ['prepare', 'prepare()'],
    ['finish', 'finish()'],
    ['dispose', 'dispose()'],
    ['reach', 'reach()'],
  ])('from %s is one sentence with operator, YAML line and source line', async (_, where) => {
    const { code, err } = await command('run', broken(where));
    expect(code).toBe(1);
    const path = 'molecular_dynamics/output/dump_data/custom';
    expect(err).toMatch(
      new RegExp(
        `^\\S*run\\.yaml:${line}:5: operator ${path} failed: TypeError: .*\\(reading 'state'\\) \\(\\S*custom\\d+\\.mjs:8:32\\)$`,
        'm',
      ),
    );
    expect(err).toContain('^');
    expect(err).not.toMatch(/report|\bat \w/);
  });

  it.each([
    ['that is no functor', '() => {}', 'functor is a function: give one that cellFunctor has made'],
    [
      'without its parameters',
      'push',
      "parameter 'by' of functor 'push' is missing: give it in params",
    ],
  ])('from a call of a pattern %s names the line of the call', async (_, functor, message) => {
    const text = `import { contextOf, gridKey } from '@corpuscle/operators';
import { cellFunctor, computeCellParticles } from '@corpuscle/patterns';
const push = cellFunctor({ name: 'push', fields: { vx: 'real' }, params: { by: 'real' } }, (i, p) => { i.vx += p.by; });
export const custom = {
  name: 'custom', doc: 'Fails.', slots: { rcut: { type: 'number', default: 1, doc: 'a number' } }, requires: [gridKey],
  execute: ({ state }) => computeCellParticles(state.get(gridKey), ${functor}, contextOf(state)),
};
`;
    const { code, err } = await command('run', text);
    expect(code).toBe(1);
    expect(err).toContain(
      `run.yaml:${line}:5: operator molecular_dynamics/output/dump_data/custom failed: `,
    );
    expect(err).toMatch(new RegExp(`${message} \\(\\S*custom\\d+\\.mjs:6:27\\)$`, 'm'));
  });

  it('from validate is found by check', async () => {
    const { code, err } = await command('check', broken('validate()'));
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`run\\.yaml:${line}:5: operator .*/custom failed: TypeError`));
  });

  it('may be anything that can be thrown', async () => {
    const thrown = broken('execute()').replace('return', "throw 'no luck'; return");
    const { code, err } = await command('run', thrown);
    expect(code).toBe(1);
    expect(err).toMatch(/run\.yaml:\d+:5: operator \S+ failed: no luck$/m);
  });

  it('while its module is loaded is an error of the input', async () => {
    const { code, err } = await command(
      'check',
      'export default () => { throw new Error("no"); };',
    );
    expect(err).toMatch(/--import .*custom\d+\.mjs: its default export failed: no/);
    expect(code).toBe(2);
  });
});

it.each([
  ['stopLoop()', /custom calls stopLoop, which loops must know before: say endsLoop: true/],
  ["set('sum', 1)", /custom has no output 'sum': give it a slot with direction: 'output'/],
  ["state.get('grid')", /is the text 'grid': give what stateKey makes, such as gridKey/],
  ["state.output.writeWhole('n', 5)", /is 5: give a text, bytes, or pieces of them/],
])('%s of an operator is told with the line of the code', async (call, message) => {
  const { code, err } = await command(
    'run',
    `export const custom = {
  name: 'custom', doc: 'Fails.', slots: { rcut: { type: 'number', default: 1, doc: 'a number' } },
  async execute({ state, set, stopLoop }) { await ${call}; },
};
`,
  );
  expect(code).toBe(1);
  expect(err).toMatch(message);
  expect(err).toMatch(/: operator \S+\/custom failed: .* \(\S*custom\d+\.mjs:3:\d+\)/);
});

it('a script that calls a pattern with a wrong argument ends with its own line', () => {
  work.clear();
  const patterns = fileURLToPath(new URL('../packages/patterns/dist/index.js', import.meta.url));
  const text = `import { computeCellParticles, createExecutionContext } from '${patterns}';
const ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
await computeCellParticles(3, () => {}, ctx);
`;
  work.write({ 'script.mjs': text });
  const { stderr, status } = spawnSync(process.execPath, [work.path('script.mjs')], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^\S*script\.mjs:3\nawait computeCellParticles\(3.*\n\s+\^\n/);
  expect(stderr).toMatch(
    /and grid is 3: give a Grid of @corpuscle\/core\n\s+at \S*script\.mjs:3:7/,
  );
  expect(stderr).not.toContain('dist');
});

describe('an exception in an operator', () => {
  const registry = () =>
    new Registry().add(
      defineOperator({
        name: 'broken',
        doc: 'Fails.',
        slots: {},
        execute() {
          throw new RangeError('too far');
        },
      }),
    );
  const run = async (operators: Registry) => {
    work.write({ 'run.yaml': 'twice: [broken]\nsimulation: [twice]\n' });
    return runSimulation(loadSimulation([work.path('run.yaml')], { operators }));
  };

  it('keeps the exception as its cause', async () => {
    await expect(run(registry())).rejects.toMatchObject({
      name: 'CorpuscleError',
      code: 'OPERATOR_FAILED',
      message: expect.stringMatching(
        /^operator twice\/broken failed: RangeError: too far \(.*:\d+\)$/,
      ),
      location: { line: 1, column: 9 },
      cause: expect.any(RangeError),
    });
  });

  it('that comes with a package is a defect to report', async () => {
    await expect(run(registry().markBuiltIn())).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});

it('a potential whose energy is no number, while its force is one, is told as such', async () => {
  const file = `custom${modules++}.mjs`;
  const text = `import { definePairPotential, pairForceOperator } from '@corpuscle/operators';
const gap = definePairPotential({ name: 'gap', doc: 'ln(r - 1.2)', coefficients: {}, energy: (r) => Math.log(r - 1.2) });
export const gapForce = pairForceOperator(gap);
`;
  const run = meltYaml({
    global: '{ dt: 0.005, end_iteration: 1, thermo_frequency: 1 }',
    compute_force: '\n  - gap_force: { rcut: 1.5 }',
  });
  work.write({ 'run.yaml': run, [file]: text });
  const options = ['--import', work.path(file), '--output', work.root];
  const { code, err } = await runCli([
    'run',
    work.path('run.yaml'),
    '--backend',
    'cpu',
    ...options,
  ]);
  expect(code).toBe(1);
  expect(err).toContain(
    'the run blew up at step 0: potential energy is NaN, as thermo has found, while positions, velocities and forces are finite; look at what the potentials compute',
  );
});

it('a run without a context ends in one sentence that says what is missing', async () => {
  work.write({ 'run.yaml': meltYaml({}) });
  const simulation = loadSimulation([work.path('run.yaml')], { operators: createRegistry() });
  await expect(runSimulation(simulation, { outputDirectory: work.root })).rejects.toMatchObject({
    code: 'MISSING_VALUE',
    message:
      'the run has no execution context: give runSimulation(simulation, { context }), made by createExecutionContext',
  });
});
