import { ALNUM, BASE32, BASE36, BASE64, type Draw, draw, HEX, LETTERS, UPPER, URL_SAFE } from './draw.ts'

/** A text with a secret in it, and the secret that must not survive. */
export interface SecretSample {
  kind: string
  text: string
  secret: string
}

/** Where a token of recognisable shape turns up; nothing around it announces it. */
const neutral: ((token: string, d: Draw) => string)[] = [
  (t) => t,
  (t, d) => `${d.words(3)} ${t} ${d.words(2)}`,
  (t, d) => `  "${d.words(2, '_')}": "${t}",`,
  (t, d) => `const ${d.words(1)} = '${t}'`,
  (t, d) => `${d.words(2, '.')}: ${t}\n${d.words(2, '.')}: ${d.words(1)}`,
  (t, d) => `2026-03-0${1 + d.below(9)}T10:22:31Z INFO ${d.words(2)} (${t}) done`,
  (t, d) => `curl -s https://example.com/${d.words(2, '/')} -H "X-Custom: ${t}"`,
  (t, d) => `I used \`${t}\` to ${d.words(3)}.`,
  (t, d) => JSON.stringify({ note: `${d.words(2)}\n${t}\n${d.words(2)}` }),
  (t, d) => `https://example.com/${d.words(1)}?x=${t}&page=2`,
]

/** Where a value without a shape of its own is announced by its name. */
const announced: ((value: string, name: string, d: Draw) => string)[] = [
  (v, n, d) => `${d.pick(['APP', 'SERVICE', 'PROD'])}_${n.toUpperCase()}=${v}`,
  (v, n) => `export ${n.toUpperCase()}="${v}"`,
  (v, n) => `{"${n}": "${v}", "port": 8080}`,
  (v, n) => `${n}: ${v}\nregion: eu-west-1`,
  (v, n, d) => `${d.words(1)}.${n} = '${v}';`,
  (v, n) => `${n} = "${v}"  # from the vault`,
  (v, n) => JSON.stringify(JSON.stringify({ [n]: v })),
  (v, n, d) => `https://example.com/${d.words(1)}?${n}=${v}&page=2`,
  (v, n) => `<${n}>${v}</${n}>`,
  (v, n) => `deploy --${n.replaceAll('_', '-')} ${v} --verbose`,
]

const names = [
  'api_key',
  'client_secret',
  'secret_key',
  'access_token',
  'auth_token',
  'apiKey',
  'clientSecret',
  'private_key',
]

