import { createHmac, randomBytes } from 'node:crypto'
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

/**
 * What a proxy answers to a challenge to show that it knows this home's token without saying it. The port is part of it:
 * a stranger on another port who passes the question on to the real one gets an answer that does not fit.
 */
export function proofOf(token: string, port: number, challenge: string): string {
  return createHmac('sha256', token).update(`grove-proxy:${port}:${challenge}`).digest('base64url')
}
