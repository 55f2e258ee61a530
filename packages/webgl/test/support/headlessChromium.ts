import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Visit, visit } from '../../../../test/support/chromium.js';

export { noChromium } from '../../../../test/support/chromium.js';

/**
 * Runs a script in a page of headless Chromium, with WebGL 2 on SwiftShader. The script finds `input` and calls
 * `finish(result)`; both are JSON.
 *
 * @throws when the page reports an error, or nothing within a minute.
 */
export async function runInChromium(script: string, input: unknown): Promise<unknown> {
  const pages: Record<string, [type: string, text: string]> = {
    '/': ['text/html', '<!doctype html><meta charset="utf-8"><script src="/script.js"></script>'],
    '/script.js': ['text/javascript', `${prelude}${script}\n})().catch(fail);`],
    '/input.json': ['application/json', JSON.stringify(input)],
  };
  let page: Visit | undefined;
  const { promise, resolve, reject } = deferred<unknown>();
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (request.method !== 'POST') {
      response.writeHead(page ? 200 : 404, { 'content-type': page?.[0] ?? 'text/plain' });
      response.end(page?.[1] ?? '');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      response.end();
      if (request.url === '/done') resolve(JSON.parse(text));
      else reject(new Error(text));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const timer = setTimeout(() => reject(new Error('Chromium gave no answer in a minute')), 60_000);
  try {
    const { port } = server.address() as AddressInfo;
    page = await visit(`http://127.0.0.1:${port}/`);
    return await Promise.race([promise, page.ended]);
  } finally {
    clearTimeout(timer);
    await page?.end();
    server.closeAllConnections();
    server.close();
  }
}

const prelude = `const post = (where, text) => fetch(where, { method: 'POST', body: text });
const fail = (error) => post('/failed', String(error && error.stack || error));
const finish = (result) => post('/done', JSON.stringify(result));
window.addEventListener('error', (event) => fail(event.error || event.message));
(async () => {
const input = await (await fetch('/input.json')).json();
`;

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
