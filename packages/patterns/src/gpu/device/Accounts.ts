/** What one operator made the device do. */
export interface Account {
  /** The operator; several joined by ' + ' where their kernels were joined. */
  readonly operator: string;
  dispatches: number;
  /** Time of the device, where it has time stamps. */
  milliseconds: number;
  uploadedBytes: number;
  downloadedBytes: number;
  /** Copies to the host. */
  reads: number;
}

/** The device's work by operator, for profiles. */
export class Accounts {
  readonly #byOperator = new Map<string, Account>();

  of(operator: string): Account {
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
  get all(): readonly Account[] {
    return [...this.#byOperator.values()].sort(
      (a, b) => b.milliseconds - a.milliseconds || b.dispatches - a.dispatches,
    );
  }
}
