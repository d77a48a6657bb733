import { answerLine, errorLine, type HostRequest, requestLine } from '#protocol/stream-json/input.ts'
import type { OutputLineOf } from '#protocol/stream-json/output.ts'

type ClientRequest = OutputLineOf<'control_request'>['request']

/** Requests in both directions between us and one client, over its lines. */
export class ControlChannel {
  readonly #write: (line: string) => void
  readonly #serve: (request: ClientRequest, signal: AbortSignal) => Promise<object>
  readonly #asked = new Map<string, { resolve(answer: unknown): void; reject(error: Error): void }>()
  readonly #serving = new Map<string, AbortController>()
  #count = 0

  constructor(write: (line: string) => void, serve: (request: ClientRequest, signal: AbortSignal) => Promise<object>) {
    this.#write = write
    this.#serve = serve
  }

  /** Resolves to the client's answer; rejects when it refuses, or ends. */
  request(request: HostRequest): Promise<unknown> {
    this.#count += 1
    const id = `grove-${this.#count}`
    const answer = new Promise<unknown>((resolve, reject) => this.#asked.set(id, { resolve, reject }))
    this.#write(requestLine(id, request))
    return answer
  }

  /** The client's answer to a request of ours. */
  answered({ response }: OutputLineOf<'control_response'>): void {
    const asked = this.#asked.get(response.request_id)
    this.#asked.delete(response.request_id)
    if (response.subtype === 'success') asked?.resolve(response.response)
    else asked?.reject(new Error(response.error ?? 'The client refused a request.'))
  }

  /** A request of the client's. It is served beside the reading, so that it can be withdrawn. */
  async requested({ request_id: id, request }: OutputLineOf<'control_request'>): Promise<void> {
    const withdrawn = new AbortController()
    this.#serving.set(id, withdrawn)
    let answer: string
    try {
      answer = answerLine(id, await this.#serve(request, withdrawn.signal))
    } catch (error) {
      answer = errorLine(id, error instanceof Error ? error.message : String(error))
    }
    this.#serving.delete(id)
    if (!withdrawn.signal.aborted) this.#write(answer)
  }

  withdrawn({ request_id: id }: OutputLineOf<'control_cancel_request'>): void {
    this.#serving.get(id)?.abort()
  }

  /** The client has gone: open requests fail, and no answer is sent any more. */
  close(): void {
    for (const { reject } of this.#asked.values()) reject(new Error('Claude Code has ended.'))
    this.#asked.clear()
    for (const controller of this.#serving.values()) controller.abort()
  }
}
