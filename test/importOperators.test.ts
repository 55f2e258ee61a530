import { afterAll, afterEach, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

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

it.each([
  ['missing.mjs', null, /--import .*missing\.mjs: there is no such file/],
  ['empty.mjs', 'export const x = 1;', /empty\.mjs: it exports no operators; export what defineOp/],
  [
    'potential.mjs',
    `import { definePairPotential } from '@corpuscle/operators';
export const spring = definePairPotential({ name: 'spring', doc: 'A spring.', coefficients: {}, energy: (r) => r * r });`,
    /potential\.mjs: it exports no operators; export what pairForceOperator makes of the potential 'spring'/,
  ],
  ['wrong.mjs', 'export const = 1;', /wrong\.mjs: [\s\S]*Unexpected token/],
  ['twice.mjs', `export const thermo = ${greet.replace('greet', 'thermo')};`, /registered twice/],
])('says what is wrong with %s', async (name, text, message) => {
  work.write({ 'run.yaml': yaml, ...(text === null ? {} : { [name]: text }) });
  const { code, err } = await runCli(['check', work.path('run.yaml'), '--import', work.path(name)]);
  expect(err).toMatch(message);
  expect(code).toBe(name === 'twice.mjs' ? 1 : 2);
});
