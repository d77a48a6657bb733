import { useState } from 'react'
import { Link } from 'wouter'
import { useAsk } from '../api/queries.ts'
import { count, plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Mark } from '../ui/mark.tsx'
import { Skeleton } from '../ui/small.tsx'
import { type ScopeNode, scopeTree } from './derive-intents.ts'

const SHOWN = 60

/** The project's own file tree, with what an intent owns, or what any does. Folders with something owned are open. */
export function ScopeTree({ project, intent }: { project: string; intent: string | undefined }) {
  const { data } = useAsk('intents', 'scope', { query: { project } }, { keep: true })
  if (!data) return <Skeleton rows={4} />
  const tree = scopeTree(data.files, intent)
  return (
    <section className="part">
      <h3>{intent ? 'Scope in the project' : 'What intents own'}</h3>
      <p className="small dim">
        {count(tree.owned)} of {plural(tree.files, 'file')}
        {data.truncated && ', of the first ones'} {intent ? 'may be changed for it' : 'belong to an open intent'}
      </p>
      <Children node={tree} depth={0} project={project} />
    </section>
  )
}

function Children({ node, depth, project }: { node: ScopeNode; depth: number; project: string }) {
  const [shown, setShown] = useState(SHOWN)
  return (
    <ul className="scope-tree">
      {node.children.slice(0, shown).map((child) => (
        <Entry key={child.path} node={child} depth={depth} project={project} />
      ))}
      {node.children.length > shown && (
        <li>
          <button type="button" className="link small" onClick={() => setShown(shown + 200)}>
            Show {Math.min(200, node.children.length - shown)} more
          </button>
        </li>
      )}
    </ul>
  )
}

function Entry({ node, depth, project }: { node: ScopeNode; depth: number; project: string }) {
  const isPart = node.owned > 0 && node.owned < node.files
  const [isOpen, setOpen] = useState(isPart && depth < 4)
  const share = node.isFile ? '' : node.owned === 0 ? '' : isPart ? `${node.owned} of ${node.files}` : 'all of it'
  return (
    <li>
      <div className={node.owned > 0 ? 'scope-row owned' : 'scope-row'} style={{ paddingInlineStart: depth * 16 }}>
        {node.isFile ? (
          <span className="toggle">
            <Mark shape={node.owned > 0 ? 'done' : 'open'} />
          </span>
        ) : (
          <button
            type="button"
            className="toggle"
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Close' : 'Open'} ${node.path}`}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
          </button>
        )}
        {node.isFile ? (
          <Link
            href={`/intents?project=${encodeURIComponent(project)}&file=${encodeURIComponent(node.path)}`}
            className="mono cut"
          >
            {node.name}
          </Link>
        ) : (
          <span className="mono cut">{node.name}/</span>
        )}
        <span className="small faint num">
          {share}
          {node.isFile && <span className="hidden-label">{node.owned > 0 ? 'owned' : 'not owned'}</span>}
        </span>
      </div>
      {isOpen && <Children node={node} depth={depth + 1} project={project} />}
    </li>
  )
}
