import { type Refusal, refusal } from '#core/refusal.ts'
import type { Refused as FlowRefused } from '#core/workflow/decide.ts'

export type CommandRefusal = Refusal<
  FlowRefused | 'question_not_found' | 'answer_not_offered' | 'bad_branch' | 'branch_exists' | 'repository_trouble'
>

const WORDS: Record<FlowRefused, [string, string]> = {
  not_possible_now: [
    'This is not possible in the state the session is in.',
    'Look at the session again; it lists what can be done now.',
  ],
  plan_not_found: ['There is no plan yet.', 'Wait until Claude has handed one in.'],
  plan_changed: ['The plan has changed since you read it.', 'Read the newest version, then decide.'],
  signoff_required: [
    'Fewer reviews than recommended.',
    'Accept the risk with the sign-off, or let the reviews continue.',
  ],
  choice_not_offered: ['This choice is not offered here, or it needs a text.', 'Choose one of the offered ones.'],
}

export function refused(code: FlowRefused): CommandRefusal {
  const [message, suggestion] = WORDS[code]
  return refusal(code, message, suggestion)
}
