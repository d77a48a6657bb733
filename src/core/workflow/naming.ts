/** Names for folders, addresses and branches, from what people type. */

const LONGEST = 60

/** A title in letters that folders, addresses and branches all take; never empty. */
export function slug(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, LONGEST)
    .replace(/(?<!-)-+$/, '')
  return plain || 'feature'
}

/** A branch from its pattern: {slug}, {session-id} and {date} are filled in; without any the slug comes last. */
export function branchName(pattern: string, facts: { slug: string; sessionId: string; date: string }): string {
  const filled = pattern
    .replaceAll('{slug}', facts.slug)
    .replaceAll('{session-id}', facts.sessionId)
    .replaceAll('{date}', facts.date)
  return filled === pattern ? `${pattern.replace(/\/$/, '')}/${facts.slug}` : filled
}

const SAFE = /^[a-z0-9][a-z0-9-]{0,99}$/

/** Whether an id can be a folder and a part of an address, as ours are. */
export function isSafeId(id: string): boolean {
  return SAFE.test(id)
}
