/** Why the write gate has rejected a candidate, for people: agents are told the names and forms of fields instead. */

/** What a candidate was said to be worth keeping for. */
const WORTH: Record<string, string> = {
  behavior_changing: 'it changes how agents should work',
  decision_rationale: 'it gives the reason for a decision',
  stable_fact: 'it is a fact that stays true',
  explicit_request: 'a person asked for it to be kept',
}

/** Why a learning is worth keeping; criteria of a later Grove by their own names. */
export function worthWords(criterion: string): string {
  return WORTH[criterion] ?? criterion.replaceAll('_', ' ')
}

const FORMS: [RegExp, (found: string[]) => string][] = [
  [/^a candidate must be/, () => 'it could not be read'],
  [/^category must be one of [^"]*, found (".+")$/, ([name]) => `there is no category ${name}`],
  [/^category must be one of/, () => 'it has no category'],
  [/^(summary|detail) must have .*, it has 0$/, ([field]) => `it has no ${field}`],
  [
    /^(summary|detail) must have (\d+) to (\d+) characters, it has (\d+)$/,
    ([field, least, most, length]) =>
      Number(length) > Number(most)
        ? `its ${field} is too long: ${length} characters, at most ${most}`
        : `its ${field} is too short: ${length} ${length === '1' ? 'character' : 'characters'}, at least ${least}`,
  ],
  // What stands in brackets behind it says how to hand it in again.
  [
    /^already known as ([^\s:]+): (.*) \(if yours corrects it[^()]*\)$/s,
    ([id, summary]) => `${id} says the same: ${summary}`,
  ],
  [
    /^it contradicts ([^\s:]+): (.*) \(if yours is right[^()]*\)$/s,
    ([id, summary]) => `${id} says the opposite: ${summary}`,
  ],
  [/^detail must say more/, () => 'its detail repeats the summary'],
  [/^tags must be a list of .*, it has 0$/, () => 'it has no tags'],
  [
    /^tags must be a list of \d+ to (\d+) words, it has (\d+)$/,
    ([most, count]) => `it has ${count} tags, at most ${most}`,
  ],
  [/^criteria_met must name/, () => 'it does not say why it is worth keeping'],
  [
    /^(\w+) is not borne out: (.*)$/s,
    ([criterion, why]) => `nothing in it shows that ${worthWords(criterion!)}: ${why}`,
  ],
]

/** One reason, as it was told to the agent, in words that name no field; what has no such words stays as it is. */
export function rejectionWords(reason: string): string {
  for (const [form, words] of FORMS) {
    const found = form.exec(reason)
    if (found) return words(found.slice(1))
  }
  return reason
}
