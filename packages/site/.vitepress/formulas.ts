import katex from 'katex';
import type { MarkdownRenderer } from 'vitepress';

/**
 * Blocks of the language `math` are formulas, as on GitHub.
 * @throws when KaTeX does not understand one: the build of the site ends there.
 */
export function formulas(md: MarkdownRenderer): void {
  const other = md.renderer.rules.fence!;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index]!;
    if (info.trim() !== 'math') return other(tokens, index, options, env, self);
    const html = katex.renderToString(content, { displayMode: true, strict: 'error' });
    return `<div v-pre>${html}</div>\n`;
  };
}
