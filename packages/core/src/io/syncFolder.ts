import { open } from '#core/platform';

/** Makes names in a folder survive a power cut. Does nothing where folders cannot be synced (Windows, some network disks). */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The file itself has been synced; nothing more can be asked of this file system.
  }
}
