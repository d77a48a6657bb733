import { cap, neutralise } from '../context/fence.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { type Intent, type IntentBrief, isOpen } from './intent.ts'

/** Why the guard says no, and what would be right: the model reads both, and acts on the second. */
export type Denial = Refusal<
  'intent_required' | 'scope_violation' | 'user_rejected' | 'intent_not_found' | 'stale_file'
>

/** The intents an agent could choose from, and how many there are in all. */
export interface Choice {
  open: IntentBrief[]
  count: number
}

const MOST_SHOWN = 8

/** Files may be changed only for a selected intent. */
export function noIntent(tool: string, choice: Choice): Denial {
  return refusal(
    'intent_required',
    `No intent is selected, so ${tool} may not change files in this project.`,
    `Cite a valid intent first: ${wayToSelect(choice)} Without that tool, ask the user to run \`grove intent select <id>\`.`,
  )
}

/** The intent the agent works for has left the file, or was never in it. */
export function unknownIntent(id: string, choice: Choice): Denial {
  return refusal(
    'intent_not_found',
    `There is no intent ${quoted(id)} in .orchestration/active_intents.yaml.`,
    capital(wayToSelect(choice)),
  )
}

/** The path lies in a project with intents of its own, which only a person can select for a session that was started elsewhere. */
export function otherProject(root: string, sessionId: string, { open, count }: Choice, isSelected: boolean): Denial {
  const ids = open.slice(0, MOST_SHOWN).map(({ id }) => quoted(id))
  const rest = count > ids.length ? ` and ${count - ids.length} more` : ''
  return refusal(
    isSelected ? 'intent_not_found' : 'intent_required',
    `This would write into another project, ${quoted(root)}, whose own intents decide; none of them is selected.`,
    `Leave that project as it is. If the user wants the change, ask them to run \`grove intent select <id> --session ${quoted(sessionId)}\` there${count > 0 ? ` (open: ${ids.join(', ')}${rest})` : ', once they have declared an intent'}.`,
  )
}

/** The intent the agent works for is finished. */
export function closedIntent({ id, status }: Intent, choice: Choice): Denial {
  return refusal(
    'intent_required',
    `The intent ${quoted(id)} is ${quoted(status)}; no more changes can be made for it.`,
    capital(wayToSelect(choice)),
  )
}

/** The intents cannot be read, so what is allowed is unknown. */
export function unreadableIntents(problem: string): Denial {
  return refusal(
    'intent_not_found',
    `The intents cannot be read: ${cap(neutralise(problem), 300)}`,
    'Tell the user; a person corrects .orchestration/active_intents.yaml, and `grove intent check` shows what is wrong.',
  )
}

/** The write leads out of what the intent owns. */
export function outOfScope({ id, ownedScope }: Intent, paths: readonly string[]): Denial {
  const scope = listed(ownedScope, 10)
  return refusal(
    'scope_violation',
    `Outside the scope of intent ${quoted(id)}: ${listed(paths, 10)}.`,
    `The intent owns ${scope || 'nothing yet'}. Stay inside it; or select the intent that owns the path; or call ` +
      'request_scope with the path and a reason, and a person decides.',
  )
}

/** The shell reader gave up: reading a command without bound would block the event loop, and every other session with it. */
export function unreadCommand({ id }: Intent): Denial {
  return refusal(
    'scope_violation',
    `This command is too long or too intricate to be read, so Grove cannot tell whether it stays in the scope of intent ${quoted(id)}.`,
    'Split it into several plain commands, or write the files with the Write and Edit tools.',
  )
}

/** A call that was not judged to its end does not pass: what ended the check may be the call itself. */
export function checkEnded(): Denial {
  return refusal(
    'user_rejected',
    'The check before this call was ended before it could answer, so the call was not made.',
    'Make the call again. If a person has to approve it, wait for their answer.',
  )
}

/** The guard's own rules are changed by people only. */
export function guardsOwn(paths: readonly string[]): Denial {
  return refusal(
    'scope_violation',
    `Agents do not change the files that Grove's rules are kept in: ${listed(paths, 10)}.`,
    'To widen the scope call request_scope; to keep a lesson call record_lesson; for anything else ask the user.',
  )
}

/** Something that must not stay as it is. */
export function putBackFirst(paths: readonly string[], commands: readonly string[], requestId: string): Denial {
  return refusal(
    'scope_violation',
    `These files were changed without permission, and nothing else may be written until they are restored: ${listed(paths, 10)}.`,
    `Restore them first, with exactly this command: \`${commands.slice(0, 10).join(' && ')}\`. To keep the changes instead, a person runs \`grove intent approve ${requestId}\`.`,
  )
}

/** The file is not what the agent has read. */
export function staleFile(paths: readonly string[]): Denial {
  return refusal(
    'stale_file',
    `Changed by someone else since you last read it: ${listed(paths, 10)}.`,
    'Read the file again, apply your change to its current text, then write it.',
  )
}

/** Another agent is in the middle of writing it. */
export function busyFile(path: string): Denial {
  return refusal(
    'stale_file',
    `Another agent is writing ${quoted(path)} at this moment.`,
    'Wait a moment, read the file again, then write it.',
  )
}

/** Some things an agent must not do through a command line either. */
export function peopleOnly(): Denial {
  return refusal(
    'user_rejected',
    'Only people declare intents and answer requests; an agent may not do so through its shell.',
    'Call request_scope to widen the scope, or ask the user.',
  )
}

/** A person has said no. */
export function rejected(what: string, note: string | undefined): Denial {
  return refusal(
    'user_rejected',
    `A person has rejected this: ${cap(neutralise(what), 300)}.${note ? ` They say: ${cap(neutralise(note), 500)}` : ''}`,
    'Do not try it another way. Ask the user how to continue.',
  )
}

/** The request has no answer yet. */
export function unanswered(what: string, id: string, seconds: number): Denial {
  return refusal(
    'user_rejected',
    `This needs a person's approval, and nobody answered within ${seconds} s: ${cap(neutralise(what), 300)}.`,
    `The request stays in the inbox. A person answers it on Grove's page or with \`grove intent approve ${id}\`; try again after that.`,
  )
}

function wayToSelect({ open, count }: Choice): string {
  if (count === 0) return 'ask the user to declare one with `grove intent add`; there is no open intent yet.'
  const shown = open.slice(0, MOST_SHOWN).map(({ id, name }) => `${quoted(id)} (${cap(neutralise(name), 80)})`)
  const rest = count > shown.length ? ` and ${count - shown.length} more, which list_intents shows` : ''
  return `call select_active_intent(intent_id) with the intent this work belongs to, then try again. Open: ${shown.join('; ')}${rest}.`
}

/** Open ones first choice; the rest is only counted. */
export function choiceOf(intents: readonly IntentBrief[]): Choice {
  const open = intents.filter(isOpen)
  return { open: open.slice(0, MOST_SHOWN), count: open.length }
}

function listed(items: readonly string[], most: number): string {
  const shown = items.slice(0, most).map(quoted).join(', ')
  return items.length > most ? `${shown} and ${items.length - most} more` : shown
}

function quoted(text: string): string {
  return cap(neutralise(text).replace(/\s+/g, ' '), 200)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
