import { Command, defaultFilter } from 'cmdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { SessionSummary } from '#protocol/api/sessions.ts'
import { useAsk } from '../api/queries.ts'
import { featurePath } from '../features/derive-features.ts'
import { Dialog } from '../ui/dialog.tsx'
import { shortId } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PLACES } from './places.ts'
import { setTheme, type Theme } from './theme.ts'

const THEMES: Record<Theme, string> = { system: 'Theme: as the system', light: 'Theme: light', dark: 'Theme: dark' }

/** What begins with the words comes before what only holds their letters; among equals the order of the list stays. */
function rank(value: string, words: string): number {
  return value.toLowerCase().startsWith(words.trim().toLowerCase()) ? 2 : defaultFilter(value, words)
}

/** So many features are listed at once. */
const SHOWN = 100

/** What a feature is found by. */
function foundBy({ title, projectName, branch, id }: SessionSummary): string {
  return `${title} ${projectName} ${branch} ${id}`
}

/** Goes anywhere and does what needs no place, by typing a few letters of it. */
export function Palette({ onClose, onKeys }: { onClose(): void; onKeys(): void }) {
  const [, go] = useLocation()
  const { data } = useAsk('agents', 'list', {})
  const features = useAsk('sessions', 'list', { query: { filter: 'all', limit: 500 } }).data?.sessions ?? []
  const [words, setWords] = useState('')
  // Among all of them, and only then no more than can be read.
  const near = features.filter((feature) => words === '' || rank(foundBy(feature), words) > 0).slice(0, SHOWN)
  const then = (work: () => void) => () => {
    onClose()
    work()
  }
  return (
    <Dialog title="Go anywhere" onClose={onClose}>
      <Command label="Go anywhere" loop filter={rank} className="palette">
        <Command.Input
          value={words}
          onValueChange={setWords}
          placeholder="Place, feature, agent or command"
          autoFocus
        />
        <Command.List>
          <Command.Empty>Nothing by that name. Memories and learnings are searched in their own places.</Command.Empty>
          <Command.Group heading="Places">
            {PLACES.map(({ path, name, icon, key }) => (
              <Command.Item key={path} value={`${name} place`} onSelect={then(() => go(path))}>
                <Icon name={icon} />
                <span className="grow">{name}</span>
                <kbd>g {key}</kbd>
              </Command.Item>
            ))}
            <Command.Item value="new feature start" onSelect={then(() => go('/features/new'))}>
              <Icon name="plus" />
              New feature
            </Command.Item>
          </Command.Group>
          {near.length > 0 && (
            <Command.Group heading="Features">
              {near.map((feature) => (
                <Command.Item key={feature.id} value={foundBy(feature)} onSelect={then(() => go(featurePath(feature)))}>
                  <Icon name="features" />
                  <span className="grow cut">{feature.title}</span>
                  <span className="faint small cut">{feature.stageText}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {data && data.agents.length > 0 && (
            <Command.Group heading="Agents">
              {data.agents.map(({ sessionId, goal, project }) => (
                <Command.Item
                  key={sessionId}
                  value={`${goal ?? ''} ${project ?? ''} ${sessionId}`}
                  onSelect={then(() => go(`/agents/${sessionId}`))}
                >
                  <Icon name="agents" />
                  <span className="grow cut">{goal ?? 'No goal yet'}</span>
                  <span className="faint small cut">{project ?? shortId(sessionId)}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Commands">
            {(Object.keys(THEMES) as Theme[]).map((theme) => (
              <Command.Item key={theme} value={THEMES[theme]} onSelect={then(() => setTheme(theme))}>
                <Icon name="settings" />
                {THEMES[theme]}
              </Command.Item>
            ))}
            <Command.Item value="keys shortcuts cheat sheet" onSelect={then(onKeys)}>
              <Icon name="more" />
              <span className="grow">Show all keys</span>
              <kbd>?</kbd>
            </Command.Item>
          </Command.Group>
        </Command.List>
      </Command>
    </Dialog>
  )
}
