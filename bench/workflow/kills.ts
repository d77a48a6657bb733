import { openHouse } from '../../test/support/feature/house.ts'
import { liveThroughKills, seeded } from '../../test/support/feature/kills.ts'

/** A story does not get further with more: some of its runs would never end. */
const KILLS_A_STORY = 10
/** Up to where the last stages begin, so that those are hit as well. */
const LONGEST_QUIET_MS = 120_000

interface Survival {
  binary: string
  kills: number
  seed: number
  longestMs: number
}

/** Story after story, until the daemon has been killed so many times. The number of promises that did not hold. */
export async function survive({ binary, kills, seed, longestMs }: Survival): Promise<number> {
  const random = seeded(seed)
  const places = new Map<string, number>()
  let [left, broken, stories] = [kills, 0, 0]
  while (left > 0) {
    const house = await openHouse({ binary })
    try {
      const lived = await liveThroughKills(house, {
        kills: Math.min(left, KILLS_A_STORY),
        longestMs,
        quietMs: random() * LONGEST_QUIET_MS,
        random,
      })
      left -= lived.kills.length
      broken += lived.broken.length
      for (const { where } of lived.kills) places.set(where, (places.get(where) ?? 0) + 1)
      console.log(`story ${++stories}: ${lived.kills.map(({ afterMs, where }) => `${where}@${afterMs}`).join(', ')}`)
      for (const line of lived.broken) console.log(`  BROKEN ${line}`)
      for (const line of house.simulator.problems) console.log(`  the model saw: ${line}`)
    } finally {
      await house.close()
    }
  }
  console.log(`\n${kills} kills in ${stories} stories, ${broken} promises broken. Killed in stage and task:`)
  for (const [where, count] of [...places].sort()) console.log(`  ${String(count).padStart(4)}  ${where}`)
  return broken
}
