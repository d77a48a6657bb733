/**
 * A unique id: 122 random bits in the shape of a UUID. Ids are no secrets, so the engine's own
 * randomness is enough; loading `node:crypto` would take longer than most of what a hook process does.
 */
export function randomId(): string {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
  const variant = '89ab'[Math.floor(Math.random() * 4)]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
