import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALNUM, BASE32, BASE36, BASE64, type Draw, draw, HEX, UPPER, URL_SAFE } from './draw.ts'

/**
 * Texts with and without secrets, put together from templates (templates-*.txt, one a line): `‹pw›` is where a secret stands, `{w}`
 * where something ordinary does. Every text with a secret is written once more with a placeholder or a reference in its place.
 */

export interface Sample {
  kind: string
  text: string
  secret: string | null
}

export function templateSamples(folder: string, seed: number, rounds: number): Sample[] {
  const by = draw(seed)
  const placeholder = () => by.pick(placeholders)
  const lines = (name: string) =>
    readFileSync(join(folder, `templates-${name}.txt`), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replaceAll('\\n', '\n').replaceAll('\\t', '\t'))
  const placeholders = lines('placeholders')
  return Array.from({ length: rounds }).flatMap((_, round) => [
    ...lines('secrets').flatMap((template) => [
      secretSample(template, by),
      ...(round % 2 === 0
        ? [{ kind: 'placeholder', text: filled(filled(template, by, placeholder), by, placeholder), secret: null }]
        : []),
    ]),
    ...lines('ordinary').map((template) => ({ kind: 'ordinary', text: filled(template, by, String), secret: null })),
  ])
}

/** What strangers wrote, in the same notation; `‹=N000›` draws a noun and digits, `‹hex:32›` as many digits. Each knows its set. */
export function strangersSamples(folder: string, seed: number): (Sample & { set: string })[] {
  const by = draw(seed)
  return readFileSync(join(folder, 'strangers.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ set, text }: { set: string; text: string }) => {
      let secret: string | null = null
      const drawn = text.replace(/‹([^›]+)›/, (_, shape: string) => (secret = shaped(shape, by)))
      return { set, kind: set, text: drawn, secret }
    })
}

function shaped(shape: string, by: Draw): string {
  const [, kind, size] = /^(hex|HEX):(\d+)$/.exec(shape) ?? []
  if (kind !== undefined) return kind === 'hex' ? by.hex(Number(size)) : by.hex(Number(size)).toUpperCase()
  if (shape === 'uuid') return by.uuid()
  return shape.slice(1).replace(/[aA0nN]/g, (sign) => SHAPED[sign]!(by))
}

function secretSample(template: string, by: Draw): Sample {
  let secret = ''
  const text = filled(template, by, (kind) => (secret ||= (SECRETS[kind] ?? SECRETS.pw!)(by)))
  return { kind: 'template', text, secret }
}

function filled(template: string, by: Draw, secret: (kind: string, by: Draw) => string): string {
  return template
    .replace(
      /\{([a-z\d]{1,8}|[WU])(?::(\d+))?\}/gi,
      (match, slot: string, size?: string) => SLOTS[slot]?.(by, Number(size ?? 16)) ?? match,
    )
    .replace(/‹(\w+)›/g, (_, kind: string) => secret(kind, by))
}

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)

const NOUNS =
  'amber anvil apricot badger banjo barley beacon birch bison blossom bramble breeze button cactus camel canyon carbon cedar cello cherry cinder clover cobalt comet copper coral cotton cricket crystal dagger daisy delta desert dolphin dragon eagle ember falcon feather fennel fiddle flamingo forest fossil fox garlic ginger glacier granite guitar hammer harbor hazel hornet island jackal jaguar jasmine jungle juniper kettle lagoon lantern lemon lizard lobster lotus magnet mango maple marble meadow melon mustard nectar noodle nutmeg ocean olive onion orbit orchid otter oyster paddle panda paprika pebble pepper pickle pigeon pirate planet plum pocket poppy potato prairie puzzle quartz rabbit radish raven ribbon river rocket saddle saffron salmon sapphire shadow silver sparrow spider spruce stone summer summit sunset thistle thunder tiger timber tomato tulip tundra turtle umber valley velvet violet walnut walrus willow winter wolf yellow zebra'.split(
    ' ',
  )
const FOREIGN =
  'apfel birne krokus schnecke blume brücke wolke sommer garten kuchen vogel katze fenster schrank perro gato playa cielo montana naranja zapato ventana cachorro saudade janela estrela caminho papillon fromage maison soleil oiseau jardin fleur chien farfalla gatto cuore finestra strada albero fiets kaas huis bloem koekje wiatr kwiat domek ptak rzeka slunce zahrada kocka strom deniz kedi bahar yildiz lumi kukka talvi kissa joki hund blomma fjord bjork skog neko sakura hana kawa yuki ramen tanuki luna sol mare terra aurora nova oxalis zinnia hyacinth pimpernel zanzibar anatolia patagonia kilimanjaro kafka mozart picasso'.split(
    ' ',
  )
