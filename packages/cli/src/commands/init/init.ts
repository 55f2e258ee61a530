import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError, didYouMean, makeFolders, unwritable } from '@corpuscle/core';
import { exitCode } from '../../exitCodes.js';
import { displayPath } from '../../output/formatError.js';
import { version } from '../../program/version.js';
import type { Streams } from '../../Streams.js';
import { DEFAULT_INPUT } from '../inputFiles.js';
import { ownOperator, templates } from './templates.js';

/** Options of `init`, as commander gives them. */
export interface InitOptions {
  readonly directory: string;
  readonly install: boolean;
}

/**
 * `corpuscle init`: writes a simulation to begin with. In an empty directory it makes a project: a package.json, an operator in
 * TypeScript, and what they need installed.
 */
export async function init(
  name: string | undefined,
  { directory, install }: InitOptions,
  streams: Streams,
): Promise<number> {
  const chosen = name ?? (await chosenBy(streams));
  const template = templates[chosen];
  if (!template) {
    const known = Object.keys(templates);
    throw new CorpuscleError(
      'INVALID_VALUE',
      `there is no template '${chosen}'${didYouMean(chosen, known)}`,
    );
  }
  const isNew = isEmpty(directory);
  const files: Record<string, string> = { [DEFAULT_INPUT]: template.yaml, ...template.own };
  if (isNew) {
    if (!template.own && template.yaml.includes('units: lj')) Object.assign(files, ownOperator);
    files['package.json'] = packageJson(files);
    files['.gitignore'] = 'node_modules\n';
  }
  for (const file of Object.keys(files)) refuseExisting(path.join(directory, file));
  for (const [file, text] of Object.entries(files)) write(path.resolve(directory, file), text);
  streams.out(`${displayPath(path.resolve(directory))}: ${Object.keys(files).join(', ')}\n`);
  if (isNew && install) installIn(directory, streams);
  streams.out(nextSteps(directory, isNew && !install, Object.keys(template.own ?? {})));
  return exitCode.done;
}

/** The template that a person chooses from a list; without a terminal the first. */
async function chosenBy({ ask, terminal, err }: Streams): Promise<string> {
  const names = Object.keys(templates);
  if (!terminal || !ask) return names[0]!;
  const width = Math.max(...names.map(({ length }) => length));
  names.forEach((name, k) => {
    err(`  ${k + 1}  ${name.padEnd(width)}  ${templates[name]!.about}\n`);
  });
  const answer = (await ask('Which one? [1] ')).trim();
  return names[Number(answer) - 1] ?? (answer || names[0]!);
}

/** Whether a folder is empty or not there. @throws CorpuscleError UNWRITABLE for what is no folder */
function isEmpty(directory: string): boolean {
  try {
    return !existsSync(directory) || readdirSync(directory).length === 0;
  } catch (cause) {
    throw unwritable(directory, cause, '--directory');
  }
}

/** @throws CorpuscleError UNWRITABLE; OUTPUT_FAILED on a full disk */
function write(file: string, text: string): void {
  makeFolders(file, '--directory');
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    throw unwritable(file, cause, '--directory');
  }
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  const remedy = 'give another folder with --directory, or remove it';
  throw new CorpuscleError(
    'UNWRITABLE',
    `${displayPath(path.resolve(file))} is there already: ${remedy}`,
  );
}

/** The package.json of a project. It names what Node before 22.18 needs for TypeScript. */
function packageJson(files: Readonly<Record<string, string>>): string {
  const { typescript } = process.features as { readonly typescript?: string | false };
  const ours = ['cli', 'core', 'operators', 'patterns'].map((name) => [
    `@corpuscle/${name}`,
    `^${version}`,
  ]);
  const manifest = {
    private: true,
    type: 'module',
    scripts: {
      start: 'potential.ts' in files ? 'corpuscle run --yes' : 'corpuscle run',
      ...('operator.ts' in files && {
        own: `corpuscle run ${DEFAULT_INPUT} own.yaml --import operator.ts`,
      }),
    },
    dependencies: Object.fromEntries(ours),
    ...(!typescript && { devDependencies: { '@swc/wasm-typescript': '^1.16.2' } }),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Installs the project's packages by the package manager that runs the command. */
function installIn(directory: string, streams: Streams): void {
  const [manager = 'npm'] =
    /^(npm|pnpm|yarn|bun)(?=\/)/.exec(process.env.npm_config_user_agent ?? '') ?? [];
  const quick = manager === 'npm' ? ['--prefer-offline', '--no-audit', '--no-fund'] : [];
  streams.err(`${manager} install …\n`);
  try {
    // On Windows package managers are scripts, which only a shell runs; no word of the line comes from outside.
    const shell = process.platform === 'win32';
    execFileSync(manager, ['install', ...quick], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
  } catch (cause) {
    const said = String((cause as { stderr?: Buffer }).stderr ?? '').trim();
    const message = `${manager} install failed in ${displayPath(path.resolve(directory))}: run it again there. It said: ${said}`;
    throw new CorpuscleError('BACKEND_UNAVAILABLE', message, { cause });
  }
}

function nextSteps(directory: string, toInstall: boolean, own: readonly string[]): string {
  const there =
    path.resolve(directory) === process.cwd() ? [] : [`cd ${displayPath(path.resolve(directory))}`];
  const run = own.length > 0 ? 'npm start' : 'npx corpuscle run';
  return `\nNow: ${[...there, ...(toInstall ? ['npm install'] : []), run].join(' && ')}\n`;
}
