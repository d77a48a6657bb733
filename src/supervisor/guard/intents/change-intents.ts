import { type Intent, nextId } from '#core/intent/intent.ts'
import type { GuardedProject } from '#core/ports/guard.ts'
import { redact } from '#core/redact/redact.ts'
import { GROVE, noteWrote } from '../stale-files/seen-files.ts'
import { exclusively } from '../stale-files/write-leases.ts'
import type { GuardWorld } from '../world.ts'

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

/** Adds to an intent's scope in the file; what is there already is not added again. */
export async function widen(world: GuardWorld, project: GuardedProject, intentId: string, scope: readonly string[]) {
  const owned = (await world.intents.open(project)).find(intentId)?.ownedScope ?? []
  const fresh = scope.filter((glob) => !owned.includes(glob))
  if (fresh.length === 0) return
  await changeIntents(world, project, (edit) => edit.withScope(intentId, fresh))
}

type Edit = Parameters<GuardWorld['intents']['change']>[1]

/** Changes the intents' file, one at a time, and notes that it was Grove and no agent's command. */
async function changeIntents(world: GuardWorld, project: GuardedProject, edit: Edit): Promise<boolean> {
  const path = `${project.orchestration}/active_intents.yaml`
  return exclusively(world, path, world.newId(), async () => {
    const isChanged = await world.intents.change(project, edit)
    const now = await world.files.read(path)
    if (isChanged && now) await noteWrote(world, GROVE, path, now.hash)
    return isChanged
  })
}
