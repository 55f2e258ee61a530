import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** One line that says where numbers were measured, and how busy the machine was at that moment. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${model}, ${availableParallelism()} cores, ${memory}, Node ${process.versions.node}, ${describeLoad()}`;
}

/** Load average over one minute: anything near the number of cores before a bench spoils it. */
export function describeLoad(): string {
  return `load average ${loadavg()[0]!.toFixed(2)}`;
}
