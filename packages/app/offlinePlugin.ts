import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Puts a service worker beside the page that keeps all of its files: it opens without a network after the first time. */
export function offlinePlugin(folder: string): Plugin {
  return {
    name: 'offline',
    closeBundle() {
      const files = readdirSync(join(folder, 'dist/assets')).map((name) => `assets/${name}`);
      const text = readFileSync(join(folder, 'src/offline/serviceWorker.js'), 'utf8');
      const hash = createHash('sha256').update(readFileSync(join(folder, 'dist/index.html')));
      const version = `corpuscle-${hash.digest('hex').slice(0, 16)}`;
      const written = text
        .replace('FILES = []', `FILES = ${JSON.stringify(files)}`)
        .replace("VERSION = ''", `VERSION = '${version}'`);
      writeFileSync(join(folder, 'dist/offline.js'), written);
    },
  };
}
