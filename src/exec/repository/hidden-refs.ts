import { createHash } from 'node:crypto'

/**
 * Names under `refs/grove/`, which no branch list shows and no push takes along. One folder a feature branch: a readable
 * part, and a hash because `a` and `a/b` cannot both be folders.
 */
export function hiddenRef(branch: string, name: string): string {
  return `refs/grove/${part(branch)}-${hash(branch)}/${isPlain(name) ? name : `${part(name)}-${hash(name)}`}`
}

/** Marks a branch as opened by Grove, and remembers where it began. */
export function baseRef(branch: string): string {
  return hiddenRef(branch, 'base')
}

/** Marks a branch that was there before Grove worked on it. */
export function adoptedRef(branch: string): string {
  return hiddenRef(branch, 'adopted')
}

function isPlain(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,60}$/.test(name)
}

function part(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_]+/g, '-').replace(/^-+|(?<!-)-+$/g, '')
  return plain.slice(0, 60) || 'x'
}

function hash(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 8)
}
