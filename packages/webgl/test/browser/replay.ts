import { GPU } from 'gpu.js';
import { compileKernel } from '../../src/compileKernel.js';
import type { RecordedCall } from '../support/recordCalls.js';

declare const input: readonly RecordedCall[];
declare function finish(result: unknown): void;

// Runs recorded kernel calls on WebGL 2 and sends back what they gave.
if (!GPU.isWebGL2Supported) throw new Error('there is no WebGL 2 in this browser');
const gpu = new GPU({ mode: 'webgl2' });
finish(
  input.map(({ source, count, args }) => {
    const kernel = compileKernel(gpu, source);
    const values = kernel(
      count,
      ...args.map((arg) => (typeof arg === 'number' ? arg : Float32Array.from(arg))),
    );
    return Array.from(values, (four) => Array.from(four));
  }),
);
