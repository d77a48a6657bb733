import { type Intent, isOpen, nextId } from '#core/intent/intent.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { redact } from '#core/redact/redact.ts'
import { changeIntents } from './handshake.ts'
import { isInScope } from './permit.ts'
import { fileTargets } from './targets.ts'
import type { GuardWorld } from './world.ts'

/** What people do with intents, from the command line or the browser. */

const MOST_FOUND = 20

/** Open intents that fit the words, best first; all of them without words. */
export async function searchIntents(
  world: Pick<GuardWorld, 'intents'>,
  project: GuardedProject,
  query: string,
): Promise<{ found: Intent[]; more: number }> {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}./_-]+/u)
    .filter(Boolean)
  const fits = (intent: Intent) => {
    const text = [intent.id, intent.name, ...intent.ownedScope, ...intent.acceptanceCriteria].join('\n').toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  const ranked = (await world.intents.open(project))
    .all()
    .filter(isOpen)
    .map((intent) => ({ intent, score: fits(intent) }))
    .filter(({ score }) => words.length === 0 || score > 0)
    .sort((a, b) => b.score - a.score)
  return {
    found: ranked.slice(0, MOST_FOUND).map(({ intent }) => intent),
    more: Math.max(0, ranked.length - MOST_FOUND),
  }
}

/** The fields of an intent that is to be added. */
export type NewIntent = Omit<Intent, 'id'> & { id?: string }

/** Adds an intent to the file, without secrets in its texts; undefined when its id is taken. */
export async function addIntent(
  world: GuardWorld,
  project: GuardedProject,
  wanted: NewIntent,
): Promise<Intent | undefined> {
  let added: Intent | undefined
  await changeIntents(world, project, ({ withIntent, ids }) => {
    const id = wanted.id ?? nextId(ids)
    if (ids.includes(id)) return undefined
    added = {
      ...wanted,
      id,
      name: redact(wanted.name),
      status: redact(wanted.status),
      constraints: wanted.constraints.map(redact),
      acceptanceCriteria: wanted.acceptanceCriteria.map(redact),
      ...(wanted.owner && { owner: redact(wanted.owner) }),
    }
    return withIntent(added)
  })
  return added
}

/** Gives an intent another status; false when there is none. */
export async function setStatus(
  world: GuardWorld,
  project: GuardedProject,
  id: string,
  status: string,
): Promise<boolean> {
  let isFound = false
  await changeIntents(world, project, ({ withStatus }) => {
    const after = withStatus(id, redact(status))
    isFound = after !== undefined
    return after
  })
  return isFound
}

/** Whether an intent may write a path, as the gatekeeper would say. */
export interface PathAnswer {
  path: string
  intents: { id: string; allowed: boolean }[]
}

/** Asks for some paths what the gatekeeper would say, for one intent or for all open ones. */
export async function checkPaths(
  world: GuardWorld,
  project: GuardedProject,
  cwd: string,
  paths: readonly string[],
  intentId?: string,
): Promise<PathAnswer[]> {
  const book = await world.intents.open(project)
  const intents = book.all().filter((intent) => (intentId === undefined ? isOpen(intent) : intent.id === intentId))
  return fileTargets(world, project, cwd, paths).map((target) => ({
    path: target.shown,
    intents: intents.map((intent) => ({ id: intent.id, allowed: isInScope(world, project, intent, target) })),
  }))
}
