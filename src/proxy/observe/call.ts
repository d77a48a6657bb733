import type { IncomingHttpHeaders } from 'node:http'
import type { RequestScan } from '#protocol/request-scan.ts'
import type { ModelCall } from '#supervisor/call.ts'
import type { ClientRequest } from '../client/client-end.ts'
import { headersByName, type RequestHead } from '../headers.ts'
import type { KnownScans } from './known-scans.ts'

/** A Messages call as the observer sees it; what costs something is worked out on first use, and once. */
export class Call implements ModelCall {
  readonly sessionId?: string
  readonly agentId?: string
  #scan: RequestScan | undefined | 'not yet' = 'not yet'
  #headers: IncomingHttpHeaders | undefined
  facts?: ModelCall['facts']
  /** Set when the upstream has all of the body: from then on only the observer reads it. */
  isSent = false

  constructor(
    private readonly request: ClientRequest,
    public body: Buffer,
    private readonly head: RequestHead,
    private readonly scans: KnownScans,
  ) {
    if (head.sessionId !== undefined) this.sessionId = head.sessionId
    if (head.agentId !== undefined) this.agentId = head.agentId
  }

  get path(): string {
    return this.request.url
  }

  get headers(): IncomingHttpHeaders {
    this.#headers ??= headersByName(this.request.rawHeaders)
    return this.#headers
  }

  get scan(): RequestScan | undefined {
    if (this.#scan === 'not yet') this.#scan = this.scans.scan(this.#conversation, this.body)
    return this.#scan
  }

  /** A subagent has a conversation of its own within the session. */
  get #conversation(): string | undefined {
    return this.sessionId === undefined ? undefined : `${this.sessionId} ${this.agentId ?? ''}`
  }

  /** How the client had compressed the body. */
  get contentEncoding(): string | undefined {
    return this.head.contentEncoding
  }

  /** Takes the body away: code that still reads it finds nothing, rather than the next request in the same memory. */
  done(): void {
    if (!this.isSent) return
    const { body, facts } = this
    this.isSent = false
    this.body = NO_BYTES
    if (typeof facts === 'object') facts.layout.body = NO_BYTES
    if (this.#scan === 'not yet') this.#scan = undefined
    this.scans.release(this.#conversation, body)
  }

  /** The same call with its body decoded. */
  withBody(body: Buffer): Call {
    return new Call(this.request, body, this.head, this.scans)
  }
}

const NO_BYTES = Buffer.alloc(0)
