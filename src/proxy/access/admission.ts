import { createHash, timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ClientRequest } from '../client/client-end.ts'

/** By what the proxy recognises the requests of its own user. */
export interface AdmissionOptions {
  /** What `grove claude` puts into the base URL's path, see `keyedUrl`. */
  key: string
  /** Whether a connection is this user's own; false also where the system does not tell. */
  isOurs(connection: Socket): Promise<boolean>
  /** The proxy listens beyond loopback: then only known callers are served. */
  isOpen: boolean
}

const KEYED = /^\/grove-([\w-]{32})(?=\/|$|\?)/

/** A base URL that says for which home a request is to be recorded. */
export function keyedUrl(url: string, key: string): string {
  return `${url}/grove-${key}`
}

/** The base URL without the key, for comparing. */
export function unkeyedUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { origin, pathname } = new URL(url)
  return KEYED.test(pathname) ? origin + pathname.replace(KEYED, '') : url
}

/**
 * Tells whether a request is this user's: by the key in its path, which is taken out before the request goes on, else by the
 * owner of its connection, looked up once for each connection. Requests of others, who may share the machine, pass
 * unrecorded and unchanged.
 */
export class Admission {
  readonly #owners = new WeakMap<Socket, boolean | Promise<boolean>>()

  readonly #key: Buffer | undefined

  constructor(private readonly options: AdmissionOptions | undefined) {
    this.#key = options && digest(options.key)
  }

  /** Only known callers are served. */
  get isStrict(): boolean {
    return this.options?.isOpen === true
  }

  /** Takes the key out of the request's path, and says whether it is this user's as far as that tells. */
  takeKey(request: ClientRequest): boolean {
    if (!this.options) return true
    const { url } = request
    if (!url.startsWith('/grove-')) return false
    const [whole, offered] = KEYED.exec(url) ?? []
    if (!whole) return false
    const rest = url.slice(whole.length)
    request.url = rest[0] === '/' ? rest : `/${rest}`
    // Digests are compared, so that the time it takes tells nothing of the key.
    return timingSafeEqual(digest(offered!), this.#key!)
  }

  /** Whether the connection is known to be this user's without a look at its owner, or the owner makes no difference. */
  knows(socket: Socket): boolean {
    return !this.options || this.#owners.get(socket) === true
  }

  /** Whether the connection is this user's. Known at once from the second request on. */
  isOurs(socket: Socket): boolean | Promise<boolean> {
    const known = this.#owners.get(socket)
    if (known !== undefined) return known
    const asked = this.options!.isOurs(socket).catch(() => false)
    this.#owners.set(socket, asked)
    void asked.then((ours) => this.#owners.set(socket, ours))
    return asked
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
