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
  /** Secrets that stand in the same text. */
  others?: string[]
}

/** A file of one's own: a line for each text with its `secret`, null where there is none, or all of its `secrets`. */
export function samplesIn(path: string): Sample[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Sample & { secrets?: string[] } => JSON.parse(line))
    .flatMap(({ kind, text, secret, secrets }) => {
      const each = secrets === undefined ? [secret] : secrets.length === 0 ? [null] : secrets
      return each.map((one) => ({
        kind,
        text,
        secret: one,
        others: each.filter((other) => other !== null && other !== one) as string[],
      }))
    })
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

/** What strangers wrote, in the same notation; `‹=N000›` draws a noun and digits, `‹hex:32›` as many digits; `⟨…⟩` is another secret of the same text. Each knows its set. */
export function strangersSamples(folder: string, seed: number): (Sample & { set: string })[] {
  const by = draw(seed)
  return readFileSync(join(folder, 'strangers.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ set, text }: { set: string; text: string }) => {
      let secret: string | null = null
      const others: string[] = []
      const drawn = text
        .replace(/⟨([^⟩]+)⟩/g, (_, shape: string) => {
          const other = shaped(shape, by)
          others.push(other)
          return other
        })
        .replace(/‹([^›]+)›/, (_, shape: string) => (secret = shaped(shape, by)))
      return { set, kind: set, text: drawn, secret, others }
    })
}

function shaped(shape: string, by: Draw): string {
  const [, kind, size] = /^(hex|HEX):(\d+)$/.exec(shape) ?? []
  if (kind !== undefined) return kind === 'hex' ? by.hex(Number(size)) : by.hex(Number(size)).toUpperCase()
  if (shape === 'uuid') return by.uuid()
  return shape.slice(1).replace(/[aA0nN]/g, (sign) => SHAPED[sign]!(by))
}

