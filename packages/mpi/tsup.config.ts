import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  dts: { entry: 'src/index.ts' },
  target: 'node20',
  sourcemap: true,
  clean: ['!**/*.d.ts'], // a build with declarations removes them itself
  external: ['koffi'],
});
