import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const docs = fileURLToPath(new URL('../../../docs', import.meta.url));

const below = (folder: string, end: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .sort();

const pages = below(dist, '.html');
const texts = new Map(pages.map((name) => [name, readFileSync(join(dist, name), 'utf8')]));
const anchors = new Map(
  [...texts].map(([name, text]) => [
    name,
    new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)),
  ]),
);

/** Links and pictures of a page, without those to other hosts. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)]
    .map(([, link]) => link!.replaceAll('&amp;', '&'))
    .filter((link) => !/^(?:\w+:|\/\/)/.test(link));

/** Whether a link of a page leads anywhere; its anchor is looked for, too. */
function leads(page: string, link: string): boolean {
  const [path = '', anchor = ''] = decodeURI(link).split('#');
  const place = path.startsWith('/') ? path.slice(1) : join(dirname(page), path);
  const found =
    path === '' ? page : [place, join(place, 'index.html')].find((name) => isFile(name));
  if (found === undefined) return false;
  return anchor === '' || !found.endsWith('.html') || anchors.get(found)!.has(anchor);
}

/** All files of the site; there are links by the hundred thousand, and no look at the disk for each. */
const files = new Set(below(dist, '').filter((name) => /\.\w+$/.test(name)));
const isFile = (name: string): boolean => files.has(normalize(name));

it('every page of docs is a page of the site', () => {
  const wanted = below(docs, '.md').map((name) =>
    name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'),
  );
  expect(wanted.filter((name) => !texts.has(name))).toEqual([]);
});

it('every page of docs is in the contents, or in those of operators', () => {
  const contents = ['README.md', 'operators.md'].map((name) =>
    readFileSync(join(docs, name), 'utf8'),
  );
  const missing = below(docs, '.md').filter(
    (name) => name !== 'README.md' && !contents.join('').includes(`](${relative('.', name)})`),
  );
  expect(missing).toEqual([]);
});

it('no link and no picture is dead, and every anchor exists', () => {
  const dead = [...texts].flatMap(([page, text]) =>
    linksOf(text)
      .filter((link) => !leads(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect([...new Set(dead)]).toEqual([]);
});

it('pages load nothing from other hosts', () => {
  const foreign = [...texts].flatMap(([page, text]) =>
    [
      ...text.matchAll(/<(?:script|link|img|iframe)\b[^>]*\s(?:src|href)="(?:https?:)?\/\/[^"]*"/g),
    ].map(([tag]) => `${page}: ${tag}`),
  );
  expect(foreign).toEqual([]);
});

it('the search has an index in the site itself', () => {
  const index = below(join(dist, 'assets'), '.js').find((name) =>
    name.includes('localSearchIndex'),
  );
  expect(readFileSync(join(dist, 'assets', index!), 'utf8')).toContain('lennard_jones_force');
});
