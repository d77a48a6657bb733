/** Keys that are written as a list of their bytes: `[18, 240, 5, …]`, `{ 0x4f, 0x91, … }`. */

/** As many as a key has at least; fewer are addresses, versions and colours. */
const BYTES =
  /[[{(][ \t\r\n]{0,40}((?:(?:0x[0-9a-f]{1,2}|\d{1,3}),\s{0,40}){15,127}(?:0x[0-9a-f]{1,2}|\d{1,3})),?\s{0,40}[\]})]/gi
/** What a long list belongs to: a file of a wallet, or something that is called private. */
const OF_A_KEY = /secret|private|keypair|id\.json|wallet|seed|mnemonic|phrase/i
const MANY = 32
/** Two digits at a time: `2F 81 …`. */
const PAIRS = /(?<![0-9a-f][ \t]?)(?:[0-9a-f]{2} ){15,63}[0-9a-f]{2}(?! ?[0-9a-f])/gi
/** A name for a key, and what stands between it and its bytes. */
const NAMED =
  /(?:^|[^a-z])((?:public[ \t])?(?:[a-z\d]{1,30}[_-]){0,5}[a-z\d]{0,30}(?:key|secret|psk|seed|password))(?:[_-](?:bytes|data|hex|raw|\d{1,3}))?(?:\[\w{0,20}\])?["']?[ \t]{0,4}[:=(]{1,2}[ \t]{0,4}(?:new[ \t])?\(?(?:&?\[\]byte|\[\d{1,3}\]byte|(?:const[ \t])?(?:u?int8_t|byte|u8|char|uchar)[ \t]?\[\d{0,3}\]|\w{0,20}array\w{0,8}|bytes|bytearray|vec!|listof|byte(?:array)?of|Buffer\.from)?[ \t]{0,4}[()]?[ \t]?$/i
const OPENS_NOTHING = /pub(?:lic)?_?-?|primary|foreign|cache|sort/i

/** Masks the bytes of keys. */
export function keyBytes(text: string, mask: string): string {
  if (!MAY_HOLD.test(text)) return text
  const named = (before: string) => {
    const name = NAMED.exec(before)?.[1]
    return name !== undefined && !OPENS_NOTHING.test(name)
  }
  const paired = text.replace(PAIRS, (pairs, at: number) =>
    named(text.slice(Math.max(0, at - 100), at)) && new Set(pairs.split(' ')).size > 8 ? mask : pairs,
  )
  return paired.replace(BYTES, (list, bytes: string, at: number) => {
    const before = paired.slice(Math.max(0, at - 100), at)
    const values = bytes.split(',').map((each) => Number(each.trim()))
    if (values.some((value) => value > 255) || new Set(values).size * 3 < Math.min(values.length, MANY) * 2) return list
    const isNamed = named(before) && !isCounting(values)
    const isKept =
      values.length >= MANY &&
      (OF_A_KEY.test(before) || OF_A_KEY.test(paired.slice(at + list.length, at + list.length + 40)))
    return isNamed || isKept ? mask : list
  })
}

const MAY_HOLD = /key|secret|psk|seed|password|private|id\.json|wallet|mnemonic|phrase/i

/** 0, 1, 2, … is an example or a table. */
function isCounting(values: readonly number[]): boolean {
  const steps = values.slice(1).filter((value, at) => Math.abs(value - values[at]!) <= 1).length
  return steps * 2 > values.length
}
