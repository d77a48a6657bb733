import { SessionForm } from '#protocol/api/session-form.ts'
import type { SessionSummary } from '#protocol/api/sessions.ts'
import type { Answer, Input, RouteOf } from '../api/client.ts'

/** The form as it is typed; kept in the browser until it is sent. */
export interface FormDraft {
  title: string
  projectPath: string
  description: string
  criteria: { text: string; checked: boolean; type: 'automated' | 'manual' | 'review'; isOwn?: true }[]
  /** One that is being written and was not added yet. */
  criterion: string
  affectedFiles: string
  technicalNotes: string
  mode: 'worktree' | 'in_place'
  baseBranch: string
  branch: string
  autoPush: boolean
  localReview: boolean
  recommendedReviews: string
  /** Fields that the person has been in: only these are told off while typing. */
  touched: string[]
}

export type Template = Answer<'sessions', 'template'>
export type PathState = Answer<'sessions', 'validatePath'>
type Wire = Input<RouteOf<'sessions', 'create'>>['body']

function emptyDraft(template: Template): FormDraft {
  return {
    title: '',
    projectPath: '',
    description: '',
    criteria: template.criteria,
    criterion: '',
    affectedFiles: '',
    technicalNotes: '',
    mode: template.mode,
    baseBranch: '',
    branch: '',
    autoPush: template.settings.autoPush,
    localReview: false,
    recommendedReviews: String(template.settings.recommendedReviews),
    touched: [],
  }
}

/** A draft as it was kept, maybe by an older page: a field of another shape begins anew. */
export function draftFrom(kept: Partial<FormDraft>, template: Template): FormDraft {
  const empty = emptyDraft(template)
  const isLike = (value: unknown, like: unknown) =>
    typeof value === typeof like && Array.isArray(value) === Array.isArray(like)
  const fits = Object.entries(kept).filter(([name, value]) => isLike(value, empty[name as keyof FormDraft]))
  return { ...empty, ...Object.fromEntries(fits) }
}

/** All criteria, also one that was written into the field and not added yet. */
export function criteriaOf({ criteria, criterion }: Pick<FormDraft, 'criteria' | 'criterion'>): FormDraft['criteria'] {
  const text = criterion.trim()
  return text === '' ? criteria : [...criteria, { text, checked: true, type: 'review', isOwn: true }]
}

/** What is sent: only what counts, and only options that differ from the template. */
export function formOf(draft: FormDraft, template: Template): Wire {
  const reviews = Number(draft.recommendedReviews)
  return {
    title: draft.title,
    projectPath: draft.projectPath.trim(),
    description: draft.description,
    acceptanceCriteria: criteriaOf(draft).map(({ text, checked, type }) => ({ text, checked, type })),
    affectedFiles: draft.affectedFiles
      .split(/[\n,]/)
      .map((file) => file.trim())
      .filter(Boolean),
    technicalNotes: draft.technicalNotes,
    options: {
      mode: draft.mode,
      ...(draft.baseBranch.trim() && { baseBranch: draft.baseBranch.trim() }),
      ...(draft.branch.trim() && { branch: draft.branch.trim() }),
      ...(draft.autoPush !== template.settings.autoPush && { autoPush: draft.autoPush }),
      ...(draft.localReview && { localReview: true }),
      ...(reviews !== template.settings.recommendedReviews && { recommendedReviews: reviews }),
    },
  }
}

export type Field =
  | 'title'
  | 'projectPath'
  | 'description'
  | 'acceptanceCriteria'
  | 'affectedFiles'
  | 'technicalNotes'
  | 'recommendedReviews'
  | 'branch'
  | 'baseBranch'

export const FIELD_NAMES: Record<Field, string> = {
  title: 'Title',
  projectPath: 'Project folder',
  description: 'Description',
  acceptanceCriteria: 'Acceptance criteria',
  affectedFiles: 'Affected files',
  technicalNotes: 'Technical notes',
  baseBranch: 'Base branch',
  branch: 'Branch',
  recommendedReviews: 'Recommended reviews',
}

/** The fields with a problem, from the top of the page down. */
export function wrongFields(problems: Partial<Record<Field, string>>): Field[] {
  return (Object.keys(FIELD_NAMES) as Field[]).filter((field) => problems[field] !== undefined)
}

/** What is wrong with each field, by the same schema as the server's. The first problem of a field is enough. */
export function problemsOf(form: Wire, path: PathState | undefined): Partial<Record<Field, string>> {
  const problems: Partial<Record<Field, string>> = {}
  const read = SessionForm.safeParse(form)
  for (const { path: place, message } of read.success ? [] : read.error.issues) {
    const field = (place[0] === 'options' ? place[1] : place[0]) as Field
    problems[field] ??= `${message}.`.replace('..', '.')
  }
  if (path && !path.ok && !problems.projectPath && path.path === form.projectPath)
    problems.projectPath = `${path.message}. ${path.remedy}`.replace('..', '.')
  if (!form.acceptanceCriteria.some(({ checked }) => checked))
    problems.acceptanceCriteria ??= 'At least one criterion must count.'
  return problems
}

/** The branch that the session would get, as the server's pattern has it. */
export function branchPreview(pattern: string, title: string, now: number): string {
  const slug = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 60)
  return pattern
    .replaceAll('{slug}', slug || '…')
    .replaceAll('{date}', new Date(now).toISOString().slice(0, 10))
    .replaceAll('{session-id}', '…')
}

export const TYPE_WORDS = {
  automated: 'Grove checks, blocks the PR',
  manual: 'You check in the PR',
  review: 'Claude reviews',
}

type Other = Pick<SessionSummary, 'status' | 'costUsd' | 'updatedAt' | 'projectPath' | 'archived' | 'deleted'>

/** What the last complete features have cost; undefined while they are too few to say anything. */
export function usualCost(features: Other[]): { of: number; from: number; to: number } | undefined {
  const costs = features
    .filter(({ status, costUsd }) => status === 'completed' && costUsd > 0)
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, 5)
    .map(({ costUsd }) => costUsd)
  return costs.length < 3 ? undefined : { of: costs.length, from: Math.min(...costs), to: Math.max(...costs) }
}

/** How many features are under way in this folder. */
export function openIn(features: Other[], folder: string): number {
  return features.filter(
    ({ projectPath, status, archived, deleted }) =>
      projectPath === folder && status !== 'completed' && status !== 'rolled_back' && !archived && !deleted,
  ).length
}

/** The known folder that a mistyped one is nearest to: one of the same name, or with a letter or two more or less. */
export function nearFolder(typed: string, known: readonly string[]): string | undefined {
  const wanted = typed.trim().replace(/(?<!\/)\/+$/, '')
  if (wanted.length < 3) return undefined
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const isNear = (folder: string) =>
    nameOf(folder) === nameOf(wanted) ||
    ((folder.startsWith(wanted) || wanted.startsWith(folder)) && Math.abs(folder.length - wanted.length) <= 3)
  return known.find((folder) => folder !== wanted && isNear(folder))
}
