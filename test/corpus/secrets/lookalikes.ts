import { ALNUM, BASE32, BASE64, type Draw, draw, URL_SAFE } from './draw.ts'

/** A text without a secret that must come through unchanged. */
export interface LookalikeSample {
  kind: string
  text: string
}

const kinds: Record<string, (d: Draw) => string> = {
  'git commit': (d) =>
    d.pick([
      `commit ${d.hex(40)}`,
      `fixes ${d.hex(7)} and ${d.hex(12)}`,
      `index ${d.hex(7)}..${d.hex(7)} 100644`,
      `https://github.com/org/app/commit/${d.hex(40)}`,
      `git checkout ${d.hex(40)} -- src`,
    ]),
  'hexadecimal digest': (d) =>
    d.pick([
      `${d.hex(64)}  dist/${d.words(1)}.tar.gz`,
      `image@sha256:${d.hex(64)}`,
      `md5: ${d.hex(32)}`,
      `etag "${d.hex(32)}"`,
      `checksum = "${d.hex(64)}"`,
    ]),
  'lockfile digest': (d) =>
    d.pick([
      `"integrity": "sha512-${d.text(BASE64, 86)}=="`,
      `integrity: sha1-${d.text(BASE64, 27)}=`,
      `golang.org/x/net v0.17.0 h1:${d.text(BASE64, 43)}=`,
      `"resolved": "https://registry.example.com/${d.words(1)}/-/${d.words(1)}-1.2.3.tgz#${d.hex(40)}"`,
      `hash = "sha256-${d.text(BASE64, 43)}="`,
    ]),
  'subresource integrity': (d) =>
    `<script src="/a.js" integrity="sha384-${d.text(BASE64, 64)}" crossorigin="anonymous"></script>`,
  uuid: (d) =>
    d.pick([
      `session_id: ${d.uuid()}`,
      `"requestId": "${d.uuid()}"`,
      `/api/orders/${d.uuid()}/items`,
      `task ${d.uuid()} finished`,
      `{${d.uuid().toUpperCase()}}`,
    ]),
  'short id': (d) =>
    d.pick([
      `id ${d.text(BASE32, 26)}`,
      `nano ${d.text(URL_SAFE, 21)}`,
      `"_id": "${d.hex(24)}"`,
      `ksuid ${d.text(ALNUM, 27)}`,
      `order ${d.text(ALNUM, 12)}`,
    ]),
  'api object id': (d) =>
    d.pick([
      `toolu_01${d.text(ALNUM, 22)}`,
      `msg_01${d.text(ALNUM, 22)}`,
      `request-id: req_011C${d.text(ALNUM, 20)}`,
      `"id": "pi_${d.text(ALNUM, 24)}"`,
      `cus_${d.text(ALNUM, 14)} evt_${d.text(ALNUM, 24)}`,
    ]),
  colour: (d) => `color: #${d.hex(6)}; background: #${d.hex(8)}; border: 1px solid #${d.hex(3)}`,
  version: (d) =>
    d.pick([
      `"vite": "^8.${d.below(30)}.${d.below(30)}-beta.${d.below(9)}"`,
      `node v20.${d.below(20)}.2 (linux-x64)`,
      `v1.2.3-rc.1+build.${d.below(99999)}`,
      `claude-opus-4-8-2026${10 + d.below(3)}15`,
    ]),
  'long identifier': (d) =>
    d.pick([
      camel(d, 6),
      `${d.words(6, '_')}_v2`,
      d.words(6, '_').toUpperCase(),
      `${d.words(7, '-')}-2026-03-01`,
      `Abstract${pascal(d, 4)}Factory3Impl`,
    ]),
  'mangled symbol': (d) =>
    d.pick([
      `_ZN4core3fmt9Formatter9write_str17h${d.hex(16)}E`,
      `_ZNSt6vectorIiSaIiEE9push_backERKi`,
      `Ljava/util/concurrent/${pascal(d, 2)};`,
      `$s4main${pascal(d, 3)}V4nameSSvp`,
    ]),
  'minified code': (d) =>
    `!function(e,t){${Array.from({ length: 6 }, () => `var ${d.text('abcdefgh', 1)}=e.${camel(d, 2)}(t[${d.below(99)}],"${d.words(1)}")`).join(';')}}(window,0)`,
  'file path': (d) =>
    d.pick([
      `/usr/local/lib/node_modules/@scope/${d.words(2, '-')}/dist/${camel(d, 3)}.test.tsx`,
      `C:\\Users\\dev\\${pascal(d, 2)}\\bin\\Release\\net8.0\\${pascal(d, 3)}.dll`,
      `dist/assets/index-${d.text(URL_SAFE, 8)}.js`,
      `/nix/store/${d.text('0123456789abcdfghijklmnpqrsvwxyz', 32)}-glibc-2.38-27/lib/libc.so.6`,
      `node_modules/.pnpm/${d.words(1)}@1.2.3_${d.words(1)}@4.5.6/node_modules/${d.words(1)}`,
    ]),
  url: (d) =>
    d.pick([
      `https://example.com/${d.words(4, '/')}?page=2&sort=name&id=${d.below(99999)}#${d.words(2, '-')}`,
      `https://docs.example.com/document/d/${d.text(URL_SAFE, 44)}/edit`,
      `ssh://git@git.example.com:22/team/${d.words(1)}.git`,
      `http://localhost:3000/@scope/${d.words(1)}@1.2.3/index.js`,
      `https://example.com/blog/${d.words(8, '-')}-${d.hex(12)}`,
    ]),
  'embedded file': (d) =>
    d.pick([
      `src="data:image/png;base64,${d.text(BASE64, 180)}"`,
      `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${d.text(BASE64, 200)}`,
      `url(data:font/woff2;base64,${d.text(BASE64, 120)}==)`,
    ]),
  'text in base64': (d) => `decode("${btoa(`The ${d.words(6)} is ready.`)}")`,
  'login without a password': (d) =>
    d.pick([
      `mysql -u root -p ${d.words(1)}`,
      `redis-cli -h cache.example.com ping`,
      `docker run -p 8080:80 ${d.words(1)}`,
      `the mnemonic is easy to keep in mind`,
      `public_key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"`,
      `mongosh --port 27017 -p`,
    ]),
  'public key': (d) =>
    d.pick([
      `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${d.text(BASE64, 43)} dev@laptop`,
      `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${d.text(BASE64, 300)}`,
      `-----BEGIN CERTIFICATE-----\n${d.text(BASE64, 64)}\n${d.text(BASE64, 64)}\n-----END CERTIFICATE-----`,
      `-----BEGIN PUBLIC KEY-----\n${d.text(BASE64, 64)}\n-----END PUBLIC KEY-----`,
      `SHA256:${d.text(BASE64, 43)} dev@laptop (ED25519)`,
    ]),
  alphabet: (d) =>
    d.pick([
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
      '0123456789ABCDEFGHJKMNPQRSTVWXYZ0123456789',
      'const ruler = "----------1---------2---------3---------4"',
      '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1"',
      `"${'0123456789'.repeat(4 + d.below(4))}"`,
    ]),
  number: (d) =>
    d.pick([
      `phone +44 20 7946 0${100 + d.below(899)}`,
      `2026-03-01T10:22:31.${100 + d.below(899)}Z`,
      `10.0.${d.below(255)}.${d.below(255)}:8443`,
      `fe80::1ff:fe23:4567:${d.hex(4)}`,
      `total 1234567890123456789012345678901234567890`,
      `00:1B:44:11:3A:${10 + d.below(89)}`,
    ]),
  'placeholder value': (d) =>
    d.pick([
      'API_KEY=YOUR_API_KEY',
      `password: \${DB_PASSWORD}`,
      'token: <your-token>',
      'SECRET=changeme',
      'api_key = "xxxxxxxxxxxxxxxx"',
      'password="********"',
      'ANTHROPIC_API_KEY=sk-ant-...',
      `token: \${{ secrets.DEPLOY_TOKEN }}`,
      'export TOKEN=$(cat token.txt)',
      `postgres://app:\${PGPASSWORD}@db.example.com/app`,
      'https://user:<password>@example.com',
      `Authorization: Bearer ${d.pick(['<token>', '$TOKEN', '{{token}}', 'YOUR_TOKEN'])}`,
      'password = os.environ["DB_PASSWORD"]',
    ]),
  'secret name in code': (d) =>
    d.pick([
      `const token = await getToken(${d.words(1)})`,
      'password: string',
      'if (password === confirmPassword) return',
      'this.secret = options.secret',
      'token = lexer.next_token()',
      'apiKey: process.env.OPENAI_API_KEY',
      'const { password, ...rest } = user',
      'passwordField = "user_password"',
      'token: Uint8Array',
      'secret?: Buffer',
      'password = Column(String(128))',
      'private readonly tokenService: TokenService',
      'auth: { type: "oauth2", flow: "implicit" }',
      'key: "ArrowDown"',
      `key={\`item-\${${d.words(1)}.id}\`}`,
      'secret: config.get("jwt.secret")',
      "hidden: ['password', 'address2']",
      "t('password') || 'Password'",
      'input.fill("password", "newPassword1Field")',
      'validatePassword("passwordConfirmation")',
      'name: DB_PASSWORD\n  valueFrom: { secretKeyRef: { name: app } }',
      'compass("north-west-12") or bypass("cache-key-2")',
      'key("user-profile-v2")',
      'token: Token | undefined',
      'secret = options.secret ?? defaults.secret',
    ]),
  'secret name in words': (d) =>
    d.pick([
      'The password is required and must have 8 characters',
      'token is expired, please log in again',
      '"password": "Password is required"',
      '"confirmPassword": "Bestätigen Sie das Kennwort"',
      'Your secret is safe with us',
      'Bearer authentication scheme',
      'the token was revoked by the administrator',
      'forgot password: see the help page',
      'Token: unexpected end of input',
      'access key is managed by the platform team',
      `password reset for the ${d.words(1)} account`,
    ]),
  'harmless setting': (d) =>
    d.pick([
      'max_tokens: 4096',
      'tokenizer: "cl100k_base"',
      '"token_type": "bearer"',
      'primary_key=id',
      `cache_key: ${d.words(2, ':')}:v2`,
      'keyboard: "qwerty-us"',
      'monkey=banana42',
      'author=somebody2',
      'compass: north12',
      'bypass=10.0.0.0/8',
      'input_tokens=18234 output_tokens=1201',
      '--token-file /run/secrets/token',
      'password_min_length = 12',
      'sort_key: created_at',
      'signature: (a: string) => void',
      'key: user.profile.title',
      'auth: none',
      'key-value-store-configuration',
    ]),
  'cloud name': (d) =>
    d.pick([
      `arn:aws:iam::${d.text('0123456789', 12)}:role/${pascal(d, 2)}`,
      `/subscriptions/${d.uuid()}/resourceGroups/${d.words(2, '-')}/providers/Microsoft.Web`,
      `projects/${d.words(2, '-')}-${100000 + d.below(899999)}/locations/global`,
      `${d.words(2, '-')}-7d4b9c6f5d-x2x7k`,
      `s3://${d.words(2, '-')}/2026/03/01/part-00000-${d.uuid()}.snappy.parquet`,
      `0x${d.hex(40)}`,
    ]),
  'class name': (d) =>
    d.pick([
      'sk-fading-circle sk-circle-fade-dot sk-chase-dot-before',
      'css-1q2w3e4 MuiButton-root MuiButton-containedPrimary',
      `md:grid-cols-[minmax(0,1fr)_200px] bg-slate-${100 + 100 * d.below(8)}/50`,
      `.${d.words(3, '__')}--${d.words(2, '-')}`,
    ]),
  'command line': (d) =>
    d.pick([
      'docker run -u 1000:1000 --rm -p 8080:80 app',
      'ssh -p 2222 dev@host',
      'git log --pretty=format:%H --since=2.weeks',
      `npx vitest run src/${d.words(2, '/')}.test.ts -t "${d.words(3)}"`,
      'kubectl get secret app-tls -o yaml',
      'unzip -q backup.zip -d src && zip -r out.zip dist',
      'rows are identified by their primary key',
      'openssl enc -pass env:PASSPHRASE',
      'curl -u admin https://example.com',
      `grep -rn "password" src/${d.words(1)}`,
      'vault kv get secret/data/app',
    ]),
  'stack trace': (d) =>
    `TypeError: x is not a function\n    at ${pascal(d, 2)}.${camel(d, 2)} (/app/node_modules/@scope/${d.words(1)}/dist/index.js:${d.below(999)}:${d.below(99)})\n    at async Promise.all (index 0)`,
  prose: (d) =>
    `The ${d.words(5)} of the ${d.words(4)} was changed, because the ${d.words(3)} did not ${d.words(4)}; see RFC 9110 §${d.below(20)}.`,
}

/** All samples, the same for the same seed; every kind appears `rounds` times. */
export function lookalikeSamples(seed: number, rounds = 10): LookalikeSample[] {
  const d = draw(seed)
  return Array.from({ length: rounds }, () =>
    Object.entries(kinds).map(([kind, make]) => ({ kind, text: make(d) })),
  ).flat()
}

function camel(d: Draw, count: number): string {
  const name = pascal(d, count)
  return name[0]!.toLowerCase() + name.slice(1)
}

function pascal(d: Draw, count: number): string {
  return d.words(count).replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())
}