const FIRST =
  'regen sonnen wolken wasser stein apfel nacht stern mond feuer garten kaffee brief papier wald berg schnee kirsch moon sun rain butter pop snow star fire water river stone wind sea book tea cat fox honey black blue green silver copper paper pan agua luz monte mar casa lune fleur pierre vent bois sole neve fiume gelo zee maan regn natt skog sommer'.split(
    ' ',
  )
const SECOND =
  'schirm blume bruch fall pilz mus eule schnuppe schein tanz zwerg maschine taube stau meister hütte mann kuchen light shine drop fly corn flake fish side ware mill bell craft pot walker berry bird wood wheel boat town cakes queso rosa claro roja vert bleu noire doux blanc bianco verde caldo kaas schijn fiets bär dans sang rød'.split(
    ' ',
  )
const compound = (by: Draw) => by.pick(FIRST) + by.pick(SECOND)
const noun = (by: Draw): string =>
  by.pick([() => by.pick(NOUNS), () => compound(by), () => by.pick(FOREIGN), () => syllables(by)])()
/** Words that stand in every text; a password may have one beside others. */
const ORDINARY =
  'correct never always forever everywhere in on the of my we love horse open door light red dark good morning night time one big old new little happy free real world cloud data admin team super first last'.split(
    ' ',
  )
/** Letters alone, as many choose them. */
const words = (by: Draw): string =>
  by.pick([
    () => compound(by),
    () => noun(by) + noun(by),
    () => capital(compound(by)),
    () => capital(by.pick(FOREIGN) + by.pick(SECOND)),
    () => by.pick(FOREIGN) + by.pick(FOREIGN),
    () => `${noun(by)}${by.pick(['-', '-', '_', '.', '+', '&'])}${noun(by)}`,
    () => `${capital(noun(by))}${by.pick(['-', '-', '_', '.', '+', '&'])}${capital(noun(by))}`,
    () => `${noun(by)}-${capital(noun(by))}`,
    () => [noun(by), by.pick([noun(by), by.pick(ORDINARY)]), noun(by)].join(by.pick(['-', '_', '.', ''])),
    () => `${by.pick(ORDINARY)}-${noun(by)}`,
    () => `${noun(by)}-${by.pick(ORDINARY)}`,
    () => noun(by) + capital(by.pick(ORDINARY)) + capital(noun(by)),
    () => capital(noun(by)) + capital(noun(by)),
  ])()
/** Some words with spaces, where quotes stand around them. */
const spoken = (by: Draw): string =>
  Array.from({ length: 2 + by.below(4) }, () => by.pick([noun, noun, (b: Draw) => b.pick(ORDINARY)])(by)).join(' ')
/** A word that no language has. */
const syllables = (by: Draw) =>
  Array.from(
    { length: 2 + by.below(3) },
    () => by.text('bcdfghjklmnprstvwz', 1) + by.text('aeiou', 1) + (by.below(3) === 0 ? by.text('lmnrst', 1) : ''),
  ).join('')
const digits = (by: Draw, count: number) => by.text('0123456789', count)
const SIGNS = '!@#$%^*?+~-_=.'

const weak = (by: Draw) =>
  by.pick([
    () => `${capital(noun(by))}${digits(by, by.pick([2, 3, 4]))}`,
    () => `${noun(by)}${digits(by, by.pick([2, 3, 4, 4]))}`,
    () => `${noun(by)}${digits(by, by.pick([2, 3, 4]))}!`,
    () => `${capital(noun(by))}${by.pick(['!', '#', '@', '_', '-', '.', '$'])}${digits(by, by.pick([2, 4]))}`,
    () => `${capital(noun(by))}${capital(noun(by))}${digits(by, 2)}`,
    () => `${noun(by)}_${noun(by)}${digits(by, by.pick([1, 2, 3]))}`,
    () => leet(capital(noun(by) + noun(by))),
    () => `${leet(capital(noun(by)))}${by.pick(['!', '!!', '#1', '2024', '99'])}`,
    () => `${noun(by)}${by.pick(['.', '-', '_', '+', '', '!'])}${noun(by)}${digits(by, by.pick([1, 2, 3, 4]))}`,
    () => `${leet(capital(noun(by)))}${by.pick(['~', '_', '-', '.', '+', '='])}${digits(by, 2)}`,
    () =>
      `${digits(by, by.pick([1, 2, 3]))}${capital(noun(by))}${by.pick(['', '.', '*', '&', '-'])}${capital(noun(by))}${digits(by, by.pick([0, 1, 2]))}`,
    () => `${noun(by)}${capital(noun(by))}${by.pick(['!', '?', '#', '$'])}`,
    () => `${capital(noun(by))}${noun(by)}${digits(by, 1)}${by.pick(SIGNS.split(''))}`,
  ])()
