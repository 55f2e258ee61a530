import { isSoftware } from '../../packages/patterns/src/gpu/device/adapterInfo.js';
import { findAdapter } from '../../packages/patterns/src/gpu/device/findAdapter.js';
import { uncheckedAdapter } from '../../packages/patterns/test/support/uncheckedDevice.js';

/*
 * A software adapter takes 0.1 to 0.3 s to compile a kernel, and tests open hundreds of contexts that need the same
 * kernels. So a device that a context has closed is lent to the next one, with all that it has compiled:
 *
 *   requestDevice ──► lent ──► destroy(): buffers destroyed, listeners removed, `lost` resolved ──► idle ──► lent ──► …
 *
 * A device that was lost, or that reported an error, is not lent again. Test files that destroy devices themselves have a
 * process of their own, where this module is not loaded.
 *
 * The software driver of these devices checks no bounds: a quarter less to compile, and a kernel that goes beyond a buffer is not
 * put right in silence. In test files with a process of their own, and in commands that tests start, it does.
 */

const LOST = { reason: 'destroyed', message: 'Device was destroyed.' } as GPUDeviceLostInfo;

/** Kernels of several functors may differ by their comments alone. */
const withoutComments = (code: string): string => code.replace(/\/\/.*$/gm, '');

class SharedDevice {
  readonly #device: GPUDevice;
  readonly #idle: SharedDevice[];
  readonly #destroy: () => void;
  readonly #texts = new WeakMap<GPUShaderModule, string>();
  readonly #pipelines = new Map<string, GPUComputePipeline>();
  /** Compiled since the device was lent. */
  readonly #fresh = new Map<string, GPUComputePipeline>();
  readonly #resources = new Set<{ destroy(): void }>();
  readonly #listeners: (() => void)[] = [];
  #isGood = true;
  /** Resolves `lost` of whom the device is lent to. */
  #lose: (info: GPUDeviceLostInfo) => void = () => {};
  /** Resolves once a device that is given back may be lent again. */
  returned: Promise<void> = Promise.resolve();

  constructor(device: GPUDevice, idle: SharedDevice[]) {
    this.#device = device;
    this.#idle = idle;
    this.#destroy = device.destroy.bind(device);
    void device.lost.then((info) => {
      this.#isGood = false;
      this.#lose(info);
    });
    device.addEventListener('uncapturederror', () => {
      this.#isGood = false;
    });
    this.#keepCompiled();
    this.#noteWhatIsMade();
  }

  lend(): GPUDevice {
    const lost = new Promise<GPUDeviceLostInfo>((resolve) => {
      this.#lose = resolve;
    });
    let isLent = true;
    Object.defineProperties(this.#device, {
      lost: { configurable: true, value: lost },
      destroy: {
        configurable: true,
        value: () => {
          if (isLent) this.returned = this.#giveBack();
          isLent = false;
        },
      },
    });
    return this.#device;
  }

  #keepCompiled(): void {
    const device = this.#device;
    const createModule = device.createShaderModule.bind(device);
    const createPipeline = device.createComputePipeline.bind(device);
    device.createShaderModule = (descriptor) => {
      const module = createModule(descriptor);
      this.#texts.set(module, withoutComments(descriptor.code));
      return module;
    };
    device.createComputePipeline = (descriptor) => {
      const text = this.#texts.get(descriptor.compute.module)!;
      const kept = this.#pipelines.get(text) ?? this.#fresh.get(text);
      if (kept) return kept;
      const pipeline = createPipeline(descriptor);
      this.#fresh.set(text, pipeline);
      return pipeline;
    };
  }

  #noteWhatIsMade(): void {
    const device = this.#device;
    const createBuffer = device.createBuffer.bind(device);
    const createQuerySet = device.createQuerySet.bind(device);
    const listen = device.addEventListener.bind(device);
    const note = <T extends { destroy(): void }>(resource: T): T => {
      this.#resources.add(resource);
      return resource;
    };
    device.createBuffer = (descriptor) => note(createBuffer(descriptor));
    device.createQuerySet = (descriptor) => note(createQuerySet(descriptor));
    device.addEventListener = (type: string, listener: EventListener) => {
      listen(type, listener);
      this.#listeners.push(() => device.removeEventListener(type, listener));
    };
  }

  async #giveBack(): Promise<void> {
    for (const remove of this.#listeners.splice(0)) remove();
    for (const resource of this.#resources) resource.destroy();
    this.#resources.clear();
    this.#lose(LOST);
    await this.#device.queue.onSubmittedWorkDone();
    if (!this.#isGood) return this.#destroy();
    for (const [text, pipeline] of this.#fresh) this.#pipelines.set(text, pipeline);
    this.#fresh.clear();
    this.#idle.push(this);
  }
}

const KEY = Symbol.for('corpuscle.test.lentDevices');
const loaded = globalThis as { [KEY]?: true };

async function lendDevices(): Promise<void> {
  const { adapter } = await findAdapter({ software: true });
  if (!adapter) return;
  const adapters = Object.getPrototypeOf(adapter) as GPUAdapter;
  const { requestDevice } = adapters;
  const isUnchecked = isSoftware(adapter);
  const all: SharedDevice[] = [];
  const idle = new Map<string, SharedDevice[]>();
  adapters.requestDevice = async function (this: GPUAdapter, descriptor) {
    const kind = JSON.stringify(descriptor);
    if (!idle.has(kind)) idle.set(kind, []);
    const ready = idle.get(kind)!;
    await Promise.all(all.map(({ returned }) => returned));
    // The first that there is: one test file after the other gets the devices in the same order, and finds what it compiles.
    const free = all.find((device) => ready.includes(device));
    if (free) {
      ready.splice(ready.indexOf(free), 1);
      return free.lend();
    }
    // An adapter gives one device.
    const own = isUnchecked ? await uncheckedAdapter() : this;
    const device = new SharedDevice(await requestDevice.call(own, descriptor), ready);
    all.push(device);
    return device.lend();
  };
}

// Setup files run before each test file, also where files share a process.
if (!loaded[KEY]) {
  loaded[KEY] = true;
  await lendDevices();
}
