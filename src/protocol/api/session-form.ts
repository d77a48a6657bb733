import { z } from 'zod'
import { WorkPlaceMode } from '../workflow/fields.ts'
import { Criterion } from '../workflow/session.ts'

/** The form of a new feature session. Page, command line and server check it with the same schema. */

const LONGEST_PATH = 4096

function words(most: number, name: string) {
  return (
    z
      .string({ error: `${name} is missing` })
      .trim()
      .min(1, { error: `${name} is missing` })
      .max(most, { error: `${name} may have at most ${most} characters` })
      .refine((text) => !text.includes('\0'), { error: `${name} contains a character that cannot be kept` })
      // Invisible characters alone are no name.
      .refine((text) => /[^\s\p{C}]/u.test(text), { error: `${name} is missing` })
  )
}

const folder = words(LONGEST_PATH, 'The project path').refine((path) => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path), {
  error: 'The project path must be absolute',
})

const affectedFile = words(LONGEST_PATH, 'A file')
  .transform((path) => path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''))
  .refine((path) => !/^(?:\/|[A-Za-z]:)/.test(path) && !path.split('/').includes('..'), {
    error: 'Affected files are given relative to the project, and inside it',
  })

const branch = words(200, 'A branch name')

/** What a person may set for one session. */
export const SessionOptions = z.strictObject({
  mode: WorkPlaceMode.exactOptional().describe(
    '`worktree` leaves your checkout alone; `in_place` works in it, one session at a time',
  ),
  baseBranch: branch.exactOptional(),
  branch: branch.exactOptional().describe('The name of the feature branch, instead of the pattern'),
  ifBranchExists: z
    .enum(['refuse', 'use', 'number'])
    .exactOptional()
    .describe('For a branch that was named: `use` goes on from it, `number` takes the first name with a number'),
  autoPush: z.boolean().exactOptional(),
  deleteBranchAfterMerge: z.boolean().exactOptional(),
  recommendedReviews: z.int().min(0).max(100).exactOptional(),
  expiryHours: z.number().positive().max(8760).exactOptional(),
  maxCallsPerHour: z.int().min(1).max(100_000).exactOptional(),
  timeoutMinutes: z.number().positive().max(1440).exactOptional(),
  tokenBudget: z.int().positive().exactOptional(),
  localReview: z.boolean().exactOptional().describe('No push and no pull request'),
  stash: z.boolean().exactOptional().describe('In place only: stash uncommitted changes first'),
})

export const SessionForm = z
  .strictObject({
    title: words(200, 'The title'),
    projectPath: folder,
    description: words(10_000, 'The description'),
    acceptanceCriteria: z
      .array(Criterion.extend({ text: words(500, 'A criterion') }))
      .min(1, { error: 'At least one acceptance criterion is needed' })
      .max(100),
    affectedFiles: z.array(affectedFile).max(200).default([]),
    technicalNotes: z
      .string()
      .trim()
      .max(5000, { error: 'The notes may have at most 5000 characters' })
      .refine((text) => !text.includes('\0'), { error: 'The notes contain a character that cannot be kept' })
      .default(''),
    options: SessionOptions.prefault({}),
    requestId: z.string().max(100).exactOptional().describe('The same id again is answered with the same session'),
  })
  .meta({ id: 'SessionForm', description: 'What a person fills in to begin a feature.' })
export type SessionForm = z.infer<typeof SessionForm>

/** Pre-checked in a new form; each can be unchecked, and own ones added. */
export const DEFAULT_CRITERIA: readonly Criterion[] = [
  { text: 'All tests pass, and new functionality has tests', checked: true, type: 'automated' },
  { text: 'No type errors', checked: true, type: 'automated' },
  { text: 'No lint errors', checked: true, type: 'automated' },
  { text: 'No errors in the browser console', checked: true, type: 'manual' },
  { text: 'Works on phone, tablet and desktop', checked: true, type: 'manual' },
  { text: 'Loading states give feedback', checked: true, type: 'manual' },
  { text: 'Errors are handled and explained', checked: true, type: 'review' },
  { text: 'Basic accessibility: keyboard, labels, contrast', checked: true, type: 'manual' },
]