/** Tokens whose issuer gave them a shape, from the issuers' public documentation. */
const shaped: Record<string, (d: Draw) => string> = {
  'anthropic api key': (d) => `sk-ant-api03-${d.text(URL_SAFE, 93)}AA`,
  'anthropic oauth token': (d) => `sk-ant-oat01-${d.text(URL_SAFE, 93)}AA`,
  'openai key': (d) => `sk-${d.text(ALNUM, 20)}T3BlbkFJ${d.text(ALNUM, 20)}`,
  'openai project key': (d) => `sk-proj-${d.text(URL_SAFE, 74)}T3BlbkFJ${d.text(URL_SAFE, 74)}`,
  'openrouter key': (d) => `sk-or-v1-${d.hex(64)}`,
  'hugging face token': (d) => `hf_${d.text(LETTERS, 34)}`,
  'groq key': (d) => `gsk_${d.text(ALNUM, 52)}`,
  'replicate token': (d) => `r8_${d.text(ALNUM, 37)}`,
  'aws access key id': (d) => `${d.pick(['AKIA', 'ASIA'])}${d.text(BASE32, 16)}`,
  'github token': (d) => `gh${d.pick(['p', 'o', 'u', 's', 'r'])}_${d.text(ALNUM, 36)}`,
  'github fine-grained token': (d) => `github_pat_${d.text(ALNUM, 22)}_${d.text(ALNUM, 59)}`,
  'gitlab token': (d) => `${d.pick(['glpat', 'gldt', 'glrt', 'glptt'])}-${d.text(URL_SAFE, 20)}`,
  'slack bot token': (d) =>
    `xox${d.pick(['b', 'p'])}-${d.text('123456789', 12)}-${d.text('123456789', 12)}-${d.text(ALNUM, 24)}`,
  'slack app token': (d) => `xapp-1-A${d.text(UPPER, 10)}-${d.text('123456789', 13)}-${d.hex(64)}`,
  'slack webhook': (d) => `hooks.slack.com/services/T${d.text(BASE32, 8)}/B${d.text(BASE32, 8)}/${d.text(ALNUM, 24)}`,
  'stripe key': (d) => `${d.pick(['sk', 'rk'])}_${d.pick(['live', 'test'])}_${d.text(ALNUM, d.pick([24, 99]))}`,
  'stripe webhook secret': (d) => `whsec_${d.text(ALNUM, 32)}`,
  'google api key': (d) => `AIza${d.text(URL_SAFE, 35)}`,
  'google access token': (d) => `ya29.${d.text(URL_SAFE, 120)}`,
  'google client secret': (d) => `GOCSPX-${d.text(URL_SAFE, 28)}`,
  'npm token': (d) => `npm_${d.text(ALNUM, 36)}`,
  'pypi token': (d) => `pypi-AgEIcHlwaS5vcmc${d.text(URL_SAFE, 140)}`,
  'rubygems key': (d) => `rubygems_${d.hex(48)}`,
  'docker hub token': (d) => `dckr_pat_${d.text(URL_SAFE, 27)}`,
  'json web token': (d) =>
    `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: d.hex(8) })}.${d.text(URL_SAFE, 43)}`,
  'digitalocean token': (d) => `dop_v1_${d.hex(64)}`,
  'databricks token': (d) => `dapi${d.hex(32)}`,
  'sendgrid key': (d) => `SG.${d.text(URL_SAFE, 22)}.${d.text(URL_SAFE, 43)}`,
  'twilio key': (d) => `SK${d.hex(32)}`,
  'mailgun key': (d) => `key-${d.hex(32)}`,
  'mailchimp key': (d) => `${d.hex(32)}-us${1 + d.below(20)}`,
  'telegram bot token': (d) => `${d.text('123456789', 10)}:AA${d.text(URL_SAFE, 33)}`,
  'discord bot token': (d) =>
    `${d.pick(['M', 'N', 'O'])}${d.text(ALNUM, 23)}.${d.text(URL_SAFE, 6)}.${d.text(URL_SAFE, 38)}`,
  'discord webhook': (d) => `discord.com/api/webhooks/${d.text('123456789', 18)}/${d.text(URL_SAFE, 68)}`,
  'linear key': (d) => `lin_api_${d.text(ALNUM, 40)}`,
  'notion token': (d) => `ntn_${d.text(ALNUM, 46)}`,
  'figma token': (d) => `figd_${d.text(URL_SAFE, 40)}`,
  'airtable token': (d) => `pat${d.text(ALNUM, 14)}.${d.hex(64)}`,
  'shopify token': (d) => `shpat_${d.hex(32)}`,
  'square token': (d) => `sq0atp-${d.text(URL_SAFE, 22)}`,
  'new relic key': (d) => `NRAK-${d.text(BASE32, 27)}`,
  'grafana token': (d) => `glsa_${d.text(ALNUM, 32)}_${d.hex(8)}`,
  'supabase token': (d) => `sbp_${d.hex(40)}`,
  'planetscale token': (d) => `pscale_tkn_${d.text(URL_SAFE, 43)}`,
  'terraform token': (d) => `${d.text(ALNUM, 14)}.atlasv1.${d.text(URL_SAFE, 67)}`,
  'vault token': (d) => `hvs.${d.text(URL_SAFE, 95)}`,
  'atlassian token': (d) => `ATATT3xFfGF0${d.text(URL_SAFE, 180)}`,
  'age key': (d) => `AGE-SECRET-KEY-1${d.text(BASE32, 58)}`,
  'azure client secret': (d) => `${d.text(ALNUM, 3)}8Q~${d.text(URL_SAFE, 34)}`,
  'tailscale key': (d) => `tskey-auth-${d.text(ALNUM, 17)}-${d.text(ALNUM, 32)}`,
  'vendor nobody described': (d) => `${d.pick(['acme', 'zeta'])}_${d.pick(['live', 'key'])}_${d.text(ALNUM, 40)}`,
  'random base62': (d) => d.text(ALNUM, d.pick([32, 40, 64])),
  'random base64': (d) => `${d.text(BASE64, 43)}=`,
  'random url-safe': (d) => d.text(URL_SAFE, d.pick([43, 64])),
  'random base36': (d) => d.text(BASE36, d.pick([32, 40, 50])),
  'aws secret key': (d) => d.text(BASE64, 40),
}

/** Values that only their name betrays. */
const unshaped: Record<string, (d: Draw) => string> = {
  'hexadecimal key': (d) => d.hex(d.pick([32, 40, 64])),
  'uuid key': (d) => d.uuid(),
  'short random key': (d) => d.text(ALNUM, d.pick([16, 20, 24])),
}

