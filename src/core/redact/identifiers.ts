/**
 * Values that stand where nothing secret does, however random they read: the commit behind "reverts", the id of a request, the hash in the
 * name of a built file, the host of an address, the name of a variable, a public key.
 */

/** So much before a value says what it is. */
const NEAR = 60

/** Values that are none wherever they stand. */
const ANYWHERE: RegExp[] = [
  // public keys, their kinds and their files
  /^AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh|GnNrL)[\w+/]{16,}={0,3}$/,
  /^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-(?:ssh|ecdsa)-[\w@.-]{4,40}|id_(?:rsa|dsa|ecdsa|ed25519))$/,
  // 6fe100e45f..f6d0768bee, ^8a2bdf49
  /^[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}$|^\^[0-9a-f]{7,12}$/,
  /^h1:[\w+/]{43}=$/,
  // ctrl+shift+f12
  /^(?:(?:ctrl|control|cmd|command|alt|option|opt|shift|meta|super|win|mod|fn)[+-]){1,4}[^\s+]{1,12}$/i,
  // names in networks that everybody may know
  /^npub1[a-z0-9]{58}$|^Qm[1-9A-HJ-NP-Za-km-z]{44}$|^bafy[a-z2-7]{50,}$/,
  // a public key of minisign and signify
  /^RW[A-Za-z0-9+/]{54}$/,
  // the pieces of a chess board
  /^(?:[1-8pnbrqkPNBRQK]{1,8}\/){7}[1-8pnbrqkPNBRQK]{1,8}$/,
  // where in a function: Release+0x40, module!Class::Release+0x1f4
  /^:{0,2}[A-Za-z_~][\w:~<>.!@]{0,120}\+0x[0-9a-f]{1,8}$/i,
  // what Kubernetes puts behind the names it makes up
  /^[a-z]{2,30}(?:-[a-z]{2,30}){1,6}(?:-[0-9a-f]{8,10})?-(?=[a-z]{0,4}\d)[bcdfghjklmnpqrstvwxz2456789]{5}$/,
  // @db:5432/shop
  /^@[\w.-]{1,80}:\d{2,5}(?:\/[\w.-]{0,40})?$/,
]

/** What a value is by what stands before it. */
const BEHIND: [before: RegExp, value: RegExp][] = [
  [
    /(?:commit|revert(?:s|ed|ing)?|cherry[ -]pick(?:s|ed)?(?: from)?|fixup|parent|tree|merge[sd]?|rebased?(?: onto)?|"reference"|revision)["']?[: ]{1,2}["']?$|^\[$/i,
    /^[0-9a-f]{40}$/,
  ],
  // `request=…`, `"trace_id": "…"`, `X-Amz-Cf-Id: …`; the id of a session opens one.
  [
    /(?:^|[^a-z])(?:(?:request|trace|span|correlation|operation|event|message|build|run|job|version)(?:[ _-]?id)?|etag|x-(?!(?:[a-z]{1,20}-){0,3}(?:session|auth|token|key|secret|access))[a-z-]{1,30}-id)["']?[ \t]{0,2}[:=][ \t]{0,2}(?:W\/)?["']?$/i,
    /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w+/-]{16,80}={0,2})$/i,
  ],
  [
    /(?:^|[^a-z])(?:(?:sha\d{0,3}|md5)(?:sum)?|checksum|digest)["']?[ \t]{0,2}[:=][ \t]{0,4}["']?$/i,
    /^[0-9a-f]{32,128}$/i,
  ],
  [/ObjectId\(["']$/, /^[0-9a-f]{24}$/],
  // Public key of the release: …
  [
    /(?:^|[^a-z])pub(?:lic)?[ _-]?key["']?(?:[ \t]{1,2}(?!private|secret)[\w().-]{1,24}){0,3}[ \t]{0,2}[:=]?[ \t]{0,2}["']?$/i,
    /^[\w+/.:-]{16,200}={0,2}$/,
  ],
  // =?utf-8?Q?zur=C3=BCck?=
  [/=\?[\w-]{2,20}\?[qb]\?[^?\s]{0,60}$/i, /^\S/],
  [/\bh1:$/, /^[\w+/]{43}=$/],
  [/\$$/, /^[A-Z_][A-Z\d_]{2,60}(?:\/[\w./-]{0,60})?$/],
  [/<\/?$/, /^[a-z]{1,20}(?:-[a-z]{1,20}){1,5}$/],
]

const HOST = /^[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}$/
const HOST_AND_PORT = /^[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}:\d{2,5}(?:\/[\w.-]{0,40})?$/
const ENDS_HOST = /^(?:[/?"'\s]|$)/
const HASH_OF_FILE = /^(?:[0-9a-f]{8,64}|[\w-]{6,12})$/i
const ENDS_FILE = /^\.(?:[cm]?js|css|map|woff2?|png|svg|webp|jpe?g)(?!\w)/

/** Whether the value at this place of a line is known to be none by its place. */
export function isIdentifier(line: string, start: number, end: number): boolean {
  const value = line.slice(start, end)
  const before = line.slice(Math.max(0, start - NEAR), start)
  const after = line.slice(end, end + 7)
  if (ANYWHERE.some((shape) => shape.test(value))) return true
  if (BEHIND.some(([sign, shape]) => shape.test(value) && sign.test(before))) return true
  if (before.endsWith('@') && HOST_AND_PORT.test(value) && ENDS_HOST.test(after)) return true
  if (before.endsWith('://') && HOST.test(value) && ENDS_HOST.test(after)) return true
  return /[-.]$/.test(before) && HASH_OF_FILE.test(value) && ENDS_FILE.test(after)
}
