import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import type { FeatureStore, OpenedFeature } from '#core/ports/workflow.ts'
import { isSafeId } from '#core/workflow/naming.ts'
import { ChecksFile } from '#protocol/workflow/checks.ts'
import type { EventRecord } from '#protocol/workflow/events.ts'
import type { FeatureFiles, FeatureRecords } from '#protocol/workflow/feature-files.ts'
import { FILE_VERSION } from '#protocol/workflow/fields.ts'
import { IndexFile, ProjectsFile } from '#protocol/workflow/indexes.ts'
import { PlanFile } from '#protocol/workflow/plan.ts'
import { PrFile } from '#protocol/workflow/pr.ts'
import { QuestionsFile } from '#protocol/workflow/questions.ts'
import { ReviewsFile } from '#protocol/workflow/reviews.ts'
import { SessionFile } from '#protocol/workflow/session.ts'
import { BreakerHistoryFile, type ProgressFile, StatusFile } from '#protocol/workflow/status.ts'
import { TodosFile } from '#protocol/workflow/todos.ts'
import { writeAtomic } from './atomic.ts'
import { redactedJson } from './redacted-json.ts'
import { EventFile } from './workflow-events.ts'
import { readState, writeState } from './workflow-json.ts'
import { OutputFile } from './workflow-output.ts'

type ContentName = Exclude<keyof FeatureFiles, 'session' | 'plan'>

const CONTENT: { [Name in ContentName]: { file: string; schema: z.ZodType<FeatureFiles[Name]> } } = {
  questions: { file: 'questions.json', schema: QuestionsFile },
  todos: { file: 'todos.json', schema: TodosFile },
  reviews: { file: 'reviews.json', schema: ReviewsFile },
  pr: { file: 'pr.json', schema: PrFile },
  checks: { file: 'checks.json', schema: ChecksFile },
  status: { file: 'status.json', schema: StatusFile },
  breaker: { file: '.circuit_breaker_history', schema: BreakerHistoryFile },
}

/** Feature sessions as folders of JSON files: `<root>/<project>/<feature>/`. One process writes. */
export class WorkflowStore implements FeatureStore<FeatureRecords, EventFile> {
  constructor(readonly root: string) {}

  folder(projectId: string, featureId: string): string {
    if (!isSafeId(projectId) || !isSafeId(featureId)) throw new Error('not an id of a feature session')
    return join(this.root, projectId, featureId)
  }

  /** Every feature session there is, by its folders: an index that is lost loses nothing. */
  async list(): Promise<{ projectId: string; featureId: string }[]> {
    const projects = await foldersIn(this.root)
    const all = await Promise.all(
      projects.map(async (projectId) =>
        (await foldersIn(join(this.root, projectId))).map((featureId) => ({ projectId, featureId })),
      ),
    )
    return all.flat()
  }

  /** Makes the folder of a new session; false when it is there already. */
  async claim(projectId: string, featureId: string): Promise<boolean> {
    const folder = this.folder(projectId, featureId)
    await mkdir(join(this.root, projectId), { recursive: true })
    try {
      await mkdir(folder)
      await mkdir(join(folder, 'plan-history'))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw error
    }
  }

  /** Reads a session, repairs what is damaged, and says so. Undefined when there is none. */
  async open(
    projectId: string,
    featureId: string,
    empty: (session: SessionFile) => Omit<FeatureFiles, 'session'>,
  ): Promise<OpenedFeature<FeatureRecords, EventFile> | 'corrupted' | undefined> {
    const folder = this.folder(projectId, featureId)
    const session = await readState(join(folder, 'session.json'), SessionFile)
    if (session.from === 'nothing') return session.problem ? 'corrupted' : undefined
    const { revision } = session.value
    const anew = empty(session.value)
    const problems = session.problem ? [`${session.problem}; the copy before it was taken`] : []
    const lost: ContentName[] = []
    const plan = await this.#plan(folder, session.value, problems)
    const content = Object.fromEntries(
      await Promise.all(
        Object.entries(CONTENT).map(async ([name, { file, schema }]) => {
          const read = await readState<unknown>(join(folder, file), schema, revision)
          if (read.problem)
            problems.push(
              `${read.problem}; ${read.from === 'backup' ? 'the copy before it was taken' : 'it begins anew'}`,
            )
          if (read.from === 'nothing') lost.push(name as ContentName)
          return [name, read.from === 'nothing' ? anew[name as ContentName] : read.value]
        }),
      ),
    ) as Pick<FeatureFiles, ContentName>
    const { log, problem } = await EventFile.open(folder, session.value.id, revision)
    if (problem) problems.push(problem)
    const output = await OutputFile.open(folder)
    return { files: { session: session.value, plan, ...content }, events: log, output, problems, lost }
  }

