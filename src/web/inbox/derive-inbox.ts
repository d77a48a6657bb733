import type { Waiting } from '#protocol/api/sessions.ts'
import { askedFor } from '#protocol/asked-for.ts'
import type { Answer } from '../api/client.ts'
import { featurePath, HOLD_WORDS, toneOf } from '../features/derive-features.ts'
import { capital, splitPath } from '../ui/format.ts'
import { groupBy } from '../ui/group.ts'

type Approval = Answer<'approvals', 'list'>['approvals'][number]
type Finding = Answer<'canary', 'list'>['findings'][number]

/** One thing that waits for a person. */
export interface InboxItem {
  id: string
  kind: string
  /** What sort of it, beside the kind. */
  about?: string
  tone: 'wait' | 'wrong' | 'rest'
  title: string
  /** The title is a command or a path. */
  isCode?: true
  why?: string
  /** The project, or the feature unless the title names it. */
  where?: string
  href?: string
  at: number
  /** Work stands still until it is answered. */
  stopsWork: boolean
  source:
    | { type: 'approval'; approval: Approval }
    | { type: 'finding'; finding: Finding }
    | { type: 'feature'; waiting: Waiting }
}

interface Sources {
  approvals: Approval[]
  findings: Finding[]
  waiting: Waiting[]
}

/** Everything that waits, by how it presses, and the oldest first: of what gives up, it does so soonest. */
export function inboxItems({ approvals, findings, waiting }: Sources): InboxItem[] {
  const items = [
    ...waiting.map(featureItem),
    ...approvals.filter(({ status }) => status === 'pending').map(approvalItem),
    ...groupFindings(findings).map(findingItem),
  ]
  return items.sort((a, b) => pressing(a) - pressing(b) || a.at - b.at)
}

/** An agent's call that is held open gives up after a while; a feature waits as long as it must; some stops pass; a warning stops nothing. */
function pressing({ source, stopsWork }: InboxItem): number {
  if (source.type === 'approval') return 0
  if (!stopsWork) return 3
  return source.type === 'feature' && source.waiting.until !== null ? 2 : 1
}

function approvalItem(approval: Approval): InboxItem {
  const { id, kind, what, reason, intentId, root, askedAt, sessionId, scope } = approval
  const [, project] = splitPath(root)
  const about = {
    action: `${askedFor(intentId)} needs your approval`,
    scope: `the agent asks for more room in ${intentId}`,
    prompt: 'Claude Code asks in its terminal too',
  }[kind]
  return {
    id: `approval-${id}`,
    kind: kind === 'prompt' ? 'Permission request' : 'Guard approval',
    about,
    tone: 'wait',
    title: kind === 'scope' && scope ? `Let ${intentId} also own ${scope.join(', ')}` : what,
    isCode: true,
    ...(reason !== undefined && { why: `The agent says: “${reason}”` }),
    where: project,
    href: `/agents/${sessionId}`,
    at: askedAt,
    stopsWork: true,
    source: { type: 'approval', approval },
  }
}

/** A longer command is cut in a name, and read below it. */
export const SHORT_COMMAND = 120

/** What a request shows beside its name: without the command, where that is all of the name and reads there as it is. */
export function detailBeside({ what, detail }: Pick<Approval, 'what' | 'detail'>): string {
  const told = /^\$ ([^\n]*)(?:\n\n(.*))?$/s.exec(detail ?? '')
  if (!told || told[1]!.length > SHORT_COMMAND || what.replace(/^\w+: /, '') !== told[1]) return detail ?? ''
  return told[2] ?? ''
}

const KINDS: Record<Waiting['kind'], [kind: string, about?: string]> = {
  questions: ['Questions', 'a feature waits for answers'],
  plan_approval: ['Plan approval', 'no code is written before it'],
  plan_review: ['Review asked of you', 'what you say is kept under your name'],
  final_approval: ['Final approval', 'the feature is complete with it'],
  hold: ['Stopped'],
}

const QUESTIONS: Record<NonNullable<Waiting['about']>, [kind: string, about: string]> = {
  blocker: ['Blocker', 'a step stands still until it is decided'],
  pull_request: ['Pull request', 'its review or its checks need a decision'],
}

function featureItem(waiting: Waiting): InboxItem {
  const [kind, about] = waiting.about ? QUESTIONS[waiting.about] : KINDS[waiting.kind]
  return {
    id: `feature-${waiting.projectId}-${waiting.featureId}-${waiting.kind}`,
    kind: waiting.hold ? HOLD_WORDS[waiting.hold] : kind === 'Questions' && waiting.count === 1 ? 'Question' : kind,
    ...(about !== undefined && { about }),
    tone: toneOf(waiting),
    title: waiting.count > 1 ? `${waiting.count} questions about ${waiting.sessionTitle}` : waiting.title,
    ...(waiting.detail && { why: waiting.detail }),
    ...(waiting.count <= 1 && { where: waiting.sessionTitle }),
    href: featurePath(waiting),
    at: Date.parse(waiting.since),
    stopsWork: true,
    source: { type: 'feature', waiting },
  }
}

/** Stops after which there is nothing to weigh: it goes on, or tries once more, on this machine. */
const QUICK: ReadonlySet<Waiting['hold']> = new Set([
  'timed_out',
  'agent_failed',
  'setup_failed',
  'repository_failed',
  'interrupted',
  'hourly_limit',
  'usage_limit',
])

/** What most people would choose, where one can choose it from the list without having read more. */
export function likelyChoice({ hold, choices }: Waiting): Waiting['choices'][number] | undefined {
  if (!QUICK.has(hold)) return undefined
  return choices.find(({ recommended, needsText }) => recommended && !needsText)
}

/** One line for each client version and kind: the same trouble in ten fields is one trouble. */
function groupFindings(findings: Finding[]): Finding[] {
  return [...groupBy(findings, ({ version, kind }) => `${version} ${kind}`).values()].map(([first]) => first!)
}

function findingItem(finding: Finding): InboxItem {
  const { kind, version, noticed, affected, fallback, at, subject } = finding
  return {
    id: `finding-${version}-${kind}-${subject ?? ''}`,
    kind: 'Not understood',
    about: version === 'unknown' ? 'Claude Code of an unknown version' : `Claude Code ${version}`,
    tone: 'rest',
    title: capital(noticed),
    why: `${capital(affected)}. Meanwhile: ${fallback}.`,
    href: '/settings/doctor',
    at,
    stopsWork: false,
    source: { type: 'finding', finding },
  }
}

/** By id: until when an item is out of sight. Only in this browser. */
export type Snoozed = Record<string, number>

export function splitSnoozed(
  items: InboxItem[],
  snoozed: Snoozed,
  now: number,
): { open: InboxItem[]; resting: InboxItem[] } {
  const rests = ({ id }: InboxItem) => (snoozed[id] ?? 0) > now
  return { open: items.filter((item) => !rests(item)), resting: items.filter(rests) }
}
