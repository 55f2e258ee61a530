import { writeFileSync } from 'node:fs';
import { main } from '@corpuscle/cli';
import { loadSimulation, pluginsOf } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { meltYaml, runCli, Workplace } from '../../../../test/support/runCli.js';

const work = new Workplace();
beforeEach(() => vi.stubEnv('XDG_CONFIG_HOME', work.path('config')));
afterEach(() => {
  vi.unstubAllEnvs();
  work.clear();
});
afterAll(() => work.remove());

/** A module that tells the world when its code runs. */
const plugin = (name: string, mark: string) => `
globalThis.pluginsThatRan = [...(globalThis.pluginsThatRan ?? []), '${mark}'];
export const own = { name: '${name}', doc: 'Does nothing.', slots: {}, execute: () => {} };
`;
const ran = (): readonly string[] =>
  (globalThis as { pluginsThatRan?: readonly string[] }).pluginsThatRan ?? [];

let count = 0;
/** A simulation in a folder of its own: modules that Node has loaded stay. */
function project(more: Readonly<Record<string, string>> = {}) {
  const folder = `p${count++}`;
  const mark = `${folder}!`;
  work.write({
    [`${folder}/in.yaml`]: meltYaml({ plugins: '[./own.mjs]', simulation_epilog: '[own_thing]' }),
    [`${folder}/own.mjs`]: plugin('own_thing', mark),
    ...Object.fromEntries(Object.entries(more).map(([name, text]) => [`${folder}/${name}`, text])),
  });
  return { folder, mark, file: work.path(`${folder}/in.yaml`) };
}

const answering = async (answer: string, ...argv: string[]) => {
  let [err, asked] = ['', ''];
  const code = await main(argv, {
    out: () => undefined,
    err: (text) => {
      err += text;
    },
    terminal: true,
    ask: async (question) => {
      asked += question;
      return answer;
    },
  });
  return { code, err, asked };
};

describe('plugins that a file names', () => {
  it.each(['check', 'run', 'graph', 'kernels'])(
    '%s runs none of their code without consent, and says so in one sentence with its place',
    async (command) => {
      const { file, mark } = project();
      const { code, err } = await runCli([command, file]);
      expect(code).toBe(2);
      expect(err).toMatch(
        /in\.yaml:10:11: the plugin '\.\/own\.mjs' would run code with your rights: read .*own\.mjs, and allow it with --yes\n/,
      );
      expect(ran()).not.toContain(mark);
    },
  );

  it('run with --yes, and then without being asked', async () => {
    const { file, mark } = project();
    expect((await runCli(['check', file, '--yes'])).code).toBe(0);
    expect(ran()).toContain(mark);
    expect(await runCli(['check', file])).toMatchObject({ code: 0, err: '' });
  });

  it('are confirmed again when their code has changed', async () => {
    const { file, folder } = project();
    expect((await runCli(['check', file, '--yes'])).code).toBe(0);
    writeFileSync(work.path(`${folder}/own.mjs`), plugin('own_thing', 'changed'));
    expect((await runCli(['check', file])).code).toBe(2);
    expect(ran()).not.toContain('changed');
  });

  it('are asked for on a terminal, the first time', async () => {
    const { file, mark } = project();
    const refused = await answering('', 'check', file);
    expect(refused).toMatchObject({ code: 2, asked: expect.stringContaining('own.mjs') });
    expect(ran()).not.toContain(mark);
    expect(await answering('y', 'check', file)).toMatchObject({ code: 0 });
    expect(await answering('', 'check', file)).toMatchObject({ code: 0, asked: '' });
  });

  it('come from the folder of the file that names them, and from packages', async () => {
    const { file, mark } = project({
      'in.yaml': meltYaml({ includes: '[sub/more.yaml]', simulation_epilog: '[packaged, beside]' }),
      'sub/more.yaml': "plugins: ['@scope/thing', ./beside.mjs]\n",
      'sub/beside.mjs': plugin('beside', 'beside'),
      'node_modules/@scope/thing/package.json':
        '{ "name": "@scope/thing", "type": "module", "exports": { ".": { "types": "./x.d.ts", "import": "./lib/thing.js" } } }',
      'node_modules/@scope/thing/lib/thing.js': plugin('packaged', 'packaged'),
    });
    expect((await runCli(['check', file])).err).toMatch(/more\.yaml:1:11: .*thing\.js/);
    expect(await runCli(['check', file, '--yes'])).toMatchObject({ code: 0, err: '' });
    expect(ran()).toEqual(expect.arrayContaining(['beside', 'packaged']));
    expect(ran()).not.toContain(mark);
  });

  it.each([
    ["['@scope/none']", /10:11: the plugin '@scope\/none' is not there: install it/],
    ['[./none.js]', /10:11: the plugin '\.\/none\.js' is not there: there is no such file/],
    ['[./idle.mjs]', /in\.yaml:10:11: plugin \.\/idle\.mjs: it exports no operators/],
    ['[.]', /10:11: the plugin '\.' is no file: name a file in it/],
    ['[3]', /10:11: a plugin is 3: name a package or a file/],
  ])('%s is a mistake with its place', async (plugins, message) => {
    work.write({ 'in.yaml': meltYaml({ plugins }), 'idle.mjs': 'export {};\n' });
    const { code, err } = await runCli(['check', work.path('in.yaml'), '--yes']);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('are listed by corpuscle operators', async () => {
    const { file } = project();
    expect((await runCli(['operators', '--input', file])).code).toBe(2);
    const { code, out } = await runCli(['operators', '--input', file, '--yes']);
    expect(code).toBe(0);
    expect(out).toMatch(/^own_thing +Does nothing\.$/m);
    expect((await runCli(['operators', 'own_thing', '--input', file])).out).toContain(
      'own_thing\n',
    );
  });

  it('are named, and not loaded, where a program reads the file', () => {
    const { file, folder, mark } = project();
    expect(pluginsOf([file])).toMatchObject([
      { name: './own.mjs', directory: work.path(folder), location: { line: 10, column: 11 } },
    ]);
    expect(() => loadSimulation([file], { operators: createRegistry() })).toThrow(/own_thing/);
    expect(ran()).not.toContain(mark);
  });
});
