import type { DeviceAccount } from '../../engine/DeviceStatus.js';

/** The device's work by operator, for profiles. */
export class Accounts {
  readonly #byOperator = new Map<string, DeviceAccount>();

  of(operator: string): DeviceAccount {
    let account = this.#byOperator.get(operator);
    if (!account) {
      account = {
        operator,
        dispatches: 0,
        milliseconds: 0,
        uploadedBytes: 0,
        downloadedBytes: 0,
        reads: 0,
      };
      this.#byOperator.set(operator, account);
    }
    return account;
  }

  /** All, the longest time first. */
  get all(): readonly DeviceAccount[] {
    return [...this.#byOperator.values()].sort(
      (a, b) => b.milliseconds - a.milliseconds || b.dispatches - a.dispatches,
    );
  }
}