const leet = (word: string) =>
  word.replaceAll('a', '4').replaceAll('e', '3').replaceAll('o', '0').replaceAll('i', '1').replace('s', '$')
const phrase = (by: Draw) => {
  const sign = by.pick(['-', '-', '_', '.'])
  const words = Array.from({ length: 2 + by.below(3) }, () => by.pick([noun, noun, (b: Draw) => capital(noun(b))])(by))
  words.splice(by.below(words.length + 1), 0, digits(by, by.pick([1, 2, 3])))
  return words.join(sign)
}
const drawn = (by: Draw) => by.text(ALNUM, 8 + by.below(14))
/** Of everything, as generators make them; without what ends a word where quotes are missing. */
const generated = (by: Draw) => by.text(ALNUM + ALNUM + SIGNS, 10 + by.below(14)).replace(/^\W|\W$/g, 'k')
const bare = (by: Draw) =>
  by.pick([
    weak,
    weak,
    weak,
    words,
    words,
    words,
    drawn,
    drawn,
    generated,
    phrase,
    (b: Draw) => b.text(BASE36, 10 + b.below(10)),
  ])(by)
const password = (by: Draw) =>
  by.pick([
    bare,
    bare,
    bare,
    (b: Draw) => b.text(`${ALNUM}${ALNUM}${SIGNS}/&;(),{}[]`, 12 + b.below(10)).replace(/^\W|\W$/g, 'm'),
  ])(by)
const hexKey = (by: Draw) => by.text(HEX, by.pick([24, 32, 32, 40, 48, 64]))
const key = (by: Draw) =>
  by.pick([
    () => hexKey(by),
    () => by.text(ALNUM, 20 + by.below(30)),
    () => by.text(ALNUM, 16 + by.below(6)),
    () => by.text(URL_SAFE, 24 + by.below(24)).replace(/^[-_]|[-_]$/g, 'q'),
    () => `${by.text(BASE64, 42)}k=`,
    () => by.uuid(),
    () => `${noun(by).slice(0, 3)}_${by.text(ALNUM, 24 + by.below(12))}`,
    () => by.text(BASE36, 25 + by.below(16)),
  ])()

const SECRETS: Record<string, (by: Draw) => string> = {
  pw: password,
  words,
  spoken,
  pwb: bare,
  weak,
  phrase,
  key,
  hex: hexKey,
  hexu: (by) => by.text(HEX, 32).toUpperCase(),
  b64: (by) => `${by.text(BASE64, 42)}A=`,
  b64u: (by) => by.text(URL_SAFE, 43).replace(/^[-_]|[-_]$/g, 'q'),
  b32: (by) => by.text(BASE32, by.pick([16, 26, 32])),
  uuid: (by) => by.uuid(),
  pin: (by) => digits(by, by.pick([4, 6])),
  app: (by) => Array.from({ length: 4 }, () => by.text('bcdfghjklmnpqrstvwxyz', 4)).join('-'),
  lic: (by) => Array.from({ length: 5 }, () => by.text(`${UPPER}0123456789`, 5)).join('-'),
  rec: (by) => Array.from({ length: 2 }, () => by.text(BASE36, 5)).join('-'),
  puk: (by) => digits(by, 8),
  cvv: (by) => digits(by, 3),
  code4: (by) => by.text(BASE36, 4),
  code6: (by) => by.text(`${UPPER}0123456789`, 6),
  code8: (by) => by.text(ALNUM, 8),
  alnum24: (by) => by.text(ALNUM, 24),
  upper20: (by) => by.text(UPPER, 20),
  kube: (by) => `${by.text(BASE36, 6)}.${by.text(BASE36, 16)}`,
}