/** What people choose: a word with numbers and signs. */
function password(d: Draw): string {
  const word = d.words(1)
  return d.pick([
    () => `${word}${1 + d.below(999)}${d.pick(['!', '?', '#', '%'])}`,
    () => `${word[0]!.toUpperCase()}${word.slice(1)}@${d.below(9999)}`,
    () => `${d.words(1)}-${d.words(1)}-${10 + d.below(89)}!`,
    () => d.text(`${ALNUM}!@#%^*`, 14),
    () => `${word}${2000 + d.below(30)}`,
  ])()
}

const places: Record<string, (d: Draw) => Omit<SecretSample, 'kind'>> = {
  'private key': (d) => privateKey(d),
  'password in code': (d) =>
    within(password(d), (p) =>
      d.pick([
        `password: '${p}'`,
        `const dbPassword = "${p}"`,
        `PASSWORD = "${p}"`,
        `"passwd": "${p}"`,
        `passphrase => '${p}'`,
      ]),
    ),
  'password in configuration': (d) =>
    within(password(d), (p) =>
      d.pick([
        `DB_PASSWORD=${p}`,
        `password: ${p}`,
        `spring.datasource.password=${p}`,
        `<password>${p}</password>`,
        `--password ${p}`,
      ]),
    ),
  'password in a sentence': (d) =>
    within(`${d.words(1)}${d.below(9999) + 10}!`, (p) =>
      d.pick([`the password is ${p}, please keep it`, `password was "${p}".`]),
    ),
  'credentials in a url': (d) =>
    within(
      d.pick([password(d).replace(/[#%?@]/g, '*'), d.text(ALNUM, 20)]),
      (p) =>
        `${d.pick(['https', 'postgres', 'mysql', 'mongodb+srv', 'redis', 'amqp'])}://${d.words(1)}:${p}@${d.words(1)}.example.com/${d.words(1)}`,
    ),
  'token in a url': (d) => within(d.text(BASE36, 52), (t) => `git clone https://${t}@git.example.com/team/app.git`),
  'connection string': (d) =>
    within(
      password(d).replace(/;/g, ''),
      (p) => `Server=db.example.com;Database=${d.words(1)};User Id=sa;Password=${p};Encrypt=True`,
    ),
  'azure storage key': (d) =>
    within(
      `${d.text(BASE64, 86)}==`,
      (k) => `DefaultEndpointsProtocol=https;AccountName=${d.words(1)};AccountKey=${k};EndpointSuffix=core.windows.net`,
    ),
  'shared access signature': (d) =>
    within(
      encodeURIComponent(`${d.text(BASE64, 43)}=`),
      (s) => `https://${d.words(1)}.blob.core.windows.net/c?sv=2024-11-04&sp=r&sig=${s}`,
    ),
  'bearer header': (d) =>
    within(d.text(URL_SAFE, d.pick([24, 40, 64])), (t) =>
      d.pick([
        `Authorization: Bearer ${t}`,
        `-H "authorization: bearer ${t}"`,
        `headers: { Authorization: 'Bearer ${t}' }`,
      ]),
    ),
  'basic header': (d) => within(btoa(`${d.words(1)}:${password(d)}`), (t) => `Authorization: Basic ${t}`),
  'api key header': (d) => within(d.hex(32), (t) => `curl https://api.example.com/v1 -H 'X-Api-Key: ${t}'`),
  cookie: (d) => within(d.text(URL_SAFE, 40), (t) => `Cookie: theme=dark; sid=${t}; lang=en`),
  'curl login': (d) => within(password(d), (p) => `curl -u ${d.words(1)}:${p} https://api.example.com`),
  netrc: (d) => within(d.text(ALNUM, 20), (p) => `machine git.example.com login ${d.words(1)} password ${p}`),
  'docker login': (d) => within(password(d), (p) => `docker login -u ${d.words(1)} -p ${p} registry.example.com`),
  'database login': (d) =>
    within(password(d), (p) =>
      d.pick([
        `mysql -u root -p${p} ${d.words(1)}`,
        `mysqldump --host db -u app -p'${p}' shop > dump.sql`,
        `redis-cli -h cache.example.com -a ${p} ping`,
        `mongosh "mongodb://db.example.com" -u admin -p ${p}`,
      ]),
    ),
  'password in a statement': (d) =>
    within(password(d), (p) =>
      d.pick([
        `CREATE USER app WITH PASSWORD '${p}';`,
        `CREATE USER 'app'@'%' IDENTIFIED BY '${p}';`,
        `ALTER ROLE app PASSWORD '${p}'`,
        `$secure = ConvertTo-SecureString "${p}" -AsPlainText -Force`,
        `requirepass ${p}`,
      ]),
    ),
  'secret handed to a call': (d) =>
    within(d.text(ALNUM, d.pick([14, 20, 32])), (v) =>
      d.pick([
        `ds.setPassword("${v}")`,
        `client.with_secret('${v}')`,
        `define('DB_PASSWORD', '${v}');`,
        `os.environ.get("SECRET_KEY", "${v}")`,
        `const secret = process.env.SECRET || '${v}'`,
        `<add key="ClearTextPassword" value="${v}" />`,
        `app.secret_key = b'${v}'`,
      ]),
    ),
  'secret in the next line': (d) =>
    within(d.text(ALNUM, d.pick([16, 24])), (v) =>
      d.pick([`- name: DB_PASSWORD\n  value: "${v}"`, `password: |\n  ${v}\nuser: app`]),
    ),
  'password on a command line': (d) =>
    within(d.text(ALNUM, 14), (p) =>
      d.pick([
        `echo "root:${p}" | chpasswd`,
        `zip -P ${p} backup.zip data`,
        `7z x -p${p} backup.7z`,
        `smbclient //files/share -U app%${p}`,
        `htpasswd -b users.txt app ${p}`,
        `openssl enc -aes-256-cbc -pass pass:${p}`,
        `gpg --batch --passphrase ${p} -d data.gpg`,
        `az login -u app -p ${p}`,
        `curl "https://api.example.com/login?user=app&password=${p}&remember=1"`,
      ]),
    ),
  'password in another language': (d) =>
    within(password(d), (p) =>
      d.pick([`Passwort: ${p}`, `mot de passe : ${p}`, `contraseña: ${p}`, `пароль: ${p}`, `密码：${p}`]),
    ),
  'generated password': (d) =>
    within(`aB3${d.text(`${ALNUM}!@#%^*()+`, 40)}!(*`, (v) =>
      d.pick([`SECRET_KEY = 'django-insecure-${v}'`, `define('AUTH_KEY', '${v}');`]),
    ),
  'seed words': (d) => within(d.words(40).match(SHORT_WORDS)!.slice(0, 12).join(' '), (w) => `mnemonic: "${w}"`),
  'kubernetes secret': (d) => within(btoa(password(d)), (v) => `kind: Secret\ndata:\n  password: ${v}\n`),
  'aws credentials file': (d) =>
    within(d.text(BASE64, 40), (k) => `[default]\naws_secret_access_key = ${k}\nregion = us-east-1`),
  'private span': (d) =>
    within(d.words(6).toUpperCase(), (words) => `${d.words(3)}\n<private>${words}</private>\n${d.words(2)}`),
}

const SHORT_WORDS = /\b[a-z]{3,8}\b/g

/** All samples, the same for the same seed; every kind appears `rounds` times. */
export function secretSamples(seed: number, rounds = 5): SecretSample[] {
  const d = draw(seed)
  const samples: SecretSample[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [kind, make] of Object.entries(shaped))
      samples.push({ kind, ...within(make(d), (t) => d.pick(neutral)(t, d)) })
    for (const [kind, make] of Object.entries(unshaped))
      samples.push({ kind, ...within(make(d), (v) => d.pick(announced)(v, d.pick(names), d)) })
    for (const [kind, place] of Object.entries(places)) samples.push({ kind, ...place(d) })
  }
  return samples
}

function within(secret: string, place: (secret: string) => string) {
  return { secret, text: place(secret) }
}

function encoded(part: object): string {
  return btoa(JSON.stringify(part)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
}

function privateKey(d: Draw) {
  const label = d.pick([
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
  ])
  const lines = Array.from({ length: 6 }, () => d.text(BASE64, 64))
  const block = [`-----BEGIN ${label}-----`, ...lines, `${d.text(HEX, 20)}==`, `-----END ${label}-----`]
  const text = d.pick([
    block.join('\n'),
    `{"private_key": ${JSON.stringify(block.join('\n'))}}`,
    `key: |\n${block.map((line) => `    ${line}`).join('\n')}\nport: 1`,
    // The end may be missing when a text was cut.
    `cat id_rsa\n${block.slice(0, -1).join('\n')}`,
  ])
  return { secret: lines[3]!, text }
}
