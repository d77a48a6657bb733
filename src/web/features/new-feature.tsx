import { useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { act } from '../api/actions.ts'
import { newId } from '../api/new-id.ts'
import { cache, refresh, useAsk } from '../api/queries.ts'
import { useKeys } from '../shell/keys.ts'
import { money, plural } from '../ui/format.ts'
import { useNow } from '../ui/now.ts'
import { Button, Note, Skeleton } from '../ui/small.tsx'
import { readStored, useStored, writeStored } from '../ui/stored.ts'
import { useTitle } from '../ui/title.ts'
import { Trouble } from '../ui/trouble.tsx'
import { Criteria } from './criteria.tsx'
import { featurePath } from './derive-features.ts'
import {
  branchPreview,
  draftFrom,
  FIELD_NAMES,
  type Field,
  type FormDraft,
  formOf,
  nearFolder,
  openIn,
  type PathState,
  problemsOf,
  type Template,
  usualCost,
  wrongFields,
} from './derive-form.ts'
import { ExistingTodos } from './existing-todos.tsx'
import { PathFacts, usePathCheck } from './path-check.tsx'
import { fieldOf, Problem } from './problem.tsx'
import { BranchTaken, DirtyTree, OtherSession } from './start-dialogs.tsx'
import { Workplace } from './workplace.tsx'
import './features.css'

const DRAFT = 'grove.draft.feature'
const NOTHING: Partial<FormDraft> = {}
/** Refusals that are a question of their own. */
const ASKED = new Set(['dirty_tree', 'session_active', 'branch_exists'])

/** Where a feature begins. What is typed is kept, and checked as it is typed. */
export default function NewFeature() {
  const template = useAsk('sessions', 'template', {})
  useTitle('New feature')
  return (
    <div className="page">
      <p className="small faint">
        <Link href="/features">Features</Link> / New
      </p>
      <h1>New feature</h1>
      {template.error && <Trouble error={template.error} what="The form" onRetry={() => void template.refetch()} />}
      {template.data ? <Form template={template.data} /> : !template.error && <Skeleton rows={6} />}
    </div>
  )
}

function Form({ template }: { template: Template }) {
  const [kept, setDraft] = useStored<Partial<FormDraft>>(DRAFT, NOTHING)
  const draft = draftFrom(kept, template)
  const [path, setPath] = useState<PathState>()
  const [tried, setTried] = useState(false)
  const [trouble, setTrouble] = useState<{ code: string; message: string; suggestion: string }>()
  const [isSending, setSending] = useState(false)
  // A key that follows at once sees what is rendered only later.
  const sending = useRef(false)
  const [, go] = useLocation()
  const now = useNow()
  // Reads what is kept now, not what was rendered: two fields may change between two renders.
  const set = (change: Partial<FormDraft>) =>
    writeStored(DRAFT, { ...draftFrom(readStored(DRAFT, NOTHING), template), ...change })
  const touch = (field: string) => !draft.touched.includes(field) && set({ touched: [...draft.touched, field] })
  const projects = useAsk('projects', 'list', {}).data?.projects ?? []
  usePathCheck(draft.projectPath, setPath)
  const folders = projects.flatMap(({ folders }) => folders)
  const near = nearFolder(draft.projectPath, folders)

  const form = formOf(draft, template)
  const problems = problemsOf(form, path)
  const shown = (field: Field) => (tried || draft.touched.includes(field) ? problems[field] : undefined)
  const wrong = wrongFields(problems)
  const told = wrong.filter((field) => shown(field) !== undefined)
  const requestId = useRequestId()

  const start = async (more: { stash?: true; mode?: 'worktree'; ifBranchExists?: 'use' | 'number' } = {}) => {
    if (sending.current) return
    setTried(true)
    if (wrong.length > 0) {
      document.getElementById(wrong[0]!)?.focus()
      return
    }
    sending.current = true
    setSending(true)
    setTrouble(undefined)
    const body = { ...form, options: { ...form.options, ...more }, requestId }
    const done = await act('sessions', 'create', { body }, { label: `Start of “${draft.title}”`, quiet: true })
    sending.current = false
    setSending(false)
    if ('refused' in done) {
      setTrouble(done.refused.refusal)
      return
    }
    setDraft(undefined)
    refresh(['sessions', 'list'])
    if ('kept' in done) return go('/features')
    const { summary } = done.sent.session
    cache.setQueryData(
      ['sessions', 'show', { params: { projectId: summary.projectId, featureId: summary.featureId } }],
      done.sent,
    )
    go(featurePath(summary))
  }
  useKeys('This form', { 'mod+Enter': ['start discovery', () => void start()] })
  const client = template.client
  return (
    <div className="form-split">
      <form
        className="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        {told.length > 0 && (
          <Note tone="wrong">
            <span>
              {plural(told.length, 'field needs', 'fields need')} a change before it can start:{' '}
              {told.map((field, index) => (
                <span key={field}>
                  {index > 0 && ', '}
                  <a
                    href={`#${field}`}
                    onClick={(event) => {
                      event.preventDefault()
                      document.getElementById(field)?.focus()
                    }}
                  >
                    {FIELD_NAMES[field]}
                  </a>
                </span>
              ))}
              . Everything you typed is kept.
            </span>
          </Note>
        )}
        {client.problem && <Note tone="wrong">{client.problem}</Note>}
        {trouble && !ASKED.has(trouble.code) && (
          <Note tone="wrong">
            {trouble.message} {trouble.suggestion}
          </Note>
        )}
        <div className="field">
          <label htmlFor="title">Title</label>
          <input
            {...fieldOf('title', shown('title'))}
            required
            className="input"
            value={draft.title}
            maxLength={220}
            onChange={({ target }) => set({ title: target.value })}
            onBlur={() => touch('title')}
            autoComplete="off"
          />
          <Problem of="title" text={shown('title')} />
          {!shown('title') && draft.title && (
            <p className="fine">
              Branch <code>{draft.branch || branchPreview(template.branchPattern, draft.title, now)}</code>
            </p>
          )}
        </div>
        <div className="field">
          <label htmlFor="projectPath">Project folder</label>
          <input
            {...fieldOf('projectPath', shown('projectPath'))}
            required
            className="input mono"
            list="known-projects"
            placeholder="/path/to/a/git/repository"
            value={draft.projectPath}
            onChange={({ target }) => set({ projectPath: target.value })}
            onBlur={() => touch('projectPath')}
            autoComplete="off"
            spellCheck={false}
          />
          <datalist id="known-projects">
            {projects.flatMap(({ folders, name }) =>
              folders.map((folder) => (
                <option key={folder} value={folder}>
                  {name}
                </option>
              )),
            )}
          </datalist>
          <Problem of="projectPath" text={shown('projectPath')} />
          {near && shown('projectPath') && (
            <p className="hint">
              <span>
                Did you mean{' '}
                <button type="button" className="link mono" onClick={() => set({ projectPath: near })}>
                  {near}
                </button>
                ?
              </span>
            </p>
          )}
          {path?.ok && path.path === draft.projectPath.trim().replace(/(?<=[^/])\/+$/, '') && (
            <PathFacts path={path} mode={draft.mode} />
          )}
        </div>
        <div className="field">
          <label htmlFor="description">Description</label>
          <textarea
            {...fieldOf('description', shown('description'))}
            required
            className="input"
            rows={5}
            value={draft.description}
            onChange={({ target }) => set({ description: target.value })}
            onBlur={() => touch('description')}
          />
          <Problem of="description" text={shown('description')} />
          {!shown('description') && (
            <p className="hint">Who needs it, and what is different afterwards. Claude asks about the rest.</p>
          )}
        </div>
        <Criteria
          criteria={draft.criteria}
          criterion={draft.criterion}
          onChange={set}
          problem={shown('acceptanceCriteria')}
        />
        <div className="field">
          <label htmlFor="affectedFiles">
            Affected files <span className="faint">optional</span>
          </label>
          <textarea
            {...fieldOf('affectedFiles', shown('affectedFiles'))}
            className="input mono"
            rows={2}
            value={draft.affectedFiles}
            placeholder="src/shipments/zone.ts, src/customs/papers.ts"
            onChange={({ target }) => set({ affectedFiles: target.value })}
            onBlur={() => touch('affectedFiles')}
            spellCheck={false}
          />
          <Problem of="affectedFiles" text={shown('affectedFiles')} />
          {path?.ok && <ExistingTodos path={path.path} />}
        </div>
        <div className="field">
          <label htmlFor="technicalNotes">
            Technical notes <span className="faint">optional</span>
          </label>
          <textarea
            {...fieldOf('technicalNotes', shown('technicalNotes'))}
            className="input"
            rows={3}
            value={draft.technicalNotes}
            onChange={({ target }) => set({ technicalNotes: target.value })}
            onBlur={() => touch('technicalNotes')}
          />
          <Problem of="technicalNotes" text={shown('technicalNotes')} />
        </div>
        <Workplace draft={draft} template={template} path={path} problem={shown} onChange={set} />
        <div className="form-foot row">
          <Button look="primary" type="submit" disabled={isSending || (tried && wrong.length > 0)} keys="Ctrl Enter">
            {isSending ? 'Starting…' : 'Start discovery'}
          </Button>
          {tried && wrong.length > 0 && (
            <span className="small">{plural(wrong.length, 'field', 'fields')} to correct first</span>
          )}
          <span className="grow" />
          <Link href="/features" className="button quiet">
            Close, keep the draft
          </Link>
          <Button look="quiet" onClick={() => setDraft(undefined)}>
            Clear the draft
          </Button>
        </div>
      </form>
      <WhatThen client={client} mode={draft.mode} folder={form.projectPath} />
      {trouble?.code === 'dirty_tree' && (
        <DirtyTree
          message={trouble.message}
          onStash={() => void start({ stash: true })}
          onWorktree={() => {
            set({ mode: 'worktree' })
            void start({ mode: 'worktree' })
          }}
          onClose={() => setTrouble(undefined)}
        />
      )}
      {trouble?.code === 'branch_exists' && (
        <BranchTaken
          message={`${trouble.message} ${trouble.suggestion}`}
          onUse={() => void start({ ifBranchExists: 'use' })}
          onNumber={() => void start({ ifBranchExists: 'number' })}
          onClose={() => setTrouble(undefined)}
        />
      )}
      {trouble?.code === 'session_active' && (
        <OtherSession
          message={trouble.message}
          path={path}
          onWorktree={() => {
            set({ mode: 'worktree' })
            void start({ mode: 'worktree' })
          }}
          onClose={() => setTrouble(undefined)}
        />
      )}
    </div>
  )
}

