import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError, loadSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { templates } from '../../../packages/cli/src/commands/init/templates.js';
import { convertFolder, copyScripts, scriptNames } from '../../support/convertCases.js';
import { meltYaml, runCli } from '../../support/runCli.js';

/** A right document; the files that it reads lie in a folder. */
export interface GoodDocument {
  readonly name: string;
  readonly text: string;
}

/** What a document is found to be. */
export interface Found {
  readonly code: string;
  /** `line:column`. */
  readonly at: string;
  readonly message: string;
}

const root = new URL('../../../', import.meta.url);
export const registry = createRegistry();

/** The mistakes of a text that lies in `folder`. */
export function mistakesOf(text: string, folder: string): readonly Found[] {
  const file = path.join(folder, 'document.yaml');
  writeFileSync(file, text);
  try {
    loadSimulation([file], { operators: registry, backends: ['cpu', 'webgpu', 'webgl'] });
    return [];
  } catch (error) {
    if (!(error instanceof CorpuscleError)) throw new Error(text, { cause: error });
    return [error, ...error.more].map(({ code, message, location }) => ({
      code,
      message,
      at: location ? `${location.line}:${location.column}` : '',
    }));
  }
}

/** Examples, documents of the pages, templates of `init`, converted scripts, and the melt of the tests; `folder` gets what they read. */
export async function goodDocuments(folder: string): Promise<readonly GoodDocument[]> {
  copyScripts(folder);
  const examples = readdirSync(new URL('examples', root))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => ({ name, text: readFileSync(new URL(`examples/${name}`, root), 'utf8') }));
  const pages = readdirSync(new URL('docs', root))
    .filter((name) => name.endsWith('.md'))
    .flatMap((page) => {
      const text = readFileSync(new URL(`docs/${page}`, root), 'utf8');
      return [...text.matchAll(/```yaml[^\n]*\n([\s\S]*?)```/g)].map(([, yaml], k) => ({
        name: `${page} ${k}`,
        text: yaml!,
      }));
    });
  const ours = Object.entries(templates).map(([name, { yaml }]) => ({ name, text: yaml }));
  const converted = await Promise.all(
    scriptNames.map(async (name) => {
      const { out } = await runCli(['convert', path.join(folder, name)]);
      return { name: path.relative(convertFolder, path.join(convertFolder, name)), text: out };
    }),
  );
  const melt = { name: 'melt of the tests', text: meltYaml() };
  return [...examples, ...pages, ...ours, ...converted, melt].filter(
    ({ text }) => mistakesOf(text, folder).length === 0,
  );
}
