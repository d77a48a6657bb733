import { appendElement, valueAt } from '#protocol/request-scan.ts'
import { type MessagesCall, type ObservedTurn, startProxy } from '#proxy/server.ts'

const BLOCK = JSON.stringify({
  type: 'text',
  text: `What the team knows about this code:\n${'- keep dates in UTC\n'.repeat(40)}`,
})

/** Grove with everything on: each request gets a block in `system`, each answer is read and its facts are recorded. */
export async function runGrove(target: string): Promise<void> {
  const log = { debug: quiet, info: quiet, warn: complain, error: complain }
  const proxy = await startProxy({
    host: '127.0.0.1',
    port: 0,
    target,
    log,
    observer: { prepare, observe, returnsBodies: true },
  })
  process.once('SIGTERM', () => {
    if (recordedBytes === 0) complain({}, 'nothing was recorded')
    void proxy.close(0).then(() => process.exit())
  })
  process.send?.({ port: proxy.port })
}

function prepare({ body, scan }: MessagesCall) {
  const system = scan?.keys.get('system')
  return system && [appendElement(body, system, BLOCK)]
}

/** Stands for the store: what a record's row would take. */
let recordedBytes = 0

/** What recording needs of a turn: who, what was asked last, what was done, what it cost. */
function observe({ call, answer, startedAt, endedAt, requestId }: ObservedTurn): void {
  const { scan } = call
  const last = scan?.arrays.get('messages')?.at(-1)
  if (!answer || !scan || !last) throw new Error('nothing to record')
  const record = {
    session: call.sessionId,
    model: valueAt(call.body, scan.keys.get('model')!),
    asked: wordsIn(valueAt(call.body, last)),
    turn: { id: answer.messageId, usage: answer.usage, stopReason: answer.stopReason, requestId },
    steps: answer.toolUses.map(({ id, name, input }) => ({ id, tool: name, file: input.path })),
    took: endedAt - startedAt,
  }
  recordedBytes += JSON.stringify(record).length
}

/** The user's own words; results of tools stay with the client. */
function wordsIn(message: unknown): string[] {
  const { content } = message as { content: string | { type: string; text?: string }[] }
  return typeof content === 'string' ? [content] : content.flatMap(({ type, text }) => (type === 'text' ? [text!] : []))
}

function quiet(): void {}

function complain(fields: object, message: string): void {
  console.error('grove:', message, fields)
}
