import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ENOUGH = 4 * 2 ** 30

/**
 * Where this run puts its files: in memory where there is room, because waiting for a disk to confirm each write takes
 * longer than most tests; else where TMPDIR says.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(process.env.TMPDIR || (isRoomy(MEMORY) ? MEMORY : tmpdir()), 'grove-run-'))
  // Open to all, as the machine's own temporary folder is: PostgreSQL runs as another user where tests run as root.
  chmodSync(folder, 0o1777)
  return folder
}

function isRoomy(place: string): boolean {
  if (!existsSync(place)) return false
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize >= ENOUGH && runsPrograms(place)
}

/** Containers often mount it so that nothing in it can be started; tests put programs into their folders. */
function runsPrograms(place: string): boolean {
  const folder = mkdtempSync(join(place, 'grove-try-'))
  try {
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    return spawnSync(program).status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
