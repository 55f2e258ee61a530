import { readFileSync } from 'node:fs';
import { main } from '@corpuscle/cli';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from '../../../../test/support/runCli.js';
import { templates } from '../../src/commands/init/templates.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const folder = () => work.path('new');
const init = (...argv: string[]) =>
  runCli(['init', ...argv, '--directory', folder(), '--no-install']);

describe('corpuscle init', () => {
  it.each(Object.keys(templates).filter((name) => name !== 'own'))(
    'writes %s, in which check finds no mistake',
    async (name) => {
      const { code, out } = await init(name);
      expect({ code, out }).toMatchObject({ code: 0 });
      expect(out).toMatch(/Now: .*npm install && npx corpuscle run\n$/);
      const checked = await runCli(['check', work.path('new/simulation.yaml')]);
      expect(checked).toMatchObject({ code: 0, err: '' });
    },
  );

  it('makes a project with an operator in TypeScript in an empty directory', async () => {
    await init();
    expect(work.files()).toEqual(
      ['.gitignore', 'operator.ts', 'own.yaml', 'package.json', 'simulation.yaml'].map(
        (name) => `new/${name}`,
      ),
    );
    const manifest = JSON.parse(readFileSync(work.path('new/package.json'), 'utf8'));
    const { version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
    expect(manifest.dependencies['@corpuscle/cli']).toBe(`^${version}`);
    expect(readFileSync(work.path('new/simulation.yaml'), 'utf8')).toBe(templates.melt!.yaml);
  });

  it('writes the simulation alone where there is something already, and replaces nothing', async () => {
    work.write({ 'new/mine.txt': '' });
    expect(await init('own')).toMatchObject({ code: 0 });
    expect(work.files()).toEqual(['new/mine.txt', 'new/potential.ts', 'new/simulation.yaml']);
    const again = await init('own');
    expect(again.code).toBe(2);
    expect(again.err).toMatch(/simulation\.yaml is there already: give another folder/);
  });

  it('says why a folder takes no files', async () => {
    work.write({ file: '' });
    const inFile = await runCli(['init', '--directory', work.path('file/new'), '--no-install']);
    expect(inFile.code).toBe(2);
    expect(inFile.err).toMatch(
      /a part of its path is a file, .* another place with --directory\n$/,
    );
    const asFile = await runCli(['init', '--directory', work.path('file'), '--no-install']);
    expect(asFile.err).toMatch(/^corpuscle: cannot write .*file: a part of its path is a file/);
  });

  it('suggests a template for a wrong name', async () => {
    const { code, err } = await init('meld');
    expect(code).toBe(2);
    expect(err).toBe("corpuscle: there is no template 'meld': did you mean 'melt'?\n");
  });

  it('asks on a terminal', async () => {
    let err = '';
    const streams = {
      out: () => {},
      err: (text: string) => {
        err += text;
      },
      terminal: true,
      ask: async () => '5',
    };
    expect(await main(['init', '--directory', folder(), '--no-install'], streams)).toBe(0);
    expect(err).toMatch(/^ {2}1 {2}melt +a Lennard-Jones crystal melts\n/);
    expect(readFileSync(work.path('new/simulation.yaml'), 'utf8')).toBe(
      templates.coordination!.yaml,
    );
  });

  it('tells what to do where there is no input', async () => {
    const { code, err } = await runCli(['check']);
    expect(code).toBe(2);
    expect(err).toMatch(/^corpuscle: no file was given, and there is no simulation\.yaml here/);
  });
});
