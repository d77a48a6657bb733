import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

/** The secret of this home, made on first use and readable by its owner only. */
export function homeToken(file: string): string {
  const known = readToken(file)
  if (known) return known
  try {
    writeFileSync(file, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // Another process was quicker: its token is the token.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readToken(file) ?? homeToken(file)
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
