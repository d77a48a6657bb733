import { z } from 'zod'
import { TODO_CATEGORIES } from '#core/workflow/todo.ts'
import { fileVersion, isoTime, sessionId } from './fields.ts'

export const TodoItem = z
  .object({
    id: z.string(),
    type: z.enum(['todo', 'fixme', 'dependency']),
    filePath: z.string(),
    lineNumber: z.int(),
    rawBlock: z.string(),
    description: z.string(),
    impact: z.string(),
    category: z.enum(TODO_CATEGORIES),
    priority: z.enum(['high', 'medium', 'low']),
    options: z.array(z.object({ label: z.string(), recommended: z.boolean() })),
    source: z.enum(['initial_scan', 'implementation']),
    status: z
      .enum(['pending', 'decided', 'dismissed', 'noted'])
      .describe(
        '`noted`: it blocks nothing; one that was there before is `pending` only in a file that the form names',
      ),
    selectedOption: z.string().nullable(),
    stepId: z.string().nullable(),
    spawnNumber: z.int(),
    createdAt: isoTime,
    resolvedAt: isoTime.nullable(),
  })
  .meta({ id: 'TodoItem', description: 'A comment in the code that asks for a decision.' })
export type TodoItem = z.infer<typeof TodoItem>

/** todos.json */
export const TodosFile = z.object({ version: fileVersion, sessionId, items: z.array(TodoItem) })
export type TodosFile = z.infer<typeof TodosFile>
