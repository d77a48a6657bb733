import { useState } from 'react'
import { useAsk } from '../api/queries.ts'
import { plural } from '../ui/format.ts'
import { Path } from '../ui/small.tsx'

/** Comments in the project that ask for a decision already; those in affected files block later. */
export function ExistingTodos({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false)
  const { data } = useAsk('sessions', 'existingTodos', { body: { path } })
  if (!data || data.blocks.length === 0) return null
  return (
    <div className="hint" style={{ display: 'block' }}>
      <button type="button" className="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {plural(data.blocks.length, 'TODO comment')}
        {data.truncated && ' and more'} in this project
      </button>
      . Those in affected files are asked about.
      {isOpen && (
        <ul className="brief">
          {data.blocks.slice(0, 40).map(({ path: file, line, type, text }) => (
            <li key={`${file}:${line}`}>
              <span />
              <div>
                <span className="tag">{type}</span> <span className="text">{text}</span>
                <p>
                  <Path path={`${file}:${line}`} />
                </p>
              </div>
              <span />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
