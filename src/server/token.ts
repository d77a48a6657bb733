import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** The secret of this home, made on first use and readable by its owner only. */
export function homeToken(file: string): string {
  return readToken(file) ?? makeToken(file)
}

/** Writes a token that is known to where it stood; one that was made there meanwhile stays. */
export function putBackToken(file: string, token: string): void {
  makeToken(file, token)
}

/**
 * Written to a draft and hard-linked: the file appears complete, so half a token is never read, and a full disk leaves
 * no empty file.
 */
function makeToken(file: string, token = randomBytes(24).toString('base64url')): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx' })
    // An empty file: an earlier Grove could not write it.
    if (existsSync(file) && readToken(file) === undefined) rmSync(file)
    linkSync(draft, file)
  } catch (error) {
    // Another process was quicker: its token is the token.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const kept = readToken(file)
  if (kept === undefined) throw new Error(`${file} is empty`)
  return kept
}

function readToken(file: string): string | undefined {
  try {
    const token = readFileSync(file, 'utf8').trim()
    keepPrivate(file)
    return token || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Restricts a token file that other users could read, as after a careless copy of the home. */
function keepPrivate(file: string): void {
  if (process.platform === 'win32') return
  try {
    const { mode, uid } = statSync(file)
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600)
  } catch {
    // A read-only disk: it stays as it is.
  }
}

/**
 * A proxy's answer to a challenge: proves that it knows this home's token without revealing it. The port is part of the
 * proof, so a stranger on another port who forwards the challenge to the real proxy gets an answer that does not match.
 */
export function proofOf(token: string, port: number, challenge: string): string {
  return createHmac('sha256', token).update(`grove-proxy:${port}:${challenge}`).digest('base64url')
}
