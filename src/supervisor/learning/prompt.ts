import { traced } from '#core/gate/session.ts'
import type { HookEventOf } from '#protocol/hook-event.ts'
import type { Contribution } from '../handle-hook.ts'
import { changeSession, loadSession } from './sessions.ts'
import { chooseFor, recordSurfaced, shown, withInjected } from './start-session.ts'
import type { LearningWorld } from './world.ts'

const ASKS_TO_REMEMBER =
  /\b(remember (this|that|to|for|it)|don't forget|do not forget|keep (this |that )?in mind|note (this|that|for)|make a note|from now on|for (next time|the future))\b|(^|[.!?:;,\n]|\b(please|and|must|should))[^\S\n]*\b(always|never) (?!mind\b)/i
/** What is recalled for a prompt must fit it; the general picture was given when the session began. */
const LEAST_RELEVANCE = 0.25

/** A prompt may ask to remember something, and says for the first time what the work is about. */
export async function onPrompt(
  world: LearningWorld,
  event: HookEventOf<'UserPromptSubmit'>,
): Promise<Contribution | undefined> {
  // Answers of background agents come the same way.
  if (!event.cwd || event.prompt.startsWith('<task-notification>')) return undefined
  const settings = world.settingsAt(event.cwd)
  if (!settings.gate.enabled) return undefined
  const session = await loadSession(world, event.session_id)
  if (!session) return undefined
  const asks = ASKS_TO_REMEMBER.test(event.prompt) && !session.askedToRemember
  const left = settings.retrieval.maxInjections - session.injected.length
  if (!asks && left <= 0) return undefined
  const library = world.libraryAt(session.root, settings)
  const query = { prompt: event.prompt.slice(0, 4000), files: session.unseenFiles ?? [], tags: [] }
  const fitting = await chooseFor(world, library, settings, query, settings.retrieval.maxInjections, LEAST_RELEVANCE)
  const fresh = fitting
    .filter(({ learning }) => !session.injected.some(({ id }) => id === learning.id))
    .slice(0, Math.max(0, left))
  if (!asks && fresh.length === 0 && !session.unseenFiles) return undefined
  await world.background.run(session.sessionId, 'note what a prompt brought up', async () => {
    await changeSession(world, session.sessionId, session.root, ({ unseenFiles: _, ...before }) => {
      const next = withInjected(before, fresh, world)
      return asks ? traced({ ...next, askedToRemember: true }, world.clock.now(), 'was asked to remember') : next
    })
    await recordSurfaced(world, library, session.sessionId, fresh)
  })
  return fresh.length > 0 ? shown(fresh, settings) : undefined
}
