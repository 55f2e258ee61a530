import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { PackedPackage } from '../../../scripts/support/packPackages.js';

/** What npm asks of a registry, for packages that are packed and not published. */
export async function serveRegistry(packed: readonly PackedPackage[]): Promise<Server> {
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(request.url ?? '').slice(1);
    const { port } = server.address() as AddressInfo;
    const home = `http://127.0.0.1:${port}`;
    const file = packed.find(({ tarball }) => asked === `files/${basename(tarball)}`);
    if (file) return response.end(readFileSync(file.tarball));
    const found = packed.find(({ name }) => name === asked);
    if (!found) return response.writeHead(404).end('{}');
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(documentOf(found, home)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The document of a package with its one version. */
function documentOf({ name, version, tarball }: PackedPackage, home: string): object {
  const text = execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' });
  const hash = createHash('sha512').update(readFileSync(tarball)).digest('base64');
  const dist = { tarball: `${home}/files/${basename(tarball)}`, integrity: `sha512-${hash}` };
  const versions = { [version]: { ...JSON.parse(text), dist } };
  return { name, 'dist-tags': { latest: version }, versions };
}
