/** What the watch over work without end asks of the process, or of the page. */
export interface ProcessWatch {
  /** Tells the user a line, even while the event loop stands still. */
  tell(line: string): void;
  /** Calls at Ctrl-C and SIGTERM. @returns a function that ends it */
  onSignals(call: () => void): () => void;
  /** Devices are not waited for when the process ends. */
  leaveDevices(): void;
  /** Seconds that all threads of the process have used. */
  processorTime(): number;
}
