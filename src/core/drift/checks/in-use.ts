import { commandFinder } from '../../action/command-patterns.ts'
import { type Invocation, wordsOf } from '../../action/invocations.ts'

/** What people work with every day: to ask that something be cleaned up does not speak of it, unless it is named. */
export const IN_USE = /(?<![a-z])(?:prod|production|live)(?![a-z])/i

/** Whether a command line works on that: what it only looks for, prints or says of its work does not count. */
export function worksInUse(line: readonly Invocation[]): boolean {
  return line.some((one) => IN_USE.test(wordsOf(one)) && !LOOKS_OR_SAYS(one))
}

const LOOKS_OR_SAYS = commandFinder([
  'echo|printf|cat|tee|head|tail|less|more|man|grep|egrep|fgrep|zgrep|rg|ag|ack|sed|awk|gawk|find|fd|jq|yq|diff|sort|wc|ls|tree|stat|which',
  'git log|grep|show|diff|blame|commit|status|ls-files',
  'gh|glab pr|mr|issue create|comment|edit|view|list|note',
])