/** Where a password may be of several words: between quotes, and where its line ends behind a name or a verb. */
const MAY_BE_SPOKEN =
  /(["'`“„«「])‹(?:pw|words|weak|phrase)›["'`”“»」]|[:=：] ?‹(?:pw|pwb|words|weak|phrase)›(?:\n|$)|[\p{L}:] ‹(?:pw|pwb|words|weak|phrase)›[.,!]?(?:\n|$)/u

function secretSample(template: string, by: Draw): Sample {
  let secret = ''
  const isSpoken = MAY_BE_SPOKEN.test(template) && by.below(5) === 0
  const text = filled(template, by, (kind) => (secret ||= (isSpoken ? spoken : (SECRETS[kind] ?? SECRETS.pw!))(by)))
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
/** Some words with spaces between them: a picture in one language, or words drawn from a list. */
const spoken = (by: Draw): string =>
  by.pick([
    () =>
      Array.from({ length: 2 + by.below(4) }, () => by.pick([noun, noun, (b: Draw) => b.pick(ORDINARY)])(by)).join(' '),
    () => Array.from({ length: 3 + by.below(3) }, () => noun(by)).join(' '),
    () => picture(by),
    () => picture(by),
    () => `${picture(by)} ${digits(by, by.pick([1, 1, 2, 2, 4]))}`,
    () => `${picture(by)}${by.pick(['!', '?', ''])}`,
  ])()

/** How many, what it is like, what it is, what it does, and how that goes on, in several languages. */
const PICTURES: Record<'many' | 'like' | 'is' | 'does' | 'on', string>[] = [
  {
    many: 'two three four five six seven nine twelve some many every',
    like: 'old young tiny wooden silent purple salty grey hollow wobbly golden sleepy frozen rusty crooked velvet sour lazy brave dusty striped',
    is: 'goose geese barn pallet swan swans pony staple horse lantern anchor teapot biscuit pebbles otters badger violin kettle umbrella pumpkin harbour chimney caravan mitten gate ladder cello turnip',
    does: 'swim dances sleeps jumps sings whistles melt wander laughs floats runs',
    on: 'over water|at midnight|in the rain|by the sea|under stairs|express|for breakfast|without shoes|on toast',
  },
  {
    many: 'zwei drei vier fünf sieben neun dreizehn viele',
    like: 'blaue gelbe kleiner alter langer müde graue lustige grüner krummer stiller salziger',
    is: 'Enten Elefant Fuchs Donnerstag Blauwal Teekanne Schnecken Regenschirm Igel Kuchen Möwe Laterne Brezel Leuchtturm Koffer Zwiebel',
    does: 'tanzt springt schläft singt schwimmen lachen fliegt träumt',
    on: 'über Zäune|im Regen|tief|am Meer|ohne Hut|nach Hause',
  },
  {
    many: 'deux trois quatre sept dix',
    like: 'petit vieux grands bleu gris joyeux lourd tranquille',
    is: 'nuage canards chat renard parapluie fromage escargots lune bateau citron moulin',
    does: 'danse chante dort nage rit saute',
    on: 'gris|sous la pluie|au soleil|bleu|du matin',
  },
  {
    many: 'dos tres cuatro siete diez',
    like: 'tristes viejo pequeño verde largos dulce',
    is: 'tigres gato zapato naranjas caballo luna pájaro queso barco tortuga',
    does: 'canta baila duerme corre nada',
    on: 'verde|en la playa|sin prisa|de noche|azul',
  },
  {
    many: 'dwa trzy cztery siedem',
    like: 'zielony stary mały wesoły modrá stará malý zelený',
    is: 'kaktus kot parasol żyrafa księżyc herbata žirafa kočka deštník měsíc čaj',
    does: 'tańczy śpi śpiewa spí tančí zpívá',
    on: 'nad rzeką|w deszczu|na łące|u moře',
  },
  {
    many: 'due tre sette drie zeven vier två tre fyra dois três',
    like: 'vecchio piccolo verde oude groene blauwe gamla röda små velho pequeno azul',
    is: 'gatto ombrello limone fiets paraplu eend kaasjes båt katt måne gato janela laranja',
    does: 'balla dorme danst slaapt dansar sover corre canta',
    on: 'al mare|in de regen|aan zee|vid havet|na praia|do mar',
  },
]
const picture = (by: Draw): string => {
  const pick = by.pick(PICTURES)
  const one = (part: keyof typeof pick) => by.pick(pick[part].split(part === 'on' ? '|' : ' '))
  const of = by.pick([
    ['like', 'is'],
    ['like', 'is'],
    ['is', 'is'],
    ['like', 'is', 'does'],
    ['many', 'like', 'is'],
    ['many', 'like', 'is', 'does'],
    ['like', 'is', 'on'],
    ['is', 'is', 'is'],
    ['like', 'like', 'is'],
    ['is', 'does', 'on'],
    ['many', 'is', 'does', 'on'],
    ['like', 'is', 'does', 'on'],
  ] as (keyof typeof pick)[][])
  const words = of.map(one).join(' ')
  return by.pick([words, words, words, words.toLowerCase(), capital(words)])
}
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

const groups = (by: Draw, letters: string, count: number) =>
  Array.from({ length: count }, () => by.text(letters, 4)).join(' ')
/** One of the codes that let somebody in who has lost everything else. */
const rec = (by: Draw): string => {
  const letters = by.pick([BASE36, BASE36, HEX, '0123456789'])
  const size = by.pick([4, 5, 5])
  return by.pick([
    () => Array.from({ length: 2 }, () => by.text(letters, size)).join(by.pick(['-', '-', ' '])),
    () => by.text(letters, 8),
    () => by.text(BASE36, 10),
  ])()
}

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
  rec,
  b32g: (by) => groups(by, by.pick([BASE32, BASE32, BASE32.toLowerCase()]), by.pick([4, 4, 6, 8])),
  appg: (by) => groups(by, 'abcdefghijklmnopqrstuvwxyz', 4),
  bitl: (by) => Array.from({ length: 8 }, () => digits(by, 6)).join('-'),
  fv: (by) => Array.from({ length: 6 }, () => by.text(`${UPPER}0123456789`, 4)).join('-'),
  puk: (by) => digits(by, 8),
  cvv: (by) => digits(by, 3),
  code4: (by) => by.text(BASE36, 4),
  code6: (by) => by.text(`${UPPER}0123456789`, 6),
  code3g: (by) => `${digits(by, 3)}${by.pick([' ', '-'])}${digits(by, 3)}`,
  code444: (by) => Array.from({ length: 3 }, () => by.text(by.pick([BASE36, 'bcdfghjklmnpqrstvwxz']), 4)).join('-'),
  b36s: (by) => by.text(BASE36, 7),
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
  d: digits,
  hex: (by, size) => by.hex(size),
  hexu: (by, size) => by.hex(size).toUpperCase(),
  hexu4: (by) => Array.from({ length: 10 }, () => by.hex(4).toUpperCase()).join(' '),
  hexcol: (by, size) => Array.from({ length: size }, () => by.hex(2)).join(':'),
  b64: (by, size) => by.text(BASE64, size),
  b64u: (by, size) => by.text(URL_SAFE, size),
  b36: (by, size) => by.text(BASE36, size),
  rec,
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
