import { expect, it } from 'vitest'
import { shell } from '../../../test/support/shell.ts'
import { episodesOf, memoryOfEpisode, type Told } from './import-transcript.ts'

const prompt = (content: string, key = content): Told => ({ said: 'prompt', content, at: 1, cwd: '/p', key })
const edit = (path: string): Told => {
  const input = { file_path: `/p/${path}`, old_string: 'a', new_string: 'b' }
  return { said: 'tool', id: path, name: 'Edit', input }
}
const text = (words: string): Told => ({ said: 'text', text: words })
const owner = { id: 'log_1', projectId: 'p', sessionId: 's' }

const memoriesOf = (...lines: Told[]) =>
  episodesOf('s', lines, shell).flatMap((episode) => memoryOfEpisode(episode, owner) ?? [])

it('makes one memory of each piece of work in which something was changed', () => {
  const memories = memoriesOf(
    prompt('What does this project do?'),
    text('It serves pages.'),
    prompt('New task: let uploads in src/upload.ts be retried'),
    edit('src/upload.ts'),
    text('Uploads are retried now, because sockets close early.'),
    prompt('New task: print tables in src/print.ts with a margin'),
    edit('src/print.ts'),
    text('I have added a margin.'),
  )
  expect(memories.map(({ files }) => files)).toEqual([['src/upload.ts'], ['src/print.ts']])
})

it('keeps what was found out when the conversation ends with a thank-you', () => {
  const [memory] = memoriesOf(
    prompt('Uploads in src/upload.ts leak sockets. Please fix it.'),
    text('Let me look.'),
    edit('src/upload.ts'),
    text('All tests pass. We used pipeline() because finished() swallowed errors.'),
    prompt('thanks'),
    text('You are welcome.'),
  )
  expect(memory).toMatchObject({
    goal: 'Fix: Uploads in src/upload.ts leak sockets.',
    status: 'complete',
    decisions: [{ choice: 'We used pipeline()', reason: 'finished() swallowed errors' }],
  })
  expect(JSON.stringify(memory)).not.toContain('Let me look')
})

it('names no file of a call that failed or was not let run', () => {
  const result = (id: string, outcome: 'ran' | 'failed' | 'denied'): Told => ({ said: 'result', id, outcome })
  const [memory] = memoriesOf(
    prompt('Let uploads in src/upload.ts be retried'),
    edit('src/upload.ts'),
    result('src/upload.ts', 'ran'),
    edit('src/login.ts'),
    result('src/login.ts', 'denied'),
    edit('src/print.ts'),
    result('src/print.ts', 'failed'),
    text('Uploads in src/upload.ts are retried now.'),
  )
  expect(memory?.files).toEqual(['src/upload.ts'])
  expect(JSON.stringify(memory?.reasoningTrace)).not.toMatch(/login|print/)
})
