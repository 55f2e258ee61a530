import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { shell, write } from './support/consumer.js';

const { folder, size } = inject('plain');
const node = join(process.execPath, '..');

const melt = `
configuration: { units: lj, seed: 87287 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 2, thermo_frequency: 1 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
simulation: molecular_dynamics
`;

describe('an installation without optional dependencies', () => {
  it('takes less than 20 MB', () => expect(size / 1e6).toBeLessThan(20));

  it('names webgpu as optional', () => {
    const manifest = readFileSync(join(folder, 'node_modules/@corpuscle/patterns/package.json'));
    expect(JSON.parse(manifest.toString()).optionalDependencies).toHaveProperty('webgpu');
  });

  it.each(['cpu', 'auto'])('runs a melt with backend %s', async (backend) => {
    write(folder, { 'install/melt.yaml': melt });
    const command = `npx corpuscle run melt.yaml --precision f32 --backend ${backend}`;
    const { code, out } = await shell(command, { cwd: join(folder, 'install'), node });
    expect(out).toMatch(/^backend +cpu/m);
    expect(code).toBe(0);
  });

  it('says in one sentence what WebGPU needs', async () => {
    write(folder, { 'install/melt.yaml': melt });
    const command = 'npx corpuscle run melt.yaml --backend webgpu';
    const { code, err } = await shell(command, { cwd: join(folder, 'install'), node });
    expect(err).toMatch(
      /^corpuscle: backend webgpu was asked for, but the optional package webgpu is not installed \(npm install webgpu\); .+\n$/m,
    );
    expect(code).toBe(1);
  });

  it('says so to programs with the code NO_ADAPTER', async () => {
    const text = `import { createExecutionContext } from '@corpuscle/patterns';
await createExecutionContext({ backend: 'webgpu' }).catch((error) => console.log(error.code));`;
    write(folder, { 'install/ask.mjs': text });
    const { out } = await shell('node ask.mjs', { cwd: join(folder, 'install'), node });
    expect(out).toBe('NO_ADAPTER\n');
  });

  it('says in one sentence what WebGL needs', async () => {
    const text = `import { createExecutionContext } from '@corpuscle/patterns';
import '@corpuscle/webgl';
await createExecutionContext({ backend: 'webgl' }).catch((error) => console.log(error.code, error.message));`;
    write(folder, { 'install/webgl.mjs': text });
    const { out } = await shell('node webgl.mjs', { cwd: join(folder, 'install'), node });
    expect(out).toMatch(/^BACKEND_UNAVAILABLE .*npm install gpu\.js/);
  });
});
