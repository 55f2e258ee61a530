import { afterAll, afterEach, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';
import { startCli } from './support/spawnCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const greet = `{
  name: 'greet',
  doc: 'Says hello. Then nothing.',
  slots: { whom: { type: 'string', default: 'world', doc: 'who is greeted' } },
  execute({ slots, state }) { state.say('hello ' + slots.whom); },
}`;
const yaml = meltYaml({
  global: '{ dt: 0.005, end_iteration: 0 }',
  simulation_epilog: '[greet: { whom: you }]',
});

it.each([
  ['an export', `export const greet = ${greet};`],
  ['a list', `export const operators = [${greet}];`],
  ['a default function', `export default (registry) => registry.add(${greet});`],
])('loads operators from %s of a module', async (_, text) => {
  work.write({ 'run.yaml': yaml, 'own.mjs': text });
  const own = ['--import', work.path('own.mjs')];
  const files = [work.path('run.yaml')];
  const output = ['--output', work.path('out'), '--backend', 'cpu'];
  expect(await runCli(['check', ...files, ...own])).toMatchObject({ code: 0, err: '' });
  const ran = await runCli(['run', ...files, ...output, ...own]);
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(ran.out).toContain('hello you\n');
  expect((await runCli(['graph', ...files, ...own])).out).toMatch(/^ +greet$/m);
  expect((await runCli(['operators', ...own])).out).toMatch(/^greet +Says hello\.$/m);
  expect((await runCli(['check', ...files])).err).toMatch(/unknown operator 'greet'/);
});

const built = new URL('../packages/operators/dist/index.js', import.meta.url).href;
const core = new URL('../packages/core/dist/index.js', import.meta.url).href;
const potential = (energy: string) =>
  `import { definePairPotential } from '${built}';
export const soft = definePairPotential({ name: 'soft', doc: 'k/r', coefficients: { k: { dimension: {}, doc: 'k' } }, ${energy} });
`;

it.each<[string, string | null, RegExp]>([
  ['missing.mjs', null, /--import .*missing\.mjs: there is no such file/],
  ['empty.mjs', 'export const x = 1;', /empty\.mjs: it exports no operators; export what defineOp/],
  ['thrown.mjs', "throw 'no luck';", /thrown\.mjs: no luck/],
  ['idle.mjs', "export const a = { name: 'a', slots: {} };", /'a' has slots and no execute/],
  ['bare.mjs', "export const a = { name: 'a', execute() {} };", /say slots: \{\} if it takes none/],
  [
    'kinds.mjs',
    `export const a = ${greet.replace("'string'", "'text'")};`,
    /slot 'whom' of operator 'greet' has the type text: give one of number,/,
  ],
  [
    'none.mjs',
    `export const a = ${greet.replace("'string'", "'quantity'")};`,
    /slot 'whom' of operator 'greet' has no dimension: give one of dimensions/,
  ],
  ['twice.mjs', `export const thermo = ${greet.replace('greet', 'thermo')};`, /registered twice/],
])('says what is wrong with %s', async (name, text, message) => {
  work.write({ 'run.yaml': yaml, ...(text === null ? {} : { [name]: text }) });
  const { code, err } = await runCli(['check', work.path('run.yaml'), '--import', work.path(name)]);
  expect(err).toMatch(message);
  expect(code).toBe(2);
});

// In a process of its own: here vitest loads modules, and words what keeps it from that.
it.each<[string, string, RegExp]>([
  ['wrong.mjs', '\nexport const = 1;', /wrong\.mjs:2:14: --import \S*wrong\.mjs: Unexpected token/],
  [
    'types.ts',
    'const a: number = 1;\nexport const b = (x,, y) => 1;',
    /types\.ts:2:21: --import .*Expression/,
  ],
  [
    'linked.mjs',
    "\nimport { no } from 'node:fs';",
    /linked\.mjs:2:10: .*does not provide an export named 'no'/,
  ],
  ['fails.mjs', 'const x = undefined;\nx.y();', /fails\.mjs:2:3: .*\(reading 'y'\)/],
  [
    'still.mjs',
    potential(''),
    /still\.mjs:2:21: .*the potential 'soft' has no energy: give energy/,
  ],
  [
    'plain.mjs',
    potential('energy: (r, k) => k / r').replace('dimension: {}', 'dimension: undefined'),
    /plain\.mjs:2:21: .*'k' of the potential 'soft' has no dimension/,
  ],
  [
    'long.mjs',
    potential('energy: (r, k, l) => k / r'),
    /long\.mjs:2:21: .*takes 3 numbers, but there are r and 1 coefficients/,
  ],
  [
    'still.mjs',
    `import { defineIntegrator } from '${built}';\nexport const x = defineIntegrator({ name: 'still', doc: '', phases: [] });`,
    /still\.mjs:2:18: .*the integrator 'still' needs at least one phase/,
  ],
  [
    'slip.mjs',
    "export const x = { name: 'slip', doc: '', slots: {}, reqires: [], execute() {} };",
    /slip\.mjs:1:26: --import \S*slip\.mjs: operator 'slip' has a key 'reqires' in its definition, which means nothing: did you mean 'requires'\?/,
  ],
  [
    'key.mjs',
    `import { defineOperator } from '${core}';
