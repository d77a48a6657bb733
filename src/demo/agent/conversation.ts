import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { CLIENT_VERSION, type Message } from './model.ts'
import type { ToolCall } from './tools.ts'

interface About {
  sessionId: string
  cwd: string
  /** `cli` where a person sits before it, `sdk-cli` where Grove drives it. */
  entrypoint: 'cli' | 'sdk-cli'
}

/** What was said, kept in a file as Claude Code keeps its transcripts, so that another process can go on with it. */
export class Conversation {
  readonly file: string
  readonly messages: Message[] = []
  /** The call that waits for a person's answer. */
  parked: ToolCall | undefined
  readonly #about: About

  constructor(file: string, about: About) {
    this.file = file
    this.#about = about
    mkdirSync(dirname(file), { recursive: true })
    if (existsSync(file)) this.#read(readFileSync(file, 'utf8'))
  }

  add(message: Message): void {
    this.messages.push(message)
    this.#append({ type: message.role, message })
  }

  park(call: ToolCall): void {
    this.#append({ type: 'attachment', attachment: { type: 'hook_deferred_tool', toolUseId: call.id, call } })
  }

  #append(line: object): void {
    const { sessionId, cwd, entrypoint } = this.#about
    const common = { uuid: randomUUID(), sessionId, cwd, entrypoint, version: CLIENT_VERSION, isSidechain: false }
    appendFileSync(this.file, `${JSON.stringify({ ...common, timestamp: new Date().toISOString(), ...line })}\n`)
  }

  #read(text: string): void {
    for (const line of text.split('\n').filter(Boolean)) {
      const { message, attachment } = JSON.parse(line) as { message?: Message; attachment?: { call: ToolCall } }
      if (message) this.messages.push(message)
      this.parked = attachment?.call
    }
  }
}
