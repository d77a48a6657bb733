import { describe, expect, it } from 'vitest'
import { readCall, workingDirectory } from '../../src/supervisor/inject/read-call.ts'
import { readRecordings } from './read-recordings.ts'
import type { Recording } from './recording.ts'

// Requests of many client versions, by their shape: `npm run clients -- record <path>` adds one. Whose request each was
// is what the client's own transcript told.

const versions = readRecordings()

function factsOf({ path, headers, body }: Recording) {
  return readCall({ path, headers, body: Buffer.from(JSON.stringify(body)) })
}

describe.each(versions)('client $version', ({ recordings }) => {
  it('has its requests told apart, with and without its own class header', () => {
    const wrong = recordings.flatMap((recording) => {
      const { kind, doubtful } = factsOf(recording) ?? {}
      const told = kind === 'main' || kind === 'subagent' || kind === 'compaction' ? kind : 'side'
      return told === recording.asker && !doubtful ? [] : [{ ...recording, body: undefined, kind, doubtful }]
    })
    expect(wrong).toEqual([])
  })

  it('tells its folder in every request of the main thread', () => {
    const missing = recordings.filter((one) => one.asker === 'main' && folderOf(one) !== '/project')
    // With a system prompt of the user's own there is no environment section.
    expect(missing.map(({ story }) => story).filter((story) => story !== 'only an own system prompt')).toEqual([])
  })

  it('is heard by what its user said, and by nothing it said itself', () => {
    const heard = recordings
      .filter(({ asker, path }) => asker === 'main' && !path.includes('count_tokens'))
      .map((one) => factsOf(one)?.instruction?.text)
      .filter((text) => text !== undefined)
    expect(heard.filter((text) => !/^(«[^»]*»\s*)+$/.test(text))).toEqual([])
    expect(heard).toContain('«Look for a tool»')
    expect(heard).toContain('«And mind the milk»')
  })
})

function folderOf(recording: Recording): string | undefined {
  const layout = factsOf(recording)?.layout
  return layout && workingDirectory(layout)
}

it('was recorded for at least eight versions', () => {
  expect(versions.length).toBeGreaterThanOrEqual(8)
})
