import { useNow } from '../ui/now.ts'
import { branchPreview, type Field, type FormDraft, type PathState, type Template } from './derive-form.ts'
import { fieldOf, Problem } from './problem.tsx'

interface Props {
  draft: FormDraft
  template: Template
  path: PathState | undefined
  problem(field: Field): string | undefined
  onChange(change: Partial<FormDraft>): void
}

/** Branches, where the work happens, and how far it goes by itself. */
export function Workplace({ draft, template, path, problem, onChange }: Props) {
  const now = useNow()
  return (
    <details className="field" open={draft.mode === 'in_place' || draft.branch !== '' || draft.baseBranch !== ''}>
      <summary>
        <b>Branch and workplace</b>
      </summary>
      <div className="columns-2">
        <div className="field">
          <label htmlFor="baseBranch">Base branch</label>
          <input
            {...fieldOf('baseBranch', problem('baseBranch'))}
            className="input mono"
            list="branches"
            value={draft.baseBranch}
            placeholder={path?.defaultBranch ?? template.baseBranch}
            onChange={({ target }) => onChange({ baseBranch: target.value })}
          />
          <datalist id="branches">
            {path?.branches.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Problem of="baseBranch" text={problem('baseBranch')} />
        </div>
        <div className="field">
          <label htmlFor="branch">Feature branch</label>
          <input
            {...fieldOf('branch', problem('branch'))}
            className="input mono"
            value={draft.branch}
            placeholder={branchPreview(template.branchPattern, draft.title, now)}
            onChange={({ target }) => onChange({ branch: target.value })}
          />
          <Problem of="branch" text={problem('branch')} />
        </div>
      </div>
      <fieldset className="field options">
        <legend>Where the work happens</legend>
        <label className="option">
          <input
            type="radio"
            name="mode"
            checked={draft.mode === 'worktree'}
            onChange={() => onChange({ mode: 'worktree' })}
          />
          <span>In a worktree of its own</span>
          <span className="about">Your checkout is left alone, and several features can run at once.</span>
        </label>
        <label className="option">
          <input
            type="radio"
            name="mode"
            checked={draft.mode === 'in_place'}
            onChange={() => onChange({ mode: 'in_place' })}
          />
          <span>In your checkout</span>
          <span className="about">One feature at a time. Uncommitted changes must be stashed first.</span>
        </label>
      </fieldset>
      <label className="option">
        <input
          type="checkbox"
          checked={draft.autoPush}
          onChange={({ target }) => onChange({ autoPush: target.checked })}
        />
        <span>Push the branch when the code is done</span>
        <span className="about">Leaves this machine. Without it you are asked first.</span>
      </label>
      <label className="option">
        <input
          type="checkbox"
          checked={draft.localReview}
          onChange={({ target }) => onChange({ localReview: target.checked })}
        />
        <span>No pull request: review on this machine only</span>
      </label>
      <div className="field">
        <label htmlFor="recommendedReviews">Recommended reviews of the plan</label>
        <input
          {...fieldOf('recommendedReviews', problem('recommendedReviews'))}
          className="input"
          style={{ maxWidth: 96 }}
          inputMode="numeric"
          value={draft.recommendedReviews}
          onChange={({ target }) => onChange({ recommendedReviews: target.value })}
        />
        <Problem of="recommendedReviews" text={problem('recommendedReviews')} />
        <p className="hint">Approving after fewer needs a sign-off.</p>
      </div>
    </details>
  )
}
