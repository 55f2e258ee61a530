import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { contentsOf } from './contents.js';
import { formulas } from './formulas.js';
import { repositoryLinks } from './repositoryLinks.js';

const here = fileURLToPath(import.meta.url);

/** The anchor that GitHub gives a heading: links to it are right in both places. */
const githubAnchor = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The site: pages of docs, as they are. */
export default defineConfig({
  title: 'Corpuscle',
  description: 'Particle simulation in TypeScript, on every core and on every GPU',
  srcDir: '../../docs',
  outDir: 'dist',
  rewrites: { 'README.md': 'index.md' },
  cleanUrls: false,
  lastUpdated: false,
  // TypeDoc writes these pages afterwards.
  ignoreDeadLinks: [/^\/api\//],
  // Pages lie outside this package, where its dependencies are not found.
  vite: {
    plugins: [
      {
        name: 'vue of this package',
        enforce: 'pre',
        resolveId(id) {
          return /^vue(\/|$)/.test(id) ? this.resolve(id, here, { skipSelf: true }) : null;
        },
      },
    ],
  },
  markdown: {
    // Braces belong to YAML here, and to formulas.
    attrs: { disable: true },
    anchor: { slugify: githubAnchor },
    config: (md) => {
      formulas(md);
      repositoryLinks(md);
      md.renderer.rules.text = (tokens, k) =>
        md.utils.escapeHtml(tokens[k]!.content).replaceAll('{', '&#123;'); // no template of Vue
    },
  },
  themeConfig: {
    nav: [
      { text: 'Operators', link: '/operators' },
      { text: 'Gallery', link: '/gallery' },
      { text: 'API', link: '/api/index.html', target: '_self' },
    ],
    sidebar: {
      '/operators': contentsOf('operators.md').map((group) => ({ ...group, collapsed: true })),
      '/': contentsOf('README.md'),
    },
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/corpuscle/corpuscle' }],
  },
});
