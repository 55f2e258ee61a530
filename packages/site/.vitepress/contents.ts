import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

const docs = new URL('../../../docs/', import.meta.url);

/** The groups of a page of contents, for the bar at the side: headings, and the links below each, in lists or tables. */
export function contentsOf(page: string): DefaultTheme.SidebarItem[] {
  const text = readFileSync(fileURLToPath(new URL(page, docs)), 'utf8');
  const [, ...sections] = text.split(/^## /m);
  return sections
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: [...section.matchAll(/^(?:- |\| )\[`?([^\]`]+)`?\]\(([\w/-]+)\.md\)/gm)].map(
        ([, name, link]) => ({ text: name!, link: `/${link}` }),
      ),
    }))
    .filter(({ items }) => items.length > 0);
}
