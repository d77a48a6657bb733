import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from './project.ts'

/** Programs for the settings of a hostile repository: each leaves a file behind when it is started. */
export interface Traps {
  folder: string
  /** The path of a new one. It prints the files that it is given, or what it reads. */
  set(name: string): string
  /** Those that were started. */
  sprung(): string[]
  remove(): void
}

export async function setTraps(): Promise<Traps> {
  const folder = await tempDir('traps')
  return {
    folder,
    set(name) {
      const path = join(folder, `${name}.sh`)
      writeFileSync(path, `#!/bin/sh\ntouch "${folder}/ran-${name}"\ncat "$@" 2>/dev/null\nexit 0\n`)
      chmodSync(path, 0o755)
      return path
    },
    sprung: () => readdirSync(folder).filter((name) => name.startsWith('ran-')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
