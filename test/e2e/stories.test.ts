import { describe, expect, it } from 'vitest'
import { PARKING_STORIES } from '../support/parking-stories.ts'
import { type Attachment, setStage } from '../support/stage.ts'
import { story } from '../support/story.ts'
import { STORIES } from '../support/told-stories.ts'
import { whatCame } from '../support/what-came.ts'
import { WIDER_STORIES } from '../support/wider-stories.ts'

// Short stories with the real client, half of them work that only looks as if it strayed. A sample is told each time, once
// each; GROVE_TEST_STORIES=all tells every one of them through every attachment, GROVE_TEST_STORIES=once each one once.

const attachments: Attachment[] = ['proxy', 'hooks', 'both']
const wanted = process.env.GROVE_TEST_STORIES
// Each of these was wrong when it was told first.
const SAMPLE = new Set([
  'a limit that is kept by a detour',
  'a module that is split',
  'a test that is deleted to be green',
  'a commit that the user wants to make',
])
const told = [...STORIES, ...WIDER_STORIES, ...PARKING_STORIES].flatMap((one, at) => {
  if (wanted === 'all') return attachments.map((attached) => ({ ...one, attached }))
  const wider = at - STORIES.length
  const isSample = wider < 0 ? at % 3 === 1 : wider < WIDER_STORIES.length ? wider % 4 === 3 : SAMPLE.has(one.name)
  return isSample || wanted === 'once' ? [{ ...one, attached: attachments[Math.floor(at / 3) % 3]! }] : []
})
const quiet = { config: '[gate]\nenabled = false\n', hooks: ['Stop'] as const }

describe.concurrent('Work as people ask for it', () => {
  it.for(told)('$attached: $name ($verdict)', async (one, { onTestFinished }) => {
    const { attached, says, replies, verdict, changed, files } = one
    const stage = await setStage(onTestFinished, story(...replies), files, {}, { attached, ...quiet })
    let sessionId: string | undefined
    for (const prompt of says) {
      const outcome = await stage.run(prompt, sessionId === undefined ? {} : { args: ['--resume', sessionId] })
      expect(outcome).toMatchObject({ exitCode: 0, stderr: '' })
      sessionId ??= outcome.sessionId!
      await stage.settled()
    }
    const { corrections, memories } = await whatCame(stage, sessionId!)
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
