import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { EVENTS, payloads } from './hooks/events.ts'
import { measureGuard } from './hooks/guard.ts'
import { askHttp, cpuMsOf, launcher } from './hooks/measure.ts'
import { type Answered, printReport, type Ran, summarise } from './hooks/report.ts'
import { setStage } from './hooks/stage.ts'

/** npm run bench hooks -- [--rounds 15] [--http 12] [--guard] [--json] */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    /** Sessions over http per round: one request takes so little that it says nothing alone. */
    http: { type: 'string', default: '12' },
    /** Milliseconds between two requests: an agent's next event never comes at once. */
    pause: { type: 'string', default: '40' },
    /** Only over http. */
    quick: { type: 'boolean', default: false },
    guard: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)

const stage = await setStage()
const { run, close } = launcher()
const ran: Ran[] = []
const answered: Answered[] = []

// The first round fills caches, of the machine and of V8, and does not count.
for (let round = 0; round <= rounds; round++) {
  for (const event of EVENTS) {
    const { body, ...ways } = payloads(event, round, stage.project)
    const input = (text: string) => {
      const file = join(stage.project, '..', 'payload.json')
      writeFileSync(file, text)
      return file
    }
    if (!options.quick) {
      const took = {
        node: await run(process.execPath, ['-e', '0'], '/dev/null', {}),
        command: await run(stage.up.script, [event], input(ways.command()), stage.up.env),
        client: await run(process.execPath, [stage.client, event], input(ways.client()), stage.up.env),
        down: await run(stage.down.script, [event], input(ways.down()), stage.down.env),
      }
      if (round > 0) ran.push({ event, ...took })
    }
    for (let i = 0; i < Number(options.http); i++) {
      const text = body(i)
      const ask = {
        empty: () => askHttp(stage.emptyUrl, '/empty', stage.token, text),
        http: () => askHttp(stage.webUrl, `/hooks/${event}`, stage.token, text),
      }
      await sleep(Number(options.pause))
      const before = cpuMsOf(stage.daemon)
      // By turns the first, because the first after a pause is the slower one.
      const first = i % 2 === 0 ? await ask.empty() : undefined
      const http = await ask.http()
      const empty = first ?? (await ask.empty())
      await sleep(Number(options.pause))
      if (round > 0) answered.push({ event, empty, http, cpuMs: cpuMsOf(stage.daemon) - before })
    }
  }
}
const guard = options.guard ? await measureGuard(stage, run, rounds) : undefined
const summary = summarise(ran, answered, guard)
if (options.json) console.log(JSON.stringify(summary, null, 2))
else printReport(summary)
close()
stage.close()
process.exit(0)