const SHAPED: Record<string, (by: Draw) => string> = {
  a: (by) => by.text('abcdefghijklmnopqrstuvwxyz', 1),
  A: (by) => by.text(UPPER, 1),
  0: (by) => digits(by, 1),
  n: noun,
  N: (by) => capital(noun(by)),
}

const NAMES = (parts: readonly string[], by: Draw) => {
  const words = [...(by.below(3) === 0 ? [] : [by.words(1)]), ...by.pick(parts).split(' ')]
  return by.pick([
    () => words.join('_'),
    () => words.join('_').toUpperCase(),
    () => words.join('-'),
    () => words.map((word, at) => (at === 0 ? word : capital(word))).join(''),
    () => words.map(capital).join(''),
    () => words.join('.'),
    () => words.join(''),
  ])()
}

const SLOTS: Record<string, (by: Draw, size: number) => string> = {
  w: (by) => by.pick([by.words(1), noun(by)]),
  W: (by) => capital(by.pick([by.words(1), noun(by)])),
  U: (by) => by.pick([by.words(1), noun(by)]).toUpperCase(),
  user: (by) =>
    by.pick([
      'admin',
      'root',
      'deploy',
      'svc_backup',
      'app',
      'bob',
      'alice',
      'jenkins',
      'sa',
      'postgres',
      'readonly',
      'web1',
      'ci-bot',
      'kim',
      'jan',
      'app_rw',
      `${noun(by)}${by.below(90)}`,
    ]),
  host: (by) =>
    by.pick([
      `db.${noun(by)}.example.com`,
      `${noun(by)}.internal`,
      'localhost',
      '10.0.3.17',
      `db${by.below(9)}.local`,
      `api.${noun(by)}.io`,
      `${by.words(1)}-${by.below(9)}.corp.example`,
    ]),
  ip: (by) => `10.${by.below(255)}.${by.below(255)}.${by.below(255)}`,
  n: (by) => digits(by, by.pick([2, 3, 4])),
  n12: (by) => digits(by, 12),
  hex: (by, size) => by.hex(size),
  hexu: (by, size) => by.hex(size).toUpperCase(),
  hexu4: (by) => Array.from({ length: 10 }, () => by.hex(4).toUpperCase()).join(' '),
  hexcol: (by, size) => Array.from({ length: size }, () => by.hex(2)).join(':'),
  b64: (by, size) => by.text(BASE64, size),
  b64u: (by, size) => by.text(URL_SAFE, size),
  b36: (by, size) => by.text(BASE36, size),
  nix: (by) => by.text('0123456789abcdfghijklmnpqrsvwxyz', 52),
  nix32: (by) => by.text('0123456789abcdfghijklmnpqrsvwxyz', 32),
  alnum: (by, size) => by.text(ALNUM, size),
  alnumu: (by, size) => by.text(`${UPPER}0123456789`, size),
  uuid: (by) => by.uuid(),
  uuidu: (by) => by.uuid().toUpperCase(),
  ver: (by) => `${by.below(20)}.${by.below(30)}.${by.below(20)}`,
  date: (by) => `202${by.below(6)}-0${1 + by.below(9)}-1${by.below(9)}`,
  email: (by) => `${noun(by)}@example.com`,
  pwname: (by) =>
    NAMES(
      [
        'password',
        'password',
        'passwd',
        'pass',
        'pwd',
        'pw',
        'passphrase',
        'secret',
        'db password',
        'db pass',
        'root password',
        'smtp pass',
        'admin pw',
        'user password',
        'keystore password',
        'passwort',
        'kennwort',
        'mdp',
        'senha',
        'contrasena',
        'haslo',
        'heslo',
        'master password',
        'sudo pass',
        'ftp passwd',
        'psk',
        'password prod',
        'bind pw',
        'ldap bind password',
        'auth pass',
        'redis auth',
        'login password',
      ],
      by,
    ),
  keyname: (by) =>
    NAMES(
      [
        'token',
        'api key',
        'api token',
        'secret',
        'secret key',
        'access token',
        'auth token',
        'client secret',
        'private key',
        'signing key',
        'encryption key',
        'webhook secret',
        'jwt secret',
        'session secret',
        'refresh token',
        'bearer token',
        'app secret',
        'apikey',
        'access key',
        'secret access key',
        'hmac key',
        'master key',
        'bot token',
        'deploy token',
        'license key',
        'personal access token',
        'pat',
        'cookie secret',
        'secret key base',
        'shared secret',
        'service key',
        'account key',
        'salt',
      ],
      by,
    ),
}
