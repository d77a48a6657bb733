/**
 * Which projects this home shares with a team. One value holds the consent and the exchanges under way, so that stopping
 * and sending exclude each other whichever process does them.
 */
export interface Shares {
  /** By project id. */
  projects: Record<string, Share>
  /** Pages that are being sent or fetched, each by an id of its own. */
  exchanges: Record<string, Exchange>
}

export interface Share {
  /** Server, port and database. Missing where a version that shared every project had sent this one before. */
  team?: string
  at: number
}

interface Exchange {
  projectId: string
  /** When the lease ends, also that of a process that has died. */
  until: number
}

/** A team's id: host, port and name of its database. Login and password may change and are left out. */
export function teamAt(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname.toLowerCase() || 'localhost'}:${port || 5432}${pathname}`
}

/** What a home begins with: the projects that were sent before each had to be shared by itself. */
export function firstShares(sentBefore: readonly string[], at: number): Shares {
  return { projects: Object.fromEntries(sentBefore.map((id) => [id, { at }])), exchanges: {} }
}

export function isSharedWith({ projects }: Shares, projectId: string, team: string): boolean {
  const share = projects[projectId]
  return share !== undefined && (share.team === undefined || share.team === team)
}

export function sharedWith(shares: Shares, team: string): string[] {
  return Object.keys(shares.projects).filter((id) => isSharedWith(shares, id, team))
}

/** A home has one team: consent given for another does not hold for this one, and does not come back. */
export function withTeam(shares: Shares, team: string): Shares {
  const kept = sharedWith(shares, team).map((id): [string, Share] => [id, { ...shares.projects[id]!, team }])
  return { ...shares, projects: Object.fromEntries(kept) }
}

export function withShare(shares: Shares, projectId: string, share: Required<Share>): Shares {
  return { ...shares, projects: { ...shares.projects, [projectId]: share } }
}

/** Without these projects, or without any. */
export function withoutShares({ projects, exchanges }: Shares, ended: readonly string[] | undefined): Shares {
  const kept = Object.entries(projects).filter(([id]) => ended !== undefined && !ended.includes(id))
  return { projects: Object.fromEntries(kept), exchanges }
}

/**
 * Begins an exchange if the project is still shared; those that are overdue are dropped. What was shared before teams
 * were told apart belongs to this one from now on.
 */
export function withExchange(
  shares: Shares,
  id: string,
  { projectId, team, now, until }: Exchange & { team: string; now: number },
): Shares {
  const open = Object.entries(shares.exchanges).filter(([, exchange]) => exchange.until > now)
  const exchanges = Object.fromEntries(open)
  if (!isSharedWith(shares, projectId, team)) return { ...shares, exchanges }
  const projects = { ...shares.projects, [projectId]: { ...shares.projects[projectId]!, team } }
  return { projects, exchanges: { ...exchanges, [id]: { projectId, until } } }
}

export function withoutExchange({ projects, exchanges }: Shares, id: string): Shares {
  const { [id]: _ended, ...open } = exchanges
  return { projects, exchanges: open }
}

/** Whether something of these projects, or of any, is on its way. */
export function isExchanging({ exchanges }: Shares, projectIds: readonly string[] | undefined, now: number): boolean {
  return Object.values(exchanges).some(
    ({ projectId, until }) => until > now && (projectIds === undefined || projectIds.includes(projectId)),
  )
}