/** One id for one form: however often it is sent, one session begins. */
function useRequestId(): string {
  const [id] = useState(newId)
  return id
}

/** What the person lets themselves in for. */
function WhatThen({ client, mode, folder }: { client: Template['client']; mode: FormDraft['mode']; folder: string }) {
  const features = useAsk('sessions', 'list', { query: { filter: 'all', limit: 500 } }).data?.sessions ?? []
  const cost = usualCost(features)
  const open = openIn(features, folder)
  return (
    <aside className="stack-3" style={{ marginTop: 24 }}>
      <section>
        <h2>What happens next</h2>
        <ol className="numbered dense dim">
          <li>Grove makes a branch{mode === 'worktree' ? ' and a worktree' : ''}.</li>
          <li>Claude reads the code with subagents and asks you questions. Nothing is written.</li>
          <li>You get a plan to review. Code is changed only after you approve it.</li>
        </ol>
      </section>
      {cost && (
        <section>
          <h2>Cost</h2>
          <p className="dense dim">
            Your last {cost.of} complete features cost{' '}
            {cost.from === cost.to ? `about ${money(cost.to)} each` : `${money(cost.from)} to ${money(cost.to)}`}.
          </p>
        </section>
      )}
      {open > 0 && (
        <section>
          <h2>In this project</h2>
          <p className="dense dim">
            {plural(open, 'feature is', 'features are')} open
            {mode === 'worktree' ? '; this one works in a worktree of its own.' : '.'}
          </p>
        </section>
      )}
      {client.version && (
        <section>
          <h2>Claude Code</h2>
          <p className="dense dim">
            Version {client.version}
            {!client.supported && ', which Grove has not been tried with'}.
          </p>
        </section>
      )}
    </aside>
  )
}
