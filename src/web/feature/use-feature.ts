import type { SessionSnapshot } from '#protocol/api/sessions.ts'
import { act } from '../api/actions.ts'
import type { Input, Name, Refused, RouteOf } from '../api/client.ts'
import { newId } from '../api/new-id.ts'
import { cache, refresh } from '../api/queries.ts'

type Nouns = 'sessions' | 'sessionPlans' | 'sessionQuestions'

/** Something that a person does in a feature: sent once, kept while Grove cannot be reached, its answer shown at once. */
export type FeatureAction = <N extends Nouns, K extends Name<N>>(
  noun: N,
  name: K,
  body: Omit<Input<RouteOf<N, K>> extends { body?: infer B } ? NonNullable<B> : object, 'requestId'>,
  options: { label: string; quiet?: boolean; id?: string },
) => Promise<'done' | 'kept' | Refused>

const DOUBLE_CLICK_MS = 600

/** What is under way or was just done: a double click is one click, also where the answer comes between the two. */
const underWay = new Map<string, ReturnType<FeatureAction>>()

export function actionsOn(params: { projectId: string; featureId: string }): FeatureAction {
  return (noun, name, body, options) => {
    const what = JSON.stringify([noun, name, params, body, options.id])
    const before = underWay.get(what)
    if (before) return before
    const run = actOnceOn(params)(noun, name, body, options)
    underWay.set(what, run)
    const forget = () => void underWay.delete(what)
    run.then((done) => (done === 'done' ? setTimeout(forget, DOUBLE_CLICK_MS) : forget()), forget)
    return run
  }
}

function actOnceOn(params: { projectId: string; featureId: string }): FeatureAction {
  return async (noun, name, body, { label, quiet = false, id }) => {
    const input = {
      params: { ...params, ...(id !== undefined && { id }) },
      body: { ...body, requestId: newId() },
    }
    // The types of a route that is not known yet cannot be put together again.
    const done = await act(noun, name, input as never, { label, quiet })
    if ('refused' in done) {
      refresh(['sessions', 'show', { params }])
      return done.refused
    }
    refresh(['sessions', 'list'], ['inbox'])
    if ('kept' in done) return 'kept'
    const { session } = done.sent as { session?: SessionSnapshot }
    if (session) cache.setQueryData(['sessions', 'show', { params }], { session })
    refresh(['sessionRecords'], ['sessionPlans'])
    return 'done'
  }
}
