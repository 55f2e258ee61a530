import { defineConfig } from 'vite';
import { offlinePlugin } from './offlinePlugin.js';

/** One chunk a package: none has 250 kB compressed. */
const codeSplitting = {
  groups: ['functor', 'core', 'patterns', 'operators', 'view'].map((name) => ({
    name,
    test: new RegExp(`packages/${name}/dist/`),
  })),
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [offlinePlugin(import.meta.dirname)],
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting } } },
  build: { outDir: 'dist', target: 'es2022', emptyOutDir: true },
});
