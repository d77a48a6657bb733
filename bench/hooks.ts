import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EVENTS, payloads } from './hooks/events.ts'
import { measureGuard } from './hooks/guard.ts'
import { askHttp, launcher } from './hooks/measure.ts'
import { type Answered, printReport, type Ran, summarise } from './hooks/report.ts'
import { setStage } from './hooks/stage.ts'

/** npm run bench hooks -- [--rounds 15] [--http 40] [--guard] [--json] */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    /** Http requests per event and round: each takes so little that one alone says nothing. */
    http: { type: 'string', default: '40' },
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
    const took = {
      node: await run(process.execPath, ['-e', '0'], '/dev/null', {}),
      command: await run(stage.up.script, [event], input(ways.command), stage.up.env),
      client: await run(process.execPath, [stage.client, event], input(ways.client), stage.up.env),
      down: await run(stage.down.script, [event], input(ways.down), stage.down.env),
    }
    for (let i = 0; i < Number(options.http); i++) {
      const empty = await askHttp(stage.emptyUrl, '/empty', stage.token, body(i))
      const http = await askHttp(stage.webUrl, `/hooks/${event}`, stage.token, body(i))
      if (round > 0) answered.push({ event, empty, http })
    }
    if (round > 0) ran.push({ event, ...took })
  }
}
const guard = options.guard ? await measureGuard(stage, run, rounds) : undefined
const summary = summarise(ran, answered, guard)
if (options.json) console.log(JSON.stringify(summary, null, 2))
else printReport(summary)
close()
stage.close()
process.exit(0)
