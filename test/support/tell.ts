import type { ClaudeRun, RunningClaude } from './claude.ts'
import type { Stage } from './stage.ts'
import { LISTENS, type ToldTurn } from './told-stories.ts'

/** Says each turn of a story to the client, in one session that is resumed; the runs, one for each turn. */
export async function tell(stage: Stage, turns: ToldTurn[]): Promise<ClaudeRun[]> {
  const runs: ClaudeRun[] = []
  for (const { says, meanwhile, isAfterRestart } of turns) {
    if (isAfterRestart) await stage.grove.restart()
    const resumed = runs[0] ? ['--resume', runs[0].sessionId!] : []
    const run = meanwhile.length > 0 ? typing(stage, says, meanwhile, resumed) : stage.run(says, { args: resumed })
    runs.push(await run)
    await stage.settled()
  }
  return runs
}

/** Types the next words each time the agent waits for some. */
async function typing(stage: Stage, says: string, meanwhile: string[], args: string[]): Promise<ClaudeRun> {
  const options = { args: ['--input-format=stream-json', ...args], input: typed(says), keepInput: true }
  const running = await stage.start('', options)
  for (const words of meanwhile) {
    await printed(running, LISTENS)
    running.child.stdin!.write(typed(words))
  }
  await result(running)
  running.child.stdin!.end()
  return running.done
}

/** A message of the user, as the client takes it on its standard input. */
export function typed(content: string): string {
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
}

/** Resolves when the client has printed a result: its turn is over. */
export async function result(running: RunningClaude): Promise<void> {
  await printed(running, '"type":"result"')
}

/** Resolves when the client prints these words from now on, or has ended. */
async function printed({ child, done }: RunningClaude, words: string): Promise<void> {
  let text = ''
  const seen = new Promise<void>((resolve) => {
    child.stdout!.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes(words)) resolve()
    })
  })
  await Promise.race([seen, done])
}
