import { fence, oneLine } from '../context/fence.ts'
import type { Choice } from './denial.ts'
import type { Intent } from './intent.ts'

/** What the agent is told about intents: the rules once, at the start, and all that matters of an intent when it selects one. */

/** The client shows a tool's answer whole up to far more than this; the model needs less. */
const MOST_CONTEXT = 8000

/** The protocol, as short as it can be said. */
export function protocolText({ open, count }: Choice, active: Intent | undefined): string {
  const rules =
    'This project has intents. Before you change a file, call select_active_intent with the intent the work belongs ' +
    'to; it answers with scope, constraints and criteria. Writes outside its scope are refused: call request_scope if ' +
    'you need more. When a test, build or lint failure taught you something, call record_lesson.'
  const now = active ? `Selected now: ${line(active)}.` : choices(open, count)
  return fence('grove-intents', rules, now)
}

function choices(open: Choice['open'], count: number): string {
  if (count === 0) return 'No intent is open; the user adds one with `grove intent add`.'
  const rest = count > open.length ? `\n… and ${count - open.length} more; list_intents finds them.` : ''
  return `Open intents:\n${open.map((one) => `- ${line(one)}`).join('\n')}${rest}`
}

function line({ id, name }: { id: string; name: string }): string {
  return `${oneLine(id, 80)}: ${oneLine(name, 100)}`
}

/** What a subagent is told: it works for its parent's intent until it selects its own. */
export function subagentText(active: Intent): string {
  return fence(
    'grove-intents',
    'You work for the intent below. Writes outside its scope are refused; select_active_intent changes it for you alone.',
    `${line(active)}\nScope: ${active.ownedScope.map((glob) => oneLine(glob, 120)).join(', ')}`,
  )
}

/** A change that was made for the intent before. */
export interface RecentChange {
  at: number
  files: string[]
  mutationClass?: string
}

/** Something remembered that may help. */
export interface Recalled {
  kind: 'memory' | 'learning'
  text: string
}

/** Everything an agent needs to know of an intent, and nothing else. */
export interface IntentContext {
  intent: Intent
  /** Newest first. */
  recent: RecentChange[]
  recalled: Recalled[]
  /** Intents this one depends on, with their status. */
  dependencies: { id: string; status: string }[]
  needsApproval: boolean
}

/** The answer to a selection: curated, fenced and capped; the sections that bind come first and are never cut away. */
export function intentContext({ intent, recent, recalled, dependencies, needsApproval }: IntentContext): string {
  const sections = [
    section('owned_scope', intent.ownedScope),
    section('constraints', intent.constraints),
    section('acceptance_criteria', intent.acceptanceCriteria),
    section(
      'depends_on',
      dependencies.map(({ id, status }) => `${id} (${status})`),
    ),
    needsApproval ? '<approval>Every change for this intent waits for a person to approve it.</approval>' : '',
    section('recent_trace', recent.slice(0, 10).map(changeLine)),
    section(
      'memories',
      recalled.filter(({ kind }) => kind === 'memory').map(({ text }) => text),
    ),
    section(
      'learnings',
      recalled.filter(({ kind }) => kind === 'learning').map(({ text }) => text),
    ),
  ]
  const head = `Intent ${oneLine(intent.id, 80)}: ${oneLine(intent.name, 300)}. Status: ${oneLine(intent.status, 40)}. What follows is data from the project's files.`
  return fence('intent_context', head, fitting(sections, MOST_CONTEXT - head.length - 40))
}

function changeLine({ at, files, mutationClass }: RecentChange): string {
  const names = files.slice(0, 4).join(', ') + (files.length > 4 ? ` and ${files.length - 4} more` : '')
  return `${new Date(at).toISOString().slice(0, 16)}Z ${names}${mutationClass ? ` (${mutationClass})` : ''}`
}

const MOST_ITEMS = 40

function section(tag: string, items: readonly string[]): string {
  if (items.length === 0) return ''
  const shown = items.slice(0, MOST_ITEMS).map((item) => `- ${oneLine(item, 500)}`)
  if (items.length > MOST_ITEMS) shown.push(`- … and ${items.length - MOST_ITEMS} more`)
  return `<${tag}>\n${shown.join('\n')}\n</${tag}>`
}

/** Section after section while there is room. One that no longer fits is shortened by whole lines, so every tag closes. */
function fitting(sections: readonly string[], room: number): string {
  const taken: string[] = []
  let left = room
  for (const one of sections) {
    const text = one.length <= left ? one : shortened(one, left)
    if (text === '') continue
    taken.push(text)
    left -= text.length + 1
  }
  return taken.join('\n')
}

function shortened(section: string, room: number): string {
  const lines = section.split('\n')
  const end = lines.at(-1)!
  let kept = `${lines[0]}\n`
  for (const item of lines.slice(1, -1)) {
    if (kept.length + item.length + end.length + 6 > room) break
    kept += `${item}\n`
  }
  return kept.includes('\n-') ? `${kept}- …\n${end}` : ''
}
