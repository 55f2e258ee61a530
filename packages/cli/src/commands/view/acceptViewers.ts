import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** Bytes that a page may send at once: the text of a simulation. */
const MOST = 2 ** 22;

/**
 * Opens WebSockets for requests that `allows` lets pass; others are refused. A page of another origin is refused too: browsers let it
 * ask, and say where it comes from.
 */
export function acceptViewers(
  server: Server,
  allows: (request: IncomingMessage) => boolean,
  onViewer: (socket: WebSocket) => void,
): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST });
  server.on('upgrade', (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    if (!allows(request) || !isOwn(request)) {
      connection.end('HTTP/1.1 404 Not Found\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, connection, head, onViewer);
  });
}

function isOwn({ headers: { origin, host } }: IncomingMessage): boolean {
  if (origin === undefined) return true; // no browser
  return URL.canParse(origin) && new URL(origin).host === host;
}
