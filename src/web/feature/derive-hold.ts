import type { HoldKind } from '#core/workflow/hold.ts'
import { percent } from '../ui/format.ts'

interface Words {
  title: string
  about?: string
  /** The title says all that the message of the server says. */
  saysAll?: true
  /** What the detail holds, unless it is what a program or Claude has said. */
  detail?: string
}

const KEPT = 'Changes and the conversation are kept.'

const WORDS: Record<HoldKind, Words> = {
  hourly_limit: {
    title: 'The hourly limit is reached',
    about:
      'Grove starts Claude only so often in an hour, so that a loop cannot run up costs. Going over it costs money.',
  },
  usage_limit: { title: 'Your plan’s usage limit has been reached', about: KEPT, saysAll: true },
  budget: { title: 'The token budget of this session is used up' },
  breaker_half_open: {
    title: 'Claude may be stuck',
    about: 'The last turns brought little. A word from you often helps.',
  },
  breaker_open: {
    title: 'Claude is stuck',
    about: 'The same thing went wrong again and again, so Grove has stopped. Nothing goes on by itself.',
  },
  checks_failed: {
    title: 'The checks still fail',
    about: 'The pull request is made only when they pass, or when you say so.',
  },
  timed_out: { title: 'A turn took too long', about: KEPT },
  agent_failed: { title: 'Claude ended with an error', about: KEPT },
  unparsed: {
    title: 'Claude’s answer could not be read',
    about: 'It said something that is neither a question nor a plan nor a report.',
  },
  setup_failed: { title: 'The project could not be set up' },
  branch_exists: {
    title: 'The branch exists already',
    about: 'It appeared after the form was sent, or somebody else made it. Nothing of it was touched.',
  },
  repository_failed: { title: 'Git could not do it' },
  rebase_conflict: {
    title: 'The base branch has changed, and the changes conflict',
    detail: 'Files in conflict',
  },
  push_consent: {
    title: 'The branch is ready to be pushed',
    about: 'This leaves your machine: the branch goes to the remote, and a pull request is opened.',
    saysAll: true,
  },
  gh_login: {
    title: 'The GitHub CLI is not logged in',
    about: 'Log in with the command below. Grove keeps no GitHub token of its own.',
    saysAll: true,
  },
  pr_failed: { title: 'The pull request could not be made' },
  interrupted: {
    title: 'The session was interrupted',
    about: KEPT,
  },
  expired: {
    title: 'The session has expired',
    about: 'Claude may no longer remember the conversation.',
  },
}

/** What a window that gets full means; undefined while there is room. Grove warns at 80 % and shortens at 90 %. */
export function windowWords({ contextTokens, window }: { contextTokens: number; window: number }): string | undefined {
  if (window === 0 || contextTokens < window * 0.8) return undefined
  const full = `The conversation fills ${percent(contextTokens / window)} of what Claude can keep in mind.`
  return contextTokens < window * 0.9
    ? `${full} From 90 % on, Grove shortens it before the next turn; plan, decisions and open findings are told again. You need not do anything.`
    : `${full} Grove shortens it before the next turn; plan, decisions and open findings are told again. Until then answers may get worse; “Interrupt” in the menu ends this turn.`
}

const LOGIN = 'Start claude in a terminal on the machine where Grove runs, type /login, and then try again.'

/** What a hold is called, and what it means. */
export function holdWords(kind: HoldKind, message: string): Words {
  const isLogin = kind === 'agent_failed' && message.includes('not logged in')
  return isLogin ? { ...WORDS[kind], about: `${LOGIN} ${KEPT}` } : WORDS[kind]
}
