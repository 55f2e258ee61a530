import { readdirSync, readFileSync } from 'node:fs';

const folder = '/sys/devices/system/cpu/cpu0';

/** What the first core shares with others, and its caches, where the system tells (Linux). */
export function describeCores(): string {
  try {
    const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8').trim();
    const caches = readdirSync(`${folder}/cache`)
      .filter((name) => name.startsWith('index'))
      .map((name) => {
        const [level, type, size, shared] = ['level', 'type', 'size', 'shared_cpu_list'].map(
          (file) => read(`cache/${name}/${file}`),
        );
        return `L${level} ${type} ${size} (CPUs ${shared})`;
      });
    return `CPU 0 is one physical core with CPUs ${read('topology/thread_siblings_list')}; ${caches.join(', ')}`;
  } catch {
    return 'the system does not tell of cores and caches';
  }
}
