import type { Socket } from 'node:net'
import { UntrustedBodies } from '../bodies/untrusted-bodies.ts'
import type { ClientEnd } from '../client/client-end.ts'
import { foreignHost, foreignOrigin, keyMissing, loop, noRoom, type OwnError } from '../client/errors.ts'
import type { RequestHead } from '../headers.ts'
import { isModelCall, mayAskModel } from '../relay-request.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { Admission, type AdmissionOptions } from './admission.ts'
import type { HostCheck } from './host-check.ts'

interface Needs {
  upstream: Pick<Upstream, 'host' | 'isOwnConnection'>
  hosts: HostCheck
  admission: AdmissionOptions | undefined
  maxBodyBytes: number
  untrustedBytes: number
}

/**
 * What is decided about a request before its body is read: whether it was meant for the proxy, whether it is this user's,
 * and whether there is memory for the body of one that is not known to be.
 */
export class Entrance {
  readonly #upstream: Needs['upstream']
  readonly #hosts: HostCheck
  readonly #admission: Admission
  readonly #room: UntrustedBodies
  readonly #maxBodyBytes: number

  constructor({ upstream, hosts, admission, maxBodyBytes, untrustedBytes }: Needs) {
    this.#upstream = upstream
    this.#hosts = hosts
    this.#admission = new Admission(admission)
    this.#room = new UntrustedBodies(untrustedBytes)
    this.#maxBodyBytes = maxBodyBytes
  }

  /** Why a request is refused by its head alone: a loop, a host that is not ours, or another web page. */
  refuse({ host, origin, fetchSite }: RequestHead, socket: Socket): OwnError | undefined {
    if (this.#upstream.isOwnConnection(socket)) return loop(this.#upstream.host)
    if (!this.#hosts.allowsHost(host)) return foreignHost(host)
    if (origin !== undefined) return this.#hosts.allowsOrigin(origin) ? undefined : foreignOrigin(origin)
    // A page that merely loads from here sends no Origin.
    return fetchSite !== undefined && /cross-site|same-site/i.test(fetchSite) ? foreignOrigin(fetchSite) : undefined
  }

  /** Whether `admit` would let the request in at once, so that the fast path may read it. */
  admitsAtOnce(head: RequestHead, socket: Socket): boolean {
    if (this.#admission.isStrict || this.refuse(head, socket) !== undefined) return false
    return this.#admission.knows(socket) || this.#fits(head, socket)
  }

  /** Calls `go` with whether the request is this user's, or with the promise of it; or has the client refused. */
  admit(client: ClientEnd, head: RequestHead, go: (isOurs: boolean | Promise<boolean>) => void): void {
    const { request } = client
    const { socket } = request
    const admission = this.#admission
    const isKeyed = admission.takeKey(request)
    // Only model calls are recorded, so for anything else the owner of the connection is not looked up.
    const isOfNote = isModelCall(request) || mayAskModel(request, head)
    const isKnown = isKeyed || admission.knows(socket)
    const isRoom = isKnown || this.#fits(head, socket)
    const isOurs = isKeyed || ((admission.isStrict || isOfNote || !isRoom) && admission.isOurs(socket))
    if (!isKnown && isRoom) {
      this.#room.take(socket, this.#lengthOf(head))
      void Promise.resolve(isOurs).then((ours) => ours && this.#room.give(socket))
    }
    if (isKeyed || (isRoom && !admission.isStrict)) return go(isOurs)
    const why = admission.isStrict ? keyMissing() : noRoom()
    void Promise.resolve(isOurs).then((ours) => (ours ? go(isOurs) : client.refuse(why)))
  }

  #fits(head: RequestHead, socket: Socket): boolean {
    return this.#room.fits(socket, this.#lengthOf(head))
  }

  /** The most bytes that the body may have. */
  #lengthOf({ contentLength, transferEncoding }: RequestHead): number {
    return transferEncoding === undefined
      ? Math.min(Number(contentLength ?? 0) || 0, this.#maxBodyBytes)
      : this.#maxBodyBytes
  }
}
