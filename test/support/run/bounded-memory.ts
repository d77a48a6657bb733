import { spawnSync } from 'node:child_process'

/** Of one process: several times what the largest of them needs, and little enough that the machine survives it. */
const MOST_BYTES = 4 * 2 ** 30

/**
 * Sets the limit of writable memory (RLIMIT_DATA) for this process and, since it is inherited, for everything that the tests
 * start: a defence that fails ends its own process. Memory that is only reserved does not count, unlike with `ulimit -v`, which
 * V8 and browsers exceed from the beginning. Where there is no `prlimit`, nothing is limited.
 */
export function boundMemory(): void {
  spawnSync('prlimit', ['--pid', `${process.pid}`, `--data=${MOST_BYTES}`])
}
