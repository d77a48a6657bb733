import type { Question } from '#protocol/workflow/questions.ts'

/** Who reported: a tool call, a tool of the client's own, a marker in the text, or the judge that read it. */
export type ReportedBy = Exclude<Question['askedBy'], 'todo'>

/** The answer to a report: what Claude reads, and whether it has to correct something. */
export interface Taken {
  text: string
  isError?: boolean
}

export const RECORDED = 'Recorded. End your turn now; Grove goes on from here.'
export const NOT_NOW = 'This report does not belong to what you were asked to do now.'
