type Tell = (error: GPUError) => void;

/** Those who are told of the errors of a device; several may work on one. */
const listeners = new WeakMap<GPUDevice, Set<Tell>>();

/** Tells of errors that nothing else catches. @returns ends it */
export function onDeviceError(device: GPUDevice, tell: Tell): () => void {
  let all = listeners.get(device);
  if (!all) {
    const told = new Set<Tell>();
    device.addEventListener('uncapturederror', (event) => {
      event.preventDefault?.();
      for (const one of [...told]) one((event as GPUUncapturedErrorEvent).error);
    });
    listeners.set(device, told);
    all = told;
  }
  const told = all;
  told.add(tell);
  return () => told.delete(tell);
}
