/**
 * What keeps a feature session from going on until a person chooses. Every hold has a way out, and each of its choices is
 * a word that the API, the page and the command line share.
 */
export interface Hold {
  kind: HoldKind
  /** What has happened, in a sentence or two. */
  message: string
  /** The words of the program or the agent, where a person needs them. */
  detail: string | null
  since: string
  /** When Grove goes on by itself, for what passes with time. */
  until: string | null
}

export const HOLD_KINDS = [
  'hourly_limit',
  'usage_limit',
  'budget',
  'breaker_half_open',
  'breaker_open',
  'checks_failed',
  'timed_out',
  'agent_failed',
  'unparsed',
  'setup_failed',
  'branch_exists',
  'repository_failed',
  'rebase_conflict',
  'push_consent',
  'gh_login',
  'pr_failed',
  'interrupted',
  'expired',
] as const
export type HoldKind = (typeof HOLD_KINDS)[number]

export const HOLD_CHOICES = [
  'retry',
  'wait',
  'override',
  'guide',
  'continue',
  'reset',
  'resume',
  'resume_with_context',
  'fresh_with_changes',
  'stash_and_start',
  'look_only',
  'push',
  'keep_local',
  'local_review',
  'merge_base',
  'skip_rebase',
  'use_branch',
  'rename_branch',
  'rollback',
  'pause',
  'close',
] as const
export type HoldChoice = (typeof HOLD_CHOICES)[number]

interface Offer {
  choice: HoldChoice
  label: string
  recommended?: true
  /** The person has to say something too. */
  needsText?: true
}

const PAUSE: Offer = { choice: 'pause', label: 'Pause the session; nothing is lost' }
const ROLLBACK: Offer = { choice: 'rollback', label: 'Roll back to the base commit; everything is saved first' }
const RETRY: Offer = { choice: 'retry', label: 'Try again', recommended: true }
const LOCAL: Offer = { choice: 'local_review', label: 'Continue without a pull request, with a local review' }

/** What a person may choose, the best first. */
export const OFFERS: Record<HoldKind, readonly Offer[]> = {
  hourly_limit: [
    { choice: 'wait', label: 'Wait for the next hour', recommended: true },
    { choice: 'override', label: 'Continue past the limit for this session' },
    PAUSE,
  ],
  usage_limit: [
    { choice: 'wait', label: 'Wait and try again', recommended: true },
    PAUSE,
    { choice: 'close', label: 'Close the session; the changes stay' },
  ],
  budget: [{ choice: 'continue', label: 'Continue over the budget', recommended: true }, PAUSE],
  breaker_half_open: [
    { choice: 'guide', label: 'Continue with guidance', recommended: true, needsText: true },
    { choice: 'continue', label: 'Continue as before' },
    PAUSE,
    ROLLBACK,
  ],
  breaker_open: [
    { choice: 'reset', label: 'Let Claude try again', recommended: true },
    { choice: 'guide', label: 'Let Claude try again with guidance', needsText: true },
    PAUSE,
    ROLLBACK,
  ],
  checks_failed: [
    { choice: 'guide', label: 'Tell Claude how to fix it', recommended: true, needsText: true },
    { choice: 'continue', label: 'Continue as it is; the failure is recorded' },
    ROLLBACK,
    PAUSE,
  ],
  timed_out: [RETRY, { choice: 'guide', label: 'Try again with guidance', needsText: true }, PAUSE],
  agent_failed: [RETRY, PAUSE, ROLLBACK],
  unparsed: [
    { choice: 'guide', label: 'Answer Claude in your own words', recommended: true, needsText: true },
    { choice: 'retry', label: 'Ask again for a report in the right form' },
    PAUSE,
  ],
  setup_failed: [RETRY, { choice: 'continue', label: 'Continue without the setup' }, PAUSE],
  branch_exists: [
    { choice: 'rename_branch', label: 'Work on a branch with another name', recommended: true, needsText: true },
    { choice: 'use_branch', label: 'Continue from the existing branch; its commits stay' },
    { choice: 'retry', label: 'The branch is gone now; try again' },
    PAUSE,
  ],
  repository_failed: [RETRY, PAUSE],
  rebase_conflict: [
    { choice: 'retry', label: 'The conflict is resolved; try again', recommended: true },
    { choice: 'merge_base', label: 'Merge the base branch instead' },
    { choice: 'skip_rebase', label: 'Continue without the latest base' },
    PAUSE,
  ],
  push_consent: [
    { choice: 'push', label: 'Push the branch', recommended: true },
    { choice: 'local_review', label: 'Keep it on this machine, with a local review' },
    PAUSE,
  ],
  gh_login: [{ choice: 'retry', label: 'I have run gh auth login; try again', recommended: true }, LOCAL, PAUSE],
  pr_failed: [RETRY, LOCAL, PAUSE],
  interrupted: [
    { choice: 'resume', label: 'Continue where it stopped', recommended: true },
    ROLLBACK,
    { choice: 'pause', label: 'Leave it paused' },
  ],
  expired: [
    { choice: 'fresh_with_changes', label: 'Start a fresh session that knows the changes', recommended: true },
    { choice: 'resume_with_context', label: 'Continue the old conversation' },
    { choice: 'stash_and_start', label: 'Stash the changes and start clean' },
    { choice: 'look_only', label: 'Only look; leave it expired' },
  ],
}

/** Whether the choice is on offer, and complete. */
export function takesChoice(hold: Hold, choice: HoldChoice, text: string): 'yes' | 'not_offered' | 'text_missing' {
  const offer = OFFERS[hold.kind].find((one) => one.choice === choice)
  if (!offer) return 'not_offered'
  return offer.needsText && text.trim() === '' ? 'text_missing' : 'yes'
}
