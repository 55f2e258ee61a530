import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { published } from '../../scripts/support/packPackages.js';
import { root } from '../support/importGraph.js';

/** Lines that a function may have, its signature included: longer ones are stages that have no name yet. */
const MOST = 100;
/** Lines that a file may have: a longer one has parts that have no name yet. */
const MOST_OF_FILE = 300;

interface Found {
  readonly place: string;
  readonly lines: number;
}

/** Every function, method and arrow function with a body of a file that is long enough for one that is too long. */
function functionsOf(file: string): Found[] {
  const text = readFileSync(file, 'utf8');
  if (text.split('\n').length <= MOST) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
      const first = line(node.getStart(source));
      const name = node.name?.getText(source) ?? 'a function without a name';
      found.push({
        place: `${relative(root, file)}:${first + 1} ${name}`,
        lines: line(node.end) - first + 1,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));

/** Whether a file only says what other files export. */
const isIndex = (text: string): boolean =>
  text
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/export (type )?\{[^}]*\} from '[^']+';/g, '')
    .trim() === '';

describe.each(published)('the sources of %s', (name) => {
  it(`have no function of more than ${MOST} lines`, () => {
    const files = sources(join(root, 'packages', name, 'src'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap(functionsOf).filter(({ lines }) => lines > MOST)).toEqual([]);
  });

  it(`have no file of more than ${MOST_OF_FILE} lines but lists of exports`, () => {
    const long = sources(join(root, 'packages', name, 'src')).filter((file) => {
      const text = readFileSync(file, 'utf8');
      return text.split('\n').length - 1 > MOST_OF_FILE && !isIndex(text);
    });
    expect(long.map((file) => relative(root, file))).toEqual([]);
  });
});
