type Tell = (error: GPUError) => void;

/** Functions that are told of the errors of a device, on which several engines may work; and what ends that. */
interface Listening {
  readonly told: Set<Tell>;
  end(): void;
}

const listeners = new WeakMap<GPUDevice, Listening>();

/** Tells of errors that nothing else catches. @returns ends it */
export function onDeviceError(device: GPUDevice, tell: Tell): () => void {
  const { told, end } = listeners.get(device) ?? listenTo(device);
  told.add(tell);
  return () => {
    told.delete(tell);
    if (told.size === 0) end();
  };
}

/** Each device has one listener, as long as anybody is told. */
function listenTo(device: GPUDevice): Listening {
  const told = new Set<Tell>();
  const hear = (event: Event): void => {
    event.preventDefault?.();
    for (const tell of [...told]) tell((event as GPUUncapturedErrorEvent).error);
  };
  device.addEventListener('uncapturederror', hear);
  const listening: Listening = {
    told,
    end() {
      device.removeEventListener('uncapturederror', hear);
      listeners.delete(device);
    },
  };
  listeners.set(device, listening);
  return listening;
}

/** What a text of the device begins with. */
export function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? 'no details'
  );
}
