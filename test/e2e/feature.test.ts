import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { WorkflowEvent } from '../../src/protocol/workflow/events.ts'
import { beginFeature, openHouse } from '../support/feature/house.ts'
import { liveThroughKills, seeded } from '../support/feature/kills.ts'
import { ASKED } from '../support/feature/model.ts'
import { Person } from '../support/feature/person.ts'
import { completeSmall, killClients, SMALL_FORM, SMALL_MODEL, wrongWith } from '../support/feature/small-feature.ts'
import { brokenPromises, eventsOf, leftRunning } from '../support/feature/verdict.ts'
import { GH_PROGRAMS } from '../support/gh-github.ts'
import { shared } from '../support/run/shared.ts'

let binary: string
beforeAll(async () => {
  binary = join((await shared('binary'))!, 'grove.js')
})

/** About fifty starts of the client and the daemon's own commands, on a machine that may be busy. */
const LONG = 900_000

it.each(GH_PROGRAMS)(
  'the real client is taken through the whole of a feature, with gh (%s)',
  { timeout: LONG },
  async (gh) => {
    const house = await openHouse({ binary, gh })
    try {
      const daemon = await house.start()
      const person = new Person(house, await beginFeature(daemon, house.project.dir))
      const seen = await person.live(daemon)
      expect(await brokenPromises(house, daemon, person)).toEqual([])

      expect(seen.session).toMatchObject({ status: 'completed', reviewCount: 3, replanningCount: 4 })
      expect(seen.reviews.map(({ outcome }) => outcome)).toEqual(['findings', 'findings', 'clean'])
      expect(person.acknowledged.map(({ what }) => what)).toEqual([
        ...ASKED.rounds.map((text) => `answer to ${text}`),
        'restored',
        ...ASKED.reviews.map((text) => `answer to ${text}`),
        'approval',
        `answer to ${ASKED.blocker}`,
        `answer to ${ASKED.todo}`,
        'approval',
        'answer to A check of the pull request fails: CI / build. What should be done?',
        'approval',
        'changes',
        'approval',
        'completion',
      ])
      expect(seen.session.usage.costUsd).toBeGreaterThan(0)
      expect(seen.checks.map(({ result }) => result)).toEqual(['failed', 'failed', 'passed', 'passed', 'passed'])
      expect(house.github.prs).toMatchObject([
        { state: 'OPEN', body: expect.stringContaining('- [ ] Looks good on phones') },
      ])

      const events = (await eventsOf(daemon, person)).map(({ payload }) => payload)
      const of = <T extends WorkflowEvent['type']>(type: T) =>
        events.filter((event): event is Extract<WorkflowEvent, { type: T }> => event.type === type)
      expect(of('execution.paused_blocker')).toHaveLength(1)
      expect(of('todo.replanning_triggered')).toHaveLength(1)
      expect(of('question.restored')).toHaveLength(1)
      expect(of('ci.failed')).toHaveLength(1)
      expect(of('ci.all_passed')).toHaveLength(2)
      expect(of('pr.created').map(({ updated }) => updated)).toEqual([false, true, true])
      const { body } = await daemon.ask<{ lines: { text: string }[] }>('GET', person.path('/output?limit=500'))
      const said = body.lines.map(({ text }) => text).join('\n')
      expect(said).toMatch(/Nothing is changed in this stage[\s\S]*scope_violation/)
      const { body: found } = await daemon.ask<{ numbers: number[] }>(
        'GET',
        person.path('/output/found?words=SCOPE_violation'),
      )
      expect(found.numbers.length).toBeGreaterThan(0)

      // What was read, reviewed and judged on the way is no work of its own: the feature is one memory.
      const { body: kept } = await daemon.ask<{ memories: object[] }>('GET', '/api/memories')
      expect(kept.memories).toMatchObject([{ goal: 'Add login' }])

      await daemon.stop()
      expect(await leftRunning(house)).toEqual([])
      expect(house.simulator.problems).toEqual([])
    } finally {
      await house.close()
    }
  },
)

it('a feature is completed as if nothing had happened, though Grove is killed five times on the way', {
  timeout: LONG,
}, async () => {
  const house = await openHouse({ binary })
  try {
    const lived = await liveThroughKills(house, { kills: 5, longestMs: 20_000, quietMs: 0, random: seeded(18) })
    expect(lived.broken, JSON.stringify(lived.kills)).toEqual([])
  } finally {
    await house.close()
  }
})

it('a feature whose client is killed twice is completed all the same, each step once', async () => {
  const house = await openHouse({ binary, scenario: SMALL_MODEL })
  try {
    const daemon = await house.start()
    const session = await beginFeature(daemon, house.project.dir, SMALL_FORM)
    const holds: string[] = []
    const over = new AbortController()
    const killing = killClients(house, 2, over.signal)
    const seen = await completeSmall(
      () => daemon,
      session,
      (kind) => holds.push(kind),
    )
    over.abort()
    expect(await killing).toBe(2)
    const events = await eventsOf(daemon, new Person(house, session))
    expect(await wrongWith(daemon, { ...seen, events })).toEqual([])
    expect([...new Set(holds)].filter((kind) => kind !== 'agent_failed')).toEqual([])
    await daemon.stop()
    expect(await leftRunning(house)).toEqual([])
  } finally {
    await house.close()
  }
})
