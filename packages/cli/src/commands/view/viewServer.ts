import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';

/** What makes a page isolated, so that it has threads. */
const isolating = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** A page that is being served. */
export interface ViewServer {
  readonly url: string;
  close(): void;
}

/** What the page is told of the file: `simulation` goes into its editor, `particles` are shown. */
export interface ViewedFile {
  readonly kind: 'simulation' | 'particles';
  readonly name: string;
  /** Files that the simulation may read. */
  readonly others: readonly string[];
}

/**
 * Serves the page of a folder, and with it a file, on this machine alone.
 *
 *   /            the page          /view.json   what is viewed          /view/NAME   the file, and files that it names
 *
 * @throws CorpuscleError FILE_NOT_FOUND; UNWRITABLE where the port is taken
 */
export async function viewServer(page: string, file: string, port: number): Promise<ViewServer> {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new CorpuscleError('FILE_NOT_FOUND', `there is no file '${file}': check its name`);
  const viewed = describe(file);
  const folder = path.dirname(file);
  const names = [viewed.name, ...viewed.others];
  const server = createServer(({ url = '/', headers }, response) => {
    // A page from elsewhere whose name leads to this machine must not read the file.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(headers.host ?? '')) return refuse(response);
    const name = decodeURIComponent(new URL(url, 'http://page').pathname).slice(1);
    if (name === 'view.json') {
      response.writeHead(200, { ...isolating, 'content-type': types['.json'] });
      response.end(JSON.stringify(viewed));
      return;
    }
    const asked = /^view\/(.+)$/.exec(name)?.[1];
    if (asked !== undefined)
      return names.includes(asked) ? send(path.join(folder, asked), response) : refuse(response);
    const target = path.join(page, name || 'index.html');
    const isInside = !path.relative(page, target).startsWith('..');
    return isInside && existsSync(target) && statSync(target).isFile()
      ? send(target, response)
      : refuse(response);
  });
  await new Promise<void>((listening, reject) => {
    server.on('error', (cause) =>
      reject(
        new CorpuscleError(
          'UNWRITABLE',
          `no page can be served at port ${port} (${cause.message}): choose another one with --port`,
          { cause },
        ),
      ),
    );
    server.listen(port, '127.0.0.1', listening);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?view`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a file is, and which files beside it a simulation names. */
function describe(file: string): ViewedFile {
  const name = path.basename(file);
  if (!/\.ya?ml$/i.test(name)) return { kind: 'particles', name, others: [] };
  const text = readFileSync(file, 'utf8');
  const others = readdirSync(path.dirname(path.resolve(file)), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== name && text.includes(entry.name))
    .map((entry) => entry.name);
  return { kind: 'simulation', name, others };
}

function send(file: string, response: ServerResponse): void {
  const type = types[path.extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { ...isolating, 'content-type': type });
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

const refuse = (response: ServerResponse): void => void response.writeHead(404).end();
