import { z } from 'zod'
import { isoTime } from './fields.ts'

/** One line of what Claude did and said, without secrets. output.jsonl holds one a line. */
export const OutputLine = z
  .object({
    number: z.int(),
    at: isoTime,
    spawnId: z.string(),
    kind: z.enum(['text', 'tool', 'result', 'note', 'prompt', 'check']),
    text: z.string(),
    tool: z.string().exactOptional(),
    outcome: z.enum(['ok', 'error', 'denied']).exactOptional(),
    subagent: z.string().exactOptional(),
  })
  .meta({ id: 'OutputLine', description: 'One line of what Claude did and said, or what Grove did.' })
export type OutputLine = z.infer<typeof OutputLine>
