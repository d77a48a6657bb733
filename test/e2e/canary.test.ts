import { describe, expect, it } from 'vitest'
import { explainedFindings } from '../../src/supervisor/canary/findings.ts'
import { scenarioOf } from '../clients/play.ts'
import { stories } from '../clients/stories.ts'
import { type Attachment, setStage } from '../support/stage.ts'

// A client that Grove supports is understood: nothing that it really sends, through proxy or hooks, is unknown.

const PLAYED = ['tools', 'tool search', 'subagent', 'subagent in the foreground', 'structured answer']
const attachments: Attachment[] = ['proxy', 'both']
const options = {
  config: '[gate]\nenabled = false\n',
  hooks: ['Stop', 'SubagentStart', 'SubagentStop', 'PermissionRequest', 'PreCompact', 'Notification'] as const,
}

describe.concurrent('a supported client', () => {
  it.for(
    stories
      .filter(({ name }) => PLAYED.includes(name))
      .flatMap((story) => attachments.map((by) => [by, story.name, story] as const)),
  )('%s: %s: raises no finding', async ([attached, , story], { onTestFinished }) => {
    const files = { 'notes.txt': 'remember the milk\n' }
    const stage = await setStage(onTestFinished, scenarioOf(story), files, {}, { attached, ...options })
    const given = { ...(story.env && { env: story.env }) }
    const { sessionId, exitCode } = await stage.run(story.prompt!, { ...given, args: story.args ?? [] })
    expect(exitCode).toBe(0)
    if (story.resume) await stage.run(story.resume, { ...given, args: [...(story.args ?? []), '--resume', sessionId!] })
    await stage.settled()
    expect(await explainedFindings(stage.grove.store.states)).toEqual([])
    expect(stage.grove.warnings).toEqual([])
    expect(await stage.grove.store.sessions.get(sessionId!)).toBeDefined()
  })
})
