import type { DeviceProfile } from '@corpuscle/patterns';
import { formatTable } from './formatTable.js';

/** Calls of an operator and the time they took on the host. */
export interface HostTime {
  readonly name: string;
  calls: number;
  milliseconds: number;
}

/**
 * Time of the host by path in the graph.
 * @param wall milliseconds that all took: shares are of it.
 */
export function formatHost(times: readonly HostTime[], wall: number): string {
  const rows = [...times].sort((a, b) => b.milliseconds - a.milliseconds);
  const told = sum(rows.map(({ milliseconds }) => milliseconds));
  const table = formatTable(
    ['operator', 'calls', 'time', 'share', 'per call'],
    rows.map(({ name, calls, milliseconds }) => [
      name,
      String(calls),
      seconds(milliseconds),
      share(milliseconds, wall),
      microseconds(milliseconds / calls),
    ]),
  );
  return `${table}${share(told, wall)} of ${seconds(wall)} of wall time\n`;
}

/** Time of the device by operator and by kernel, and what moved. */
export function formatDevice(profile: DeviceProfile): string {
  const { operators, kernels } = profile;
  const total = sum(kernels.map(({ milliseconds }) => milliseconds));
  const timed = kernels.length > 0;
  const byOperator = formatTable(
    ['on the device, for', 'dispatches', 'time', 'share', 'to it', 'back', 'reads'],
    operators.map((account) => [
      account.operator || '(no operator)',
      String(account.dispatches),
      timed ? seconds(account.milliseconds) : '-',
      timed ? share(account.milliseconds, total) : '-',
      bytes(account.uploadedBytes),
      bytes(account.downloadedBytes),
      String(account.reads),
    ]),
  );
  const byKernel = formatTable(
    ['kernel', 'dispatches', 'time', 'share', 'per dispatch'],
    kernels.map(({ label, dispatches, milliseconds }) => [
      label,
      String(dispatches),
      seconds(milliseconds),
      share(milliseconds, total),
      microseconds(milliseconds / dispatches),
    ]),
  );
  const { uploadedBytes, downloadedBytes, dispatches, submits, repeats } = profile;
  const moved = `${bytes(uploadedBytes)} to the device, ${bytes(downloadedBytes)} back`;
  return `\n${byOperator}\n${timed ? byKernel : 'no times: the adapter has no time stamps\n'}\nin all: ${moved}, ${dispatches} dispatches in ${submits} submits, ${repeats} speculation windows repeated\n`;
}

/** 0 B, 12.3 KiB, 4.00 MiB. */
export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  return count < 2 ** 20
    ? `${(count / 1024).toFixed(1)} KiB`
    : `${(count / 2 ** 20).toFixed(2)} MiB`;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(3)} s`;
const share = (part: number, total: number): string =>
  `${((100 * part) / (total || 1)).toFixed(1)} %`;
const microseconds = (milliseconds: number): string => `${(1000 * milliseconds).toFixed(1)} µs`;
