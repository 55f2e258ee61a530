const COPY_SRC = 0x04;
const MAP_WRITE = 0x02;
/** Up to so many bytes go through `writeBuffer`, which takes 6 ms for ten times as many on an H200, and 48 for 64 MiB. */
const SMALL = 2 ** 20;
/** More go in pieces, each through memory that the device copies from. */
const PIECE = 2 ** 25;

/** Has bytes of the host written to a buffer after everything submitted so far. They may change when this returns. */
export function writeBytes(
  device: GPUDevice,
  buffer: GPUBuffer,
  bytes: Uint8Array<ArrayBuffer>,
  offset: number,
): void {
  if (bytes.length <= SMALL) {
    device.queue.writeBuffer(buffer, offset, bytes);
    return;
  }
  for (let start = 0; start < bytes.length; start += PIECE)
    stage(device, buffer, bytes.subarray(start, start + PIECE), offset + start);
}

function stage(device: GPUDevice, buffer: GPUBuffer, bytes: Uint8Array, offset: number): void {
  const size = Math.ceil(bytes.length / 4) * 4;
  const staging = device.createBuffer({
    ...{ label: 'upload', size },
    usage: MAP_WRITE | COPY_SRC,
    mappedAtCreation: true,
  });
  new Uint8Array(staging.getMappedRange()).set(bytes);
  staging.unmap();
  const encoder = device.createCommandEncoder({ label: 'upload' });
  encoder.copyBufferToBuffer(staging, 0, buffer, offset, size);
  device.queue.submit([encoder.finish()]);
  staging.destroy(); // when the copy is done
}
