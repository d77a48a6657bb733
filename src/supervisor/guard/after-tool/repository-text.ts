import { cap, neutralise } from '#core/context/fence.ts'
import type { RepositoryChange } from '#core/ports/guard.ts'
import type { Seen } from './tool-windows.ts'

const MOST_TOLD = 12

/**
 * What a command did to branches, tags, stashes and worktrees: no file of the working tree is another, but work may be lost,
 * or go elsewhere. What is new is told in a line, what is gone or stands elsewhere with the command that brings it back.
 */
export function repositoryText({ repository }: Pick<Seen, 'repository'>, tool: string): string | undefined {
  const lost = repository.filter(({ before }) => before !== null)
  const made = repository.filter(({ before }) => before === null)
  const texts = [
    lost.length > 0 &&
      `scope_violation: while ${tool} ran the repository lost or moved ${listed(lost.map(lostText))}. If your command did that and the user did not ask for it, restore it; otherwise tell the user.`,
    made.length > 0 && `New in the repository since ${tool} ran: ${listed(made.map(nameOf))}.`,
  ]
  return texts.filter(Boolean).join('\n') || undefined
}

function listed(texts: readonly string[]): string {
  const rest = texts.length > MOST_TOLD ? ` and ${texts.length - MOST_TOLD} more` : ''
  return `${texts.slice(0, MOST_TOLD).join(', ')}${rest}`
}

function nameOf({ kind, name }: RepositoryChange): string {
  const shown = cap(neutralise(name), 120)
  if (kind === 'stash') return `a stash (${name.slice(0, 12)})`
  if (kind !== 'ref') return `${kind} ${shown}`
  const [, group, short] = /^refs\/(heads|tags)\/(.+)$/.exec(shown) ?? []
  return group === undefined ? shown : `${group === 'heads' ? 'branch' : 'tag'} ${short}`
}

function lostText(change: RepositoryChange): string {
  const back = wayBack(change)
  return back === undefined ? nameOf(change) : `${nameOf(change)} (back with \`${back}\`)`
}

function wayBack({ kind, name, before, after }: RepositoryChange): string | undefined {
  const commit = before ?? ''
  if (kind === 'stash') return `git stash store ${commit}`
  if (kind !== 'ref' || !/^[0-9a-f]{40,}$/.test(commit) || !/^[\w./@+-]+$/.test(name)) return undefined
  const [, group, short] = /^refs\/(heads|tags)\/(.+)$/.exec(name) ?? []
  if (group === undefined) return `git update-ref ${name} ${commit}`
  return `git ${group === 'heads' ? 'branch' : 'tag'} ${after === null ? '' : '-f '}${short} ${commit.slice(0, 12)}`
}
