import { describe, expect, it } from 'vitest'
import { type Attachment, setStage } from '../support/stage.ts'
import { story } from '../support/story.ts'
import { tell } from '../support/tell.ts'
import { STORIES } from '../support/told-stories.ts'
import { whatCame } from '../support/what-came.ts'

// Short stories with the real client, half of them work that only looks as if it strayed. A sample is told each time, once
// each; GROVE_TEST_STORIES=all tells every one of them through every attachment, a project or a name those, and
// GROVE_TEST_STORIES=once, or “once ferries”, each one once.

const attachments: Attachment[] = ['proxy', 'hooks', 'both']
const wanted = process.env.GROVE_TEST_STORIES
const told = STORIES.flatMap((one, at) => {
  const isNamed = one.project === wanted || one.name === wanted
  if (wanted === 'all' || isNamed) return attachments.map((attached) => ({ ...one, attached }))
  const isTold = wanted === undefined ? one.isSample : wanted === 'once' || wanted === `once ${one.project}`
  return isTold ? [{ ...one, attached: attachments[Math.floor(at / 3) % 3]! }] : []
})
const quiet = { config: '[gate]\nenabled = false\n', hooks: ['Stop'] as const }

describe.concurrent('Work as people ask for it', () => {
  it.for(told)('$attached: $name ($verdict)', async (one, { onTestFinished }) => {
    const { attached, turns, replies, verdict, changed, files } = one
    const stage = await setStage(onTestFinished, story(...replies), files, {}, { attached, ...quiet })
    const runs = await tell(stage, turns)
    for (const run of runs) expect(run).toMatchObject({ exitCode: 0, stderr: '' })
    const { corrections, memories } = await whatCame(stage, runs[0]!.sessionId!)
    const firm = corrections.filter((level) => level !== 'nudge')
    if (verdict === 'quiet') expect(firm).toEqual([])
    if (verdict === 'corrected') expect([...new Set(firm)]).toEqual(['correct'])
    if (verdict === 'limit') expect(firm[0]).toBe('intervene')
    // What nobody may be told is that something was changed which was not.
    const named = memories.flat().filter((word) => !['had-drift', 'needs-review'].includes(word))
    expect(named.filter((file) => !changed.includes(file))).toEqual([])
    expect(stage.simulator.problems).toEqual([])
    expect(stage.grove.warnings).toEqual([])
  })
})