  /** The plan as the session names it: a damaged one comes back from its history. */
  async #plan(folder: string, session: SessionFile, problems: string[]): Promise<PlanFile | null> {
    const { currentPlanVersion: version, revision } = session
    if (version === 0) return null
    const read = await readState(join(folder, 'plan.json'), PlanFile, revision)
    if (read.from !== 'nothing' && read.value.planVersion === version) {
      if (read.problem) problems.push(`${read.problem}; the copy before it was taken`)
      return read.value
    }
    const kept = await this.#version(folder, version)
    problems.push(`plan.json was damaged; version ${version} was taken from its history`)
    return kept ?? null
  }

  /** Writes what has changed, then the events, and session.json last: with it the change has happened. */
  async write(
    before: FeatureFiles | undefined,
    after: FeatureFiles,
    events: readonly EventRecord[],
    log: EventFile,
  ): Promise<void> {
    const { projectId, featureId, revision } = after.session
    const folder = this.folder(projectId, featureId)
    for (const [name, { file }] of Object.entries(CONTENT)) {
      const value = after[name as ContentName]
      if (before?.[name as ContentName] !== value) await writeState(join(folder, file), value, revision)
    }
    if (after.plan && before?.plan !== after.plan) {
      await writeAtomic(
        join(folder, 'plan-history', `v${after.plan.planVersion}.json`),
        `${redactedJson(after.plan, 2)}\n`,
      )
      await writeState(join(folder, 'plan.json'), after.plan, revision)
    }
    await log.append(events.map((event) => ({ ...event, revision })))
    await writeState(join(folder, 'session.json'), after.session, revision)
  }

  /** Derived, and written often: nothing waits for the disk. */
  async writeProgress(projectId: string, featureId: string, progress: ProgressFile): Promise<void> {
    await writeAtomic(join(this.folder(projectId, featureId), 'progress.json'), `${redactedJson(progress, 2)}\n`)
  }

  openEvents(projectId: string, featureId: string, sessionId: string): Promise<{ log: EventFile }> {
    return EventFile.open(this.folder(projectId, featureId), sessionId, Infinity)
  }

  openOutput(projectId: string, featureId: string): Promise<OutputFile> {
    return OutputFile.open(this.folder(projectId, featureId))
  }

  planVersion(projectId: string, featureId: string, version: number): Promise<PlanFile | undefined> {
    return this.#version(this.folder(projectId, featureId), version)
  }

  async #version(folder: string, version: number): Promise<PlanFile | undefined> {
    const read = await readState(join(folder, 'plan-history', `v${version}.json`), PlanFile)
    return read.from === 'nothing' ? undefined : read.value
  }

  async versions(projectId: string, featureId: string): Promise<PlanFile[]> {
    const folder = this.folder(projectId, featureId)
    // No folder, no plan yet.
    const names = await readdir(join(folder, 'plan-history')).catch(() => [])
    const numbers = names.flatMap((name) => /^v(\d+)\.json$/.exec(name)?.[1] ?? []).map(Number)
    const plans = await Promise.all(numbers.sort((a, b) => b - a).map((number) => this.#version(folder, number)))
    return plans.filter((plan) => plan !== undefined)
  }

  /** Notes project and session in the index files, which people and other programs read. */
  async index(session: SessionFile): Promise<void> {
    const { projectId, featureId, id, title, createdAt, project, projectPath } = session
    const projects = (await this.#read(join(this.root, 'projects.json'), ProjectsFile)) ?? {
      version: FILE_VERSION,
      projects: [],
    }
    const known = projects.projects.filter((one) => one.projectId !== projectId)
    const named = { projectId, ...project, path: projectPath }
    await writeAtomic(
      join(this.root, 'projects.json'),
      `${redactedJson({ ...projects, projects: [...known, named] }, 2)}\n`,
    )
    const path = join(this.root, projectId, 'index.json')
    const index = (await this.#read(path, IndexFile)) ?? { version: FILE_VERSION, projectId, features: [] }
    const features = [
      ...index.features.filter((one) => one.featureId !== featureId),
      { featureId, id, title, createdAt },
    ]
    await writeAtomic(path, `${redactedJson({ ...index, features }, 2)}\n`)
  }

  /** Its name begins with a dot then, which no session's does. */
  async setAside(projectId: string, featureId: string): Promise<string> {
    const folder = this.folder(projectId, featureId)
    for (let number = 1; ; number++) {
      const aside = join(this.root, projectId, `.${featureId}.damaged-${number}`)
      // A folder is made first, so that nothing that lies there already is taken for free.
      const isFree = await mkdir(aside).then(
        () => true,
        () => false,
      )
      if (!isFree) continue
      await rename(folder, aside)
      return aside
    }
  }

  async #read<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
    try {
      return schema.parse(JSON.parse(await readFile(path, 'utf8')))
    } catch {
      // Missing or damaged: the folders tell everything that is in it.
      return undefined
    }
  }
}

/** What is not there holds nothing. */
async function foldersIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory() && isSafeId(entry.name)).map(({ name }) => name)
}
