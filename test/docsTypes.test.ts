import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, expect } from 'vitest';
import { blocksOf, followedPages, writeBlock, writeParts } from './support/pages.js';
import { itLong } from './support/runs.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'corpuscle-docs-types-'));
afterAll(() => rmSync(home, { recursive: true }));

/** All files below a folder; links are not followed. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Type-checks the files of all pages against the sources of the packages: what the compiler says, after names of files. */
function typeErrors(): string[] {
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = filesBelow(home).filter((name) => name.endsWith('.ts'));
  files.push(join(root, 'test/support/pageGlobals.d.ts'));
  const program = ts.createProgram(files, {
    ...options,
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUnusedLocals: false,
    noUnusedParameters: false,
  });
  // The sources themselves are not checked again: `typecheck` does that.
  const found = files.flatMap((file) => {
    const source = program.getSourceFile(file)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  });
  return [...program.getOptionsDiagnostics(), ...found].map(
    ({ file, messageText }) =>
      `${relative(home, file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}

// docs.test.ts runs this code. The types of all packages take a compiler ten seconds, so that the long form alone looks at them.
itLong(
  'the code of the pages has the right types',
  () => {
    for (const page of followedPages)
      for (const block of blocksOf(`${page}.md`)) writeBlock(block, join(home, page));
    writeParts(join(home, 'parts'));
    for (const page of ['write-your-own-operator', 'patterns', 'parts'])
      expect(filesBelow(join(home, page)).join()).toContain('run.ts');
    expect(typeErrors()).toEqual([]);
  },
  240_000,
);
