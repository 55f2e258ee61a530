import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MarkdownRenderer } from 'vitepress';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const GITHUB = 'https://github.com/corpuscle/corpuscle';

/**
 * Links that lead out of `docs` stay right on GitHub and on the site: there they become addresses of the repository.
 * @throws when such a link leads to a file that does not exist.
 */
export function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository_links', ({ tokens, env }) => {
    for (const { children } of tokens)
      for (const token of children ?? []) {
        const href = token.attrGet('href');
        if (token.type !== 'link_open' || href === null || !href.startsWith('../')) continue;
        const [path = '', anchor] = href.split('#');
        const file = join(dirname(env.path), path);
        const place = relative(root, file);
        if (place.startsWith('docs/')) continue;
        if (!existsSync(file)) throw new Error(`${env.path}: there is no ${href}`);
        const kind = statSync(file).isDirectory() ? 'tree' : 'blob';
        token.attrSet('href', `${GITHUB}/${kind}/main/${place}${anchor ? `#${anchor}` : ''}`);
      }
  });
}
