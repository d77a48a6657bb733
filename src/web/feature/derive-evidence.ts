import type { CriterionEvidence } from '#protocol/workflow/checks.ts'

/** `2 of 8 proven, 1 fails, 4 are for you to check, 1 has no command in this project.` */
export function evidenceWords(criteria: Pick<CriterionEvidence, 'state'>[]): string {
  const of = (...states: CriterionEvidence['state'][]) => criteria.filter(({ state }) => states.includes(state)).length
  const said = (number: number, one: string, many: string) =>
    number === 0 ? [] : [`${number} ${number === 1 ? one : many}`]
  return `${[
    `${of('passed')} of ${criteria.length} proven`,
    ...said(of('failed', 'accepted'), 'fails', 'fail'),
    ...said(of('for_people'), 'is for you to check', 'are for you to check'),
    ...said(of('no_command'), 'has no command in this project', 'have no command in this project'),
  ].join(', ')}.`
}
