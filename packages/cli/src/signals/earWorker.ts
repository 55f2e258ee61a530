import { parentPort, workerData } from 'node:worker_threads';
import { type EarTask, listen } from './ear.js';

/** A thread that hears signals while the main thread does not. Its port keeps it alive. */
parentPort!.on('message', () => {});
listen(workerData as EarTask, parentPort!);
