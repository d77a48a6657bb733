import { Link } from 'wouter'
import { useAsk } from '../api/queries.ts'
import { count, plural, shortId } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { Ago, Path, Skeleton } from '../ui/small.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { plainly } from '../ui/visible-text.ts'
import { blameBlocks, changeTree, type Node, split } from './derive-intents.ts'

/** The latest changes of the ledger, of one intent or of all. */
export function Changes({ project, intent }: { project: string; intent: string | undefined }) {
  const { data, error } = useAsk('trace', 'log', { query: { project, limit: 100, ...(intent && { intent }) } })
  if (error) return <Trouble error={error} what="The trace" />
  if (!data) return <Skeleton rows={4} />
  const counts = split(data.records)
  return (
    <section className="part">
      <h3>Changes</h3>
      {data.records.length === 0 ? (
        <p className="dim">No change is on record{intent ? ' for this intent' : ''} yet.</p>
      ) : (
        <>
          <p className="dim small">
            {counts.feature} changed behavior, {counts.refactor} only refactored
            {counts.unknown > 0 && `, ${counts.unknown} could not be told`}
            {counts.violations > 0 && `; ${plural(counts.violations, 'change')} outside the scope`}
          </p>
          <ul className="brief">
            {data.records.slice(0, 40).map((record) => (
              <li key={record.id}>
                <Mark
                  shape={record.scopeViolation ? 'wrong' : record.mutationClass === 'AST_REFACTOR' ? 'turn' : 'done'}
                />
                <div>
                  {record.files.slice(0, 3).map(({ path, change }) => (
                    <div key={path}>
                      <Link href={`/intents?project=${encodeURIComponent(project)}&file=${encodeURIComponent(path)}`}>
                        <Path path={path} />
                      </Link>{' '}
                      <span className="faint">{change}</span>
                    </div>
                  ))}
                  <span className="faint">
                    {record.mutationClass === 'AST_REFACTOR' ? 'refactor' : record.mutationClass ? 'feature' : ''}
                    {record.declared &&
                      record.mutationClass &&
                      record.declared !== record.mutationClass &&
                      ', declared otherwise'}
                    {record.session && (
                      <>
                        {' '}
                        by <Link href={`/agents/${record.session}`}>{shortId(record.session)}</Link>
                      </>
                    )}
                  </span>
                </div>
                <span className="faint">
                  <Ago at={record.at} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Where in the project changes were made, and how many of them for no intent. */
export function Coverage({ project }: { project: string }) {
  const { data } = useAsk('trace', 'log', { query: { project, limit: 500 } })
  if (!data || data.records.length === 0) return null
  const tree = changeTree(data.records)
  const without = tree.byIntent.get('') ?? 0
  return (
    <section className="section">
      <h2>Where changes were made</h2>
      <p className="small dim">
        {plural(tree.changes, 'change')} of files on record, {without} for no intent
      </p>
      <Branch node={tree} depth={0} project={project} />
    </section>
  )
}

function Branch({ node, depth, project }: { node: Node; depth: number; project: string }) {
  return node.children.map((child) => (
    <div key={child.path}>
      <div className="tree-row" style={{ paddingInlineStart: depth * 16 }}>
        {child.isFile ? (
          <Link
            href={`/intents?project=${encodeURIComponent(project)}&file=${encodeURIComponent(child.path)}`}
            className="mono cut"
            title={child.path}
          >
            {child.name}
          </Link>
        ) : (
          <span className="mono cut">{child.name}/</span>
        )}
        <span
          className="bar"
          title={[...child.byIntent].map(([intent, count]) => `${intent || 'no intent'}: ${count}`).join(', ')}
        >
          {[...child.byIntent].map(([intent, count]) => (
            <i
              key={intent}
              className={intent === '' ? 'none' : ''}
              style={{ width: `${(count / child.changes) * 100}%`, opacity: intent === '' ? 1 : undefined }}
            />
          ))}
        </span>
        <span className="num faint">{child.changes}</span>
      </div>
      {depth < 6 && <Branch node={child} depth={depth + 1} project={project} />}
    </div>
  ))
}

/** Which change wrote each line of a file. */
export function Blame({ project, file }: { project: string; file: string }) {
  const { data, error } = useAsk('trace', 'blame', { query: { project, file } })
  if (error) return <Trouble error={error} what={file} />
  if (!data) return <Skeleton rows={6} />
  const written = data.lines.filter(({ origin }) => origin).length
  return (
    <section className="stack">
      <h1 className="file-name">
        <Path path={file} />
      </h1>
      <p className="small dim">
        {count(written)} of {plural(data.lines.length, 'line')} {written === 1 ? 'was' : 'were'} written by an agent.
      </p>
      <section className={written > 0 ? 'blame' : 'blame untraced'} tabIndex={0} aria-label={`Blame of ${file}`}>
        {blameBlocks(data.lines)
          .slice(0, 2000)
          .map(({ first, origin, lines }) => (
            <div className="blame-block" key={first}>
              <span className="who cut">
                {origin ? (
                  <>
                    <b>{origin.intent ?? 'no intent'}</b> <Ago at={origin.at} />
                  </>
                ) : (
                  ''
                )}
              </span>
              <span className="nr">{lines.map((_, index) => first + index).join('\n')}</span>
              <pre>{plainly(lines.join('\n'))}</pre>
            </div>
          ))}
      </section>
    </section>
  )
}
