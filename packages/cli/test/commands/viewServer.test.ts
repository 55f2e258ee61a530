import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../../../../test/support/runCli.js';
import { viewServer } from '../../src/commands/view/viewServer.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-view-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'index.html'), '<p>the page</p>');
writeFileSync(
  join(folder, 'melt.yaml'),
  'setup_system: [{ read_extended_xyz: { file: start.xyz } }]\n',
);
writeFileSync(join(folder, 'start.xyz'), '1\n\nA 0 0 0\n');
writeFileSync(join(folder, 'secret.txt'), 'nobody asks for it');

it('a page is served isolated, with the file and what it names, and nothing else', async () => {
  const server = await viewServer(folder, join(folder, 'melt.yaml'), { port: 0 });
  const get = async (name: string) => {
    const token = new URL(server.url).searchParams.get('view');
    const answer = await fetch(new URL(`${name}?token=${token}`, server.url));
    return answer.ok ? answer.text() : answer.status;
  };
  try {
    const { headers } = await fetch(server.url);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(await get('/')).toBe('<p>the page</p>');
    expect(JSON.parse((await get('/view.json')) as string)).toEqual({
      kind: 'simulation',
      name: 'melt.yaml',
      others: ['start.xyz'],
      isRun: false,
    });
    for (const name of ['/view.json', '/view/start.xyz', '/view.json?token=0123'])
      expect((await fetch(new URL(name, server.url))).status, name).toBe(404);
    expect(await get('/view/start.xyz')).toMatch(/A 0 0 0/);
    expect(await get('/view/secret.txt')).toBe(404);
    expect(await get('/view/..%2fsecret.txt')).toBe(404);
    expect(await get('/..%2f..%2fetc%2fpasswd')).toBe(404);
  } finally {
    server.close();
  }
});

it('a page under another name cannot read the file', async () => {
  const server = await viewServer(folder, join(folder, 'start.xyz'), { port: 0 });
  try {
    const { port, searchParams } = new URL(server.url);
    const path = `/view/start.xyz?token=${searchParams.get('view')}`;
    const status = await new Promise((resolve) =>
      request({ port, path, headers: { host: 'elsewhere.example' } }, (answer) =>
        resolve(answer.resume().statusCode),
      ).end(),
    );
    expect(status).toBe(404);
  } finally {
    server.close();
  }
});

it('a file that is not there, and a port that is taken, are told', async () => {
  await expect(viewServer(folder, join(folder, 'no.yaml'), { port: 0 })).rejects.toThrow(
    /there is no file/,
  );
  const server = await viewServer(folder, join(folder, 'melt.yaml'), { port: 0 });
  try {
    const port = Number(new URL(server.url).port);
    await expect(viewServer(folder, join(folder, 'melt.yaml'), { port })).rejects.toThrow(/--port/);
  } finally {
    server.close();
  }
});

it.each(['abc', '65536'])('there is no port %s', async (port) => {
  const { code, err } = await runCli(['view', 'melt.yaml', '--port', port]);
  expect(code).toBe(2);
  expect(err).toMatch(/^error: option '--port <n>' argument '\w+' is invalid\. give a /);
});
