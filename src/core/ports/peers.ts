/** The ends of a connection to a listener of ours, as the socket names them. */
export interface Connection {
  localAddress?: string | undefined
  localPort?: number | undefined
  remoteAddress?: string | undefined
  remotePort?: number | undefined
}

/**
 * The owner of a connection: this user; the system, which may read everything anyway and connects on behalf of others; another
 * user; or unknown, where the system does not tell. A connection of this machine that its process has closed already has no
 * owner any more, and counts as another user's.
 */
export type PeerOwner = 'ours' | 'system' | 'another' | 'unknown'

/** Whether a process descends from an agent: surely, perhaps, or not. */
export type Descent =
  | { of: 'agent'; how: string }
  /** `isBrowser`: the process is a browser, which an agent may have started too. */
  | { of: 'unclear'; how: string; isBrowser: boolean }
  | { of: 'person' }

/** Looks up which process and user are at the far end of a connection from this machine. */
export interface Peers {
  ownerOf(connection: Connection): Promise<PeerOwner>
  /** Undefined where the system does not tell which process it is. */
  descentOf(connection: Connection): Promise<Descent | undefined>
}
