/** The ends of a connection to a listener of ours, as the socket names them. */
export interface Connection {
  localAddress?: string | undefined
  localPort?: number | undefined
  remoteAddress?: string | undefined
  remotePort?: number | undefined
}

/**
 * Whose connection it is: this user's, that of the system (which may read everything anyway, and connects on behalf of
 * others), somebody else's, or more than the system tells. A connection of this machine that its process has closed already
 * is nobody's, and counts as somebody else's.
 */
export type PeerOwner = 'ours' | 'system' | 'another' | 'unknown'

/** Whether a process descends from an agent: surely, perhaps, or not. */
export type Descent =
  | { of: 'agent'; how: string }
  /** `isBrowser`: it runs one, which may be anybody's. */
  | { of: 'unclear'; how: string; isBrowser: boolean }
  | { of: 'person' }

/** Who is at the far end of connections from this machine. */
export interface Peers {
  ownerOf(connection: Connection): Promise<PeerOwner>
  /** Undefined where the system does not tell which process it is. */
  descentOf(connection: Connection): Promise<Descent | undefined>
}
