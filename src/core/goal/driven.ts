/**
 * Grove's own workflow drives Claude with long messages, which nobody has typed. Their first part says in one sentence what
 * the run is for: that is its goal, and not the headings and rules around it. Written by `workflow/prompts`, read here.
 */
export const RUN_GOAL = 'What this run is for'

const SAID = new RegExp(String.raw`^# ${RUN_GOAL}\n\n(?<goal>[^\n]{1,2000})`)

/** What a driven run is for; undefined for what people type. */
export function drivenGoal(instruction: string): string | undefined {
  return SAID.exec(instruction)?.groups?.goal?.trim()
}
