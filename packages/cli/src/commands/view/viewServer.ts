import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import type { WebSocket } from 'ws';
import { acceptViewers } from './acceptViewers.js';

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

/** Names of this machine. A page from elsewhere whose name leads here has another one. */
const own = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Where a page is served. */
export interface ServerOptions {
  readonly port: number;
  /** The address to listen at. Default 127.0.0.1: this machine alone. */
  readonly host?: string;
  /** Takes pages that look at a run here; without it the page runs the file. */
  readonly onViewer?: (socket: WebSocket) => void;
}

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
  /** Whether it runs here, and the page looks. */
  readonly isRun: boolean;
}

/**
 * Serves the page of a folder to this machine, and with it a file to those who have the token of the address.
 *
 *   /            the page          /view.json   what is viewed          /view/NAME   the file, and files that it names
 *   /run         the run, by WebSocket
 *
 * @throws CorpuscleError FILE_NOT_FOUND; UNWRITABLE where the port is taken
 */
export async function viewServer(
  page: string,
  file: string,
  { port, host = '127.0.0.1', onViewer }: ServerOptions,
): Promise<ViewServer> {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new CorpuscleError('FILE_NOT_FOUND', `there is no file '${file}': check its name`);
  const viewed: ViewedFile = { ...describe(file), isRun: onViewer !== undefined };
  const names = [viewed.name, ...viewed.others];
  const token = randomBytes(16).toString('hex');
  const isLocal = own.test(host);
  const isKnown = ({ headers }: IncomingMessage) => !isLocal || own.test(headers.host ?? '');
  const server = createServer((request, response) => {
    if (!isKnown(request)) return refuse(response);
    const name = pathOf(request);
    const isFree = name !== 'view.json' && !name.startsWith('view/');
    if (!isFree && !hasToken(request, token)) return refuse(response);
    if (name === 'view.json') {
      response.writeHead(200, { ...isolating, 'content-type': types['.json'] });
      response.end(JSON.stringify(viewed));
      return;
    }
    if (!isFree) {
      const asked = name.slice('view/'.length);
      return names.includes(asked)
        ? send(path.join(path.dirname(file), asked), response)
        : refuse(response);
    }
    const target = path.join(page, name || 'index.html');
    const isInside = !path.relative(page, target).startsWith('..');
    return isInside && existsSync(target) && statSync(target).isFile()
      ? send(target, response)
      : refuse(response);
  });
  const mayJoin = (request: IncomingMessage) =>
    isKnown(request) && pathOf(request) === 'run' && hasToken(request, token);
  if (onViewer) acceptViewers(server, mayJoin, onViewer);
  await new Promise<void>((listening, reject) => {
    server.on('error', (cause) =>
      reject(
        new CorpuscleError(
          'UNWRITABLE',
          `no page can be served at port ${port} of ${host} (${cause.message}): choose others with --port and --host`,
          { cause },
        ),
      ),
    );
    server.listen(port, host, listening);
  });
  const named = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${named}:${(server.address() as AddressInfo).port}/?view=${token}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const urlOf = ({ url = '/' }: IncomingMessage): URL => new URL(url, 'http://page');

/** What is asked for, without the first slash; nothing where it cannot be read. */
function pathOf(request: IncomingMessage): string {
  try {
    return decodeURIComponent(urlOf(request).pathname).slice(1);
  } catch {
    return '';
  }
}

function hasToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(urlOf(request).searchParams.get('token') ?? '');
  return given.length === token.length && timingSafeEqual(given, Buffer.from(token));
}

/** What a file is, and which files beside it a simulation names. */
function describe(file: string): Omit<ViewedFile, 'isRun'> {
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
