/** The newest ids and whose each is. A value like any other: adding copies one short page and shares the full ones. */
export interface OwnedIds<Owner> {
  readonly page: readonly (readonly [id: string, owner: Owner])[]
  /** Oldest first. */
  readonly full: readonly ReadonlyMap<string, Owner>[]
}

export const NO_OWNED_IDS: OwnedIds<never> = { page: [], full: [] }

export function isEmpty({ page, full }: OwnedIds<unknown>): boolean {
  return page.length === 0 && full.length === 0
}

const PAGE = 20
const PAGES = 10

export function withOwned<Owner>(before: OwnedIds<Owner>, ids: readonly string[], owner: Owner): OwnedIds<Owner> {
  if (ids.length === 0) return before
  const page = [...before.page, ...ids.map((id) => [id, owner] as const)]
  if (page.length < PAGE) return { page, full: before.full }
  return { page: [], full: [...before.full, new Map(page)].slice(-PAGES) }
}

/** What was said last of an id counts. */
export function ownerOf<Owner>({ page, full }: OwnedIds<Owner>, id: string): Owner | undefined {
  const recent = page.findLast(([one]) => one === id)
  return recent ? recent[1] : full.findLast((known) => known.has(id))?.get(id)
}
