import { type Learning, versionOf } from '#core/learning/learning.ts'
import { type SetAside, unfitItem } from '#core/memory/admit-shared.ts'
import { type PullMark, type PullPage, replaces, type SharedItem, withoutSecrets } from '#core/memory/sync.ts'
import { readSharedLearning } from '#protocol/learning-json.ts'
import { noteSetAside } from '../memory/set-aside.ts'
import type { SyncNeeds, SyncRound } from '../memory/sync-team.ts'
import { SLOTS } from '../state-slots.ts'

const KIND = 'learning'
const PUSHED_AT_ONCE = 100
const PULLED_AT_ONCE = 500
/** The team has deleted it: whatever a file here holds of it is not sent again. */
const DELETED = Number.MAX_SAFE_INTEGER

/**
 * Fetches teammates' learnings and sends those made here, entry by entry: the later change wins. Sent versions are
 * noted, so a round without news reads one file and makes no request.
 */
export async function syncLearnings(round: SyncRound, head: PullMark | undefined): Promise<void> {
  if (head) {
    await pull(round, head)
    await takeMended(round)
  } else {
    // Nothing of the project is there, whatever was sent before.
    await resendLearnings(round.needs, round.sync.projectId)
  }
  if (round.sync.rights === 'write') await push(round)
}

/** Everything is sent again: after joining, or when the team's database has lost something. */
export async function resendLearnings({ states }: Pick<SyncNeeds, 'states'>, projectId: string): Promise<void> {
  await states.remove(SLOTS.teamLearnings, projectId)
}

async function pull(round: SyncRound, head: PullMark) {
  const { needs, team, sync, takenBack } = round
  const { sharing, exchange } = needs
  const { projectId } = sync
  for (let more = true; more; ) {
    const mark = await sharing.mark(KIND, projectId)
    if (mark?.epoch === head.epoch && mark.change === head.change) return
    const isShared = await exchange(projectId, async () => {
      const page = await team.pull(KIND, projectId, mark, PULLED_AT_ONCE)
      const items = page.items.filter(({ id, body }) => body !== undefined || !takenBack.has(id))
      if (page.anew) await resendLearnings(needs, projectId)
      await take(round, { ...page, items })
      await sharing.take(KIND, projectId, { ...page, items: [] })
      more = page.more
    })
    if (!isShared) return
  }
}

/** Rows set aside earlier are validated again in every round: they may have been repaired. */
async function takeMended(round: SyncRound) {
  const { needs, team, sync } = round
  const rows = (await needs.states.get(SLOTS.teamSetAside, sync.projectId))?.rows ?? []
  const known = rows.filter(({ kind }) => kind === KIND)
  if (known.length === 0) return
  await needs.exchange(sync.projectId, async () => {
    const found = await team.pick(
      KIND,
      sync.projectId,
      known.map(({ id }) => id),
    )
    const there = [...found.items, ...(found.unreadable ?? [])].map(({ id }) => id)
    await take(round, found)
    await noteSetAside(
      needs,
      sync,
      known.filter(({ id }) => !there.includes(id)),
      [],
    )
  })
}

/** Puts what is newer than ours into this home's store. */
async function take({ needs, sync }: SyncRound, { items, unreadable = [] }: Pick<PullPage, 'items' | 'unreadable'>) {
  const { projectId } = sync
  const { learnings, gone, setAside } = sorted(items)
  const ours = new Map((await needs.learnings.read(projectId)).map((one) => [one.id, one]))
  const isNews = ({ item, learning }: Arrived) => {
    const our = ours.get(item.id)
    return replaces(item, our && versionOf(our)) && (!our || textOf(our) !== textOf(learning))
  }
  const news = learnings.filter(isNews)
  const deleted = gone.filter(({ id }) => ours.has(id))
  if (news.length + deleted.length > 0) {
    await needs.learnings.merge(
      projectId,
      news.map(({ learning }) => learning),
      new Set(deleted.map(({ id }) => id)),
    )
  }
  sync.pulled += news.length + deleted.length
  const versions = [
    ...learnings.map(({ item: { id, version } }) => [id, version]),
    ...gone.map(({ id }) => [id, DELETED]),
  ]
  await noteSent(needs, projectId, Object.fromEntries(versions))
  const aside = [...unreadable, ...setAside].map((row) => ({ ...row, kind: KIND }))
  await noteSetAside(needs, sync, items, aside)
}

/** The same for the same content, whatever order its fields came in. */
function textOf(learning: Learning): string {
  return JSON.stringify(learning, Object.keys(learning).toSorted())
}

interface Arrived {
  item: SharedItem
  learning: Learning
}

/** What may be taken, without secrets, and what may not. */
function sorted(items: readonly SharedItem[]) {
  const learnings: Arrived[] = []
  const gone: SharedItem[] = []
  const setAside: SetAside[] = []
  for (const item of items) {
    const unfit = unfitItem(item)
    const clean = unfit === undefined ? withoutSecrets(item) : item
    const learning = unfit === undefined && clean.body ? readSharedLearning({ ...clean.body, id: item.id }) : undefined
    if (learning) learnings.push({ item, learning })
    else if (unfit === undefined && item.body === undefined) gone.push(item)
    else setAside.push({ id: item.id, reason: unfit ?? 'it is not a learning that this Grove understands' })
  }
  return { learnings, gone, setAside }
}

async function push({ needs, team, sync, takenBack }: SyncRound) {
  const { projectId } = sync
  const sent = (await needs.states.get(SLOTS.teamLearnings, projectId))?.sent ?? {}
  const isWanted = (learning: Learning) =>
    !takenBack.has(learning.id) && versionOf(learning) > (sent[learning.id] ?? -1)
  const unsent = (await needs.learnings.read(projectId)).filter(isWanted)
  if (unsent.length === 0) return
  const takenOut = await needs.learnings.takenOut(
    projectId,
    unsent.map(({ id }) => id),
  )
  const waiting = unsent.filter(({ id }) => !takenOut.has(id))
  for (let at = 0; at < waiting.length; at += PUSHED_AT_ONCE) {
    const items = waiting.slice(at, at + PUSHED_AT_ONCE).map((learning) => withoutSecrets(toItem(projectId, learning)))
    const isShared = await needs.exchange(projectId, () => team.push(projectId, items))
    if (!isShared) return
    await noteSent(needs, projectId, Object.fromEntries(items.map(({ id, version }) => [id, version])))
    sync.pushed += items.length
  }
}

/** `user` is the name that the team's database knows an author by. */
function toItem(projectId: string, learning: Learning): SharedItem {
  const { id, author, ...body } = learning
  const by = author !== undefined && { by: author }
  return {
    kind: KIND,
    id,
    projectId,
    version: versionOf(learning),
    ...by,
    body: { ...body, ...(author && { user: author }) },
  }
}

async function noteSent({ states, clock }: SyncNeeds, projectId: string, versions: Record<string, number>) {
  if (Object.keys(versions).length === 0) return
  await states.update(SLOTS.teamLearnings, projectId, clock.now(), (before) => ({
    sent: { ...before?.sent, ...versions },
  }))
}
