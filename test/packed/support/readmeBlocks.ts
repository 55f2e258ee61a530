import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/support/packPackages.js';

/** A fence of a README: a file when it has a name, commands when it is of language `sh`. */
export interface ReadmeBlock {
  readonly language: string;
  /** The name after the language; empty where there is none. */
  readonly file: string;
  readonly text: string;
}

/** The fences of a package's README, in their order. */
export function readmeBlocks(folder: string): ReadmeBlock[] {
  const text = readFileSync(join(root, 'packages', folder, 'README.md'), 'utf8');
  const fences = text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, language, file = '', body]) => ({
    language: language!,
    file,
    text: body!,
  }));
}
