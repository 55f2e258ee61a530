import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/importGraph.js';

const files = ['packages', 'test', 'bench', 'scripts', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?ts$/.test(name) && !/node_modules|\bdist\b|\.d\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
);

/** Names of functions, classes and constants that a source file exports; types are left out: declarations need their names. */
const exported =
  /^export (?:abstract |async )*(?:const|let|function\*?|class) (?<name>[A-Za-z_$][\w$]*)/gm;
/** What `corpuscle init` writes is text in a source file. */
const writesFiles = /init\/templates\.ts$/;

it('what a source file exports is used by another file', () => {
  const usedBy = new Map<string, number>();
  const texts = files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g)))
      usedBy.set(word, (usedBy.get(word) ?? 0) + 1);
    return { file, text };
  });
  const unused = texts
    .filter(({ file }) => /^packages\/\w+\/src\//.test(file) && !/\.test\.ts$/.test(file))
    .filter(({ file }) => !writesFiles.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(exported)]
        .map(({ groups }) => groups!.name!)
        .filter((name) => usedBy.get(name) === 1)
        .map((name) => `${file}: ${name}`),
    );
  expect(unused).toEqual([]);
});
