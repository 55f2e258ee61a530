import { unpackSwiftShader } from '../../packages/patterns/src/gpu/device/swiftShader.js';

/** Unpacks the software adapter once, before test files start in processes of their own. */
export default function setup(): void {
  const unpacked = unpackSwiftShader();
  if ('reason' in unpacked && process.env.CI === 'true' && process.platform === 'linux')
    throw new Error(`the tests need a WebGPU adapter, but ${unpacked.reason}`);
}
