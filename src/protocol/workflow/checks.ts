import { z } from 'zod'
import { CriterionType, fileVersion, isoTime, sessionId } from './fields.ts'

export const CheckRun = z
  .object({
    id: z.string(),
    kind: z.enum(['test', 'build', 'lint', 'types']),
    command: z.array(z.string()),
    result: z.enum(['passed', 'failed', 'timed-out', 'could-not-start', 'cancelled']),
    exitCode: z.int().nullable(),
    output: z.string(),
    durationMs: z.number(),
    ranAt: isoTime,
    attempt: z.int().describe('0 is the first run; each automatic fix adds one'),
  })
  .meta({ id: 'CheckRun', description: "A project's own command, run by Grove." })
export type CheckRun = z.infer<typeof CheckRun>

/** checks.json: the evidence. */
export const ChecksFile = z.object({ version: fileVersion, sessionId, runs: z.array(CheckRun) })
export type ChecksFile = z.infer<typeof ChecksFile>

export const CriterionEvidence = z
  .object({
    text: z.string(),
    type: CriterionType,
    state: z
      .enum(['open', 'passed', 'failed', 'accepted', 'no_command', 'for_people'])
      .describe('`accepted`: it failed and a person went on; `no_command`: the project has none for it'),
    evidence: z.string().describe('What it rests on, in a sentence'),
    runId: z.string().nullable(),
    steps: z.array(z.string()).describe('Steps of the plan that serve it'),
  })
  .meta({ id: 'CriterionEvidence', description: 'An acceptance criterion and what speaks for it.' })
export type CriterionEvidence = z.infer<typeof CriterionEvidence>
