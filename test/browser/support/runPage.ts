import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Visit, visit } from '../../support/chromium.js';

/** What makes a page isolated, so that it has threads. */
const isolating = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html',
  '.json': 'application/json',
};

/** How a page is served. */
export interface PageOptions {
  /** Whether the server sends COOP and COEP. */
  readonly isolated: boolean;
  /** What the page finds as `/input.json`. */
  readonly input: unknown;
  /** A content security policy of the page; it must allow inline scripts. */
  readonly policy?: string;
  /** A script that runs before the page's own. */
  readonly before?: string;
}

/**
 * Shows `page.js` of a folder in headless Chromium, and gives what the page posts to `/done`.
 * @throws what it posts to `/failed`, or after a minute
 */
export async function runPage(
  folder: string,
  { isolated, input, policy, before = '' }: PageOptions,
): Promise<unknown> {
  const html = `<!doctype html><meta charset="utf-8"><script>${before}</script><script type="module" src="/page.js"></script>`;
  const texts: Record<string, string> = { '/': html, '/input.json': JSON.stringify(input) };
  let page: Visit | undefined;
  let server: Server | undefined;
  let timer: NodeJS.Timeout | undefined;
  const answer = new Promise<unknown>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the page gave no answer in a minute')), 60_000);
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://page').pathname;
      if (request.method === 'POST') {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          response.end();
          const text = JSON.parse(Buffer.concat(chunks).toString()) as unknown;
          if (url === '/done') resolve(text);
          else reject(new Error(String(text)));
        });
        return;
      }
      const type = url === '/' ? '.html' : extname(url);
      const file = join(folder, url);
      const text = texts[url];
      const isThere = text !== undefined || (existsSync(file) && statSync(file).isFile());
      response.writeHead(isThere ? 200 : 404, {
        'content-type': types[type] ?? 'application/octet-stream',
        ...(isolated && isolating),
        ...(policy && { 'content-security-policy': policy }),
      });
      if (text !== undefined || !isThere) response.end(text);
      else createReadStream(file).pipe(response);
    });
  });
  answer.catch(() => undefined);
  try {
    await new Promise<void>((listening) => server!.listen(0, '127.0.0.1', listening));
    page = await visit(`http://127.0.0.1:${(server!.address() as AddressInfo).port}/`);
    return await Promise.race([answer, page.ended]);
  } finally {
    clearTimeout(timer);
    await page?.end();
    server!.closeAllConnections();
    server!.close();
  }
}
