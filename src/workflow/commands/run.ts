import { redact } from '#core/redact/redact.ts'
import type { Engine } from '../engine.ts'
import type { Feature } from '../feature.ts'
import { type CommandRefusal, refused } from './refused.ts'

/** What people do with a feature session. Each command is refused with a reason, or has happened when it returns. */

export async function pause(engine: Engine, feature: Feature, request?: string): Promise<CommandRefusal | undefined> {
  const no = await feature.happen({ type: 'pause' }, () => ({ request }))
  if (no) return refused(no)
  await engine.stop(feature)
  return undefined
}

export async function resume(_: Engine, feature: Feature, request?: string): Promise<CommandRefusal | undefined> {
  const no = await feature.happen({ type: 'resume' }, (files) => ({
    events: [{ type: 'execution.resumed', stepId: files.status.currentStepId, reason: 'resumed' }],
    request,
  }))
  return no && refused(no)
}

/** Interrupts the running turn; the session then waits for a message. */
export async function interrupt(engine: Engine, feature: Feature): Promise<CommandRefusal | undefined> {
  const process = engine.process(feature)
  if (!process) return refused('not_possible_now')
  await process.interrupt()
  return undefined
}

/** Sends a message: at once while Claude works, else kept until it goes on. */
export async function message(
  engine: Engine,
  feature: Feature,
  text: string,
  request?: string,
): Promise<CommandRefusal | undefined> {
  const process = engine.process(feature)
  if (process) {
    feature.say({ spawnId: '', kind: 'prompt', text: redact(text) })
    await process.say({
      id: engine.world.newId(),
      parts: [`# The user says\n\n${text}`],
      text: 'Take this into account and continue.',
    })
    await feature.update((files) => ({ files, events: [], request }))
    return undefined
  }
  const no = await feature.happen({ type: 'guide', text: redact(text) }, () => ({ request }))
  return no && refused(no)
}

/** Sets the flags archived and deleted; no file is removed. */
export async function mark(
  engine: Engine,
  feature: Feature,
  flag: 'archivedAt' | 'deletedAt',
  isSet: boolean,
  request?: string,
): Promise<CommandRefusal | undefined> {
  const at = isSet ? feature.now() : null
  if (flag === 'deletedAt' && isSet && feature.session.status === 'active') {
    await feature.happen({ type: 'pause' })
    await engine.stop(feature)
  }
  await feature.update((files) => ({
    files: { ...files, session: { ...files.session, [flag]: at } },
    events: [
      { type: 'session.changed', status: files.session.status, reason: `${flag}:${isSet}`, hold: files.session.hold },
    ],
    request,
  }))
  return undefined
}
