import { WorkThread } from '../thread/WorkThread.js';
import { type H5mdAnswer, type H5mdRequest, H5mdServer } from './H5mdServer.js';

/** A file of H5MD, read or written elsewhere. Requests are answered in their order. */
export interface H5mdLink {
  /** @param given buffers that are given away: they are empty afterwards. */
  ask(request: H5mdRequest, given?: readonly ArrayBuffer[]): Promise<H5mdAnswer>;
  /** The file is done; its thread takes the next one. */
  close(): Promise<void>;
  /** Ends at once; what has not been answered is refused. */
  end(): Promise<void>;
}

/** A thread that has done its work, and takes the next file: HDF5 is dear to load. */
let idle: H5mdThread | null = null;

type H5mdThread = WorkThread<H5mdRequest, H5mdAnswer>;

/** A thread for one file; sources that run as they are do the work themselves. */
export function openH5mdLink(): H5mdLink {
  const open = () =>
    WorkThread.open<H5mdRequest, H5mdAnswer>('h5mdWorker.cjs', 'reads and writes H5MD');
  const thread = idle ?? open();
  idle = null;
  if (!thread) return linkHere();
  let hasFailed = false;
  return {
    ask: (request, given) =>
      thread.ask(request, given).catch((error: unknown) => {
        hasFailed = true; // HDF5 may have ended in the middle of its work
        throw error;
      }),
    async close() {
      if (hasFailed || idle) return thread.close();
      idle = thread;
    },
    end() {
      hasFailed = true;
      return thread.close();
    },
  };
}

function linkHere(): H5mdLink {
  const server = new H5mdServer();
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask(request) {
      const answer = last.then(() => server.handle(request));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: async () => undefined,
    end: async () => undefined,
  };
}
