import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { shell } from './support/consumer.js';
import { serveRegistry } from './support/registry.js';

/** Seconds from an empty directory to results, after the download. */
const LIMIT = 30;

const node = join(process.execPath, '..');
const home = mkdtempSync(join(tmpdir(), 'corpuscle-first-'));
let server: Server;
let env: Record<string, string>;

/**
 * The machine's own settings of npm, where the packages of this repository come from, and an empty cache.
 * npx would run packages of the same version that the machine's cache has from a build before.
 */
beforeAll(async () => {
  server = await serveRegistry(inject('packed'));
  const { port } = server.address() as AddressInfo;
  const own = execFileSync('npm', ['config', 'get', 'userconfig'], { encoding: 'utf8' }).trim();
  const settings = existsSync(own) ? readFileSync(own, 'utf8') : '';
  const config = join(home, 'npmrc');
  writeFileSync(
    config,
    `${settings}\n@corpuscle:registry=http://127.0.0.1:${port}/\nyes=true\nomit=optional\n`,
  );
  env = { npm_config_userconfig: config, npm_config_cache: join(home, 'cache') };
});
afterAll(() => {
  server.close();
  rmSync(home, { recursive: true });
});

/** An empty directory. */
function empty(name: string): string {
  mkdirSync(join(home, name));
  return join(home, name);
}

describe('the first path', () => {
  it(`leads from an empty directory to results in ${LIMIT} s after the download`, async () => {
    const cwd = empty('first');
    await shell('npx @corpuscle/cli init', { cwd: empty('download'), node, env });
    const began = performance.now();
    const text = 'npx @corpuscle/cli init && npx corpuscle run --backend cpu';
    const { code, out, err } = await shell(text, { cwd, node, env });
    const seconds = (performance.now() - began) / 1000;
    expect(code, out + err).toBe(0);
    expect(out).toMatch(/^atoms +4,000$/m);
    expect(readdirSync(cwd)).toEqual(expect.arrayContaining(['rdf.svg', 'thermo.csv']));
    console.log(`init and run: ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(LIMIT);
  });

  it.each([
    ['coordination', 'npm run own', /^step 100: \d+ particles are faster than the limit$/m],
    ['own', 'npm start', /^atoms +2,048$/m],
  ])('runs TypeScript of the project with the template %s', async (name, start, said) => {
    const cwd = empty(name);
    const text = `npx @corpuscle/cli init ${name} && ${start}`;
    const { code, out, err } = await shell(text, { cwd, node, env });
    expect(code, out + err).toBe(0);
    expect(out).toMatch(said);
  });

  it('begins with npm create corpuscle too', async () => {
    const cwd = empty('create');
    const { tarball } = inject('packed').find(({ name }) => name === 'create-corpuscle')!;
    const text = `npx --package ${tarball} create-corpuscle argon-run argon && cd argon-run && npx corpuscle check`;
    const { code, out, err } = await shell(text, { cwd, node, env });
    expect(code, out + err).toBe(0);
    expect(out).toMatch(/^simulation\.yaml: correct, \d+ operators$/m);
  });
});
