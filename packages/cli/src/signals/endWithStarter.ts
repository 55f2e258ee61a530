/** Ends this process as by SIGTERM when the one that started it, with a channel between both, has gone. */
export function endWithStarter(): void {
  if (!process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}