const good = defineOperator({ name: 'good', doc: '', slots: {}, execute() {} });
const slip = defineOperator({ name: 'slip', doc: '', slots: {}, excute() {} });
export const both = [good, slip];`,
    /key\.mjs:3:14: --import \S*: operator 'slip' has a key 'excute' .*: did you mean 'execute'\?/,
  ],
  [
    'taken.mjs',
    `${potential('energy: (r, k) => k / r').replace('soft', 'first').replace("'soft'", "'lennard_jones'")}
import { pairForceOperator } from '${built}';
export const force = pairForceOperator(first);`,
    /taken\.mjs:5:22: .*the name 'lennard_jones_force' is registered twice/,
  ],
  [
    'frames.mjs',
    `import { defineAnalysis } from '${built}';
export const a = defineAnalysis({ name: 'counts', doc: '', slots: { r: { type: 'quantity' } }, frame() {} });`,
    /frames\.mjs:2:18: .*slot 'r' of operator 'counts' has no dimension/,
  ],
  [
    'keys.mjs',
    `import { defineOperator } from '${core}';
export const a = defineOperator({ name: 'a', doc: '', slots: {}, requires: ['grid'], execute() {} });`,
    /keys\.mjs:2:18: .*requires of operator 'a' has grid: give keys of the state, such as gridKey/,
  ],
  [
    'nameless.mjs',
    `import { defineOperator } from '${core}';
export const a = defineOperator({ doc: '', slots: {}, execute() {} });`,
    /nameless\.mjs:2:18: .*an operator has no name/,
  ],
  [
    'slotless.mjs',
    `import { defineAnalysis } from '${built}';
export const a = defineAnalysis({ name: 'counts', doc: '', frame() {} });`,
    /slotless\.mjs:2:18: .*the analysis 'counts' has no slots: say slots: \{\}/,
  ],
  [
    'endless.mjs',
    "\nimport { a } from './endless';",
    /endless\.mjs:2:19: .*it imports '\.\/endless', which is not there: write its ending, endless\.mjs/,
  ],
  [
    'alone.mjs',
    "import { a } from './nobody.js';",
    /alone\.mjs:1:19: .*'\.\/nobody\.js', which is not there: check its name/,
  ],
  [
    'foreign.mjs',
    "import { a } from '@nobody/nothing';",
    /foreign\.mjs:1:19: .*install it \(npm install @nobody\/nothing\)/,
  ],
  [
    'reads.mjs',
    "import { readFileSync } from 'node:fs';\nreadFileSync('absent.txt');",
    /reads\.mjs:2:1: .*no such file or directory, open 'absent\.txt'/,
  ],
])('says where %s is wrong', async (name, text, message) => {
  work.write({ 'run.yaml': yaml, [name]: text });
  const argv = ['check', work.path('run.yaml'), '--import', work.path(name)];
  const { code, err } = await startCli(argv).ended;
  expect(err).toMatch(message);
  expect(code).toBe(2);
});

it('finds modules of TypeScript by the names that TypeScript has for them', async () => {
  work.write({
    'run.yaml': yaml,
    'words.ts': "export const words: string = 'Says hello.';",
    'said.ts': `import { words } from './words.js';\nexport const a = ${greet.replace(/doc: '.*?'/, 'doc: words')};`,
  });
  const argv = ['check', work.path('run.yaml'), '--import', work.path('said.ts')];
  expect(await startCli(argv).ended).toMatchObject({ code: 0, err: '' });
});

it('takes a pair potential for its operator, also where it exports both', async () => {
  const yaml = meltYaml({ compute_force: '[mild_force: { k: 1, rcut: 2 }]' });
  const taken = potential('energy: (r, k) => k / r');
  const text = taken.replace("'soft'", "'mild'");
  const both = `import { pairForceOperator } from '${built}';\nexport const force = pairForceOperator(soft);`;
  work.write({ 'run.yaml': yaml, 'one.mjs': text, 'both.mjs': `${text}${both}` });
  for (const name of ['one.mjs', 'both.mjs']) {
    const argv = ['check', work.path('run.yaml'), '--import', work.path(name)];
    expect(await startCli(argv).ended).toMatchObject({ code: 0, err: '' });
  }
  work.write({ 'taken.mjs': taken });
  const argv = ['check', work.path('run.yaml'), '--import', work.path('taken.mjs')];
  expect((await startCli(argv).ended).err).toMatch(
    /taken\.mjs:2:49: .*there is a 'soft_force': give the potential 'soft' another name/,
  );
});

it('shows mistakes in functors at their own places in a file of TypeScript', async () => {
  work.write({
    'run.yaml': yaml,
    'own.ts': `import { cellFunctor } from '${new URL('../packages/patterns/dist/index.js', import.meta.url).href}';
const outer: number = 2;
export const a = cellFunctor(
  { name: 'a', fields: { vx: 'real' }, helpers: { twice: (x: number): number => 2 * x } },
  (i, _, h) => {
    const x: number = h.twice(i.vx);
    i.vx = x * outer;
  },
);
`,
  });
  const argv = ['check', work.path('run.yaml'), '--import', work.path('own.ts')];
  expect((await startCli(argv).ended).err).toMatch(
    /own\.ts:7:16: functor 'a': 'outer' is not defined[^\n]*\n {2}6 \| {5}const x: number = [^\n]*\n> 7 \| {5}i\.vx = x \* outer;\n {4}\| {16}\^{5}\n {2}8 \| {3}\},\n/,
  );
});
