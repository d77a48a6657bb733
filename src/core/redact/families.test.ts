import { expect, it } from 'vitest'
import { redact } from './redact.ts'

// Families of texts, some members of each: how tools write secrets down, and what they print that only looks like one.

it.each([
  // However it is made, where nothing else can stand
  ['snmpset -v3 -u rw -x DES -X Nordlicht-4 -A Polarkreis-9 sw1 ifAlias.1 s up', ['Nordlicht-4', 'Polarkreis-9']],
  ['bundle config set --global repo.example.dev kim:Bernstein-12', ['Bernstein-12']],
  ["kinit kim <<< 'Hafen.mauer'", ['Hafen.mauer']],
  ['chpasswd <<< "kim:Kranich_5"', ['Kranich_5', 'ich_5']],
  ['C: USER kim\nS: +OK\nC: PASS Fahrrad.gelb', ['Fahrrad.gelb']],
  ['spawn ssh kim@sw1\nexpect "password:"\nsend "zwei graue Esel 3\\r"', ['zwei graue Esel']],
  ['kim : XAUTH "zwei graue Esel"', ['zwei graue Esel']],
  ["mc alias set lab https://s3.example Q7KWX2SH849A1UMRV96B 'wE+SK/u4DA4D2SI78wEQUG33'", ['Q7KWX2SH849A1UMRV96B']],
  ['cp db.zip "db (pw Sumpfblume4).zip"', ['Sumpfblume4']],
  // Signs of code inside quotes, and quotes of another kind
  ['password: "Klee(blatt)4"', ['Klee(blatt)4']],
  ['{:user "etl" :password "Haus[tier]" :host "db1"}', ['Haus[tier]']],
  [
    "define('SECURE_AUTH_KEY', 'k`2|x_R+<9w~Qe-Z(BXb/f(Ur`8#~UzU>G-^_Cs_G\"s5U-&Wb');",
    ['x_R+<9w~Qe', '8#~UzU>G', 's5U-&Wb'],
  ],
  // Tokens of several parts
  [`ACME_PAT='2/9345855859955441/1105256922104816:${'b174b648d0ea15f0'.repeat(2)}'`, ['1105256922104816', 'b174b648']],
  [`JOIN_TOKEN=K10${'d1fe9526c27b0475'.repeat(4)}::node:${'996dd242a6d89302'.repeat(2)}`, ['d1fe9526', '996dd242']],
  // What opens a vault, and the machine's half of a login to it
  ['vault operator unseal 9c21e7d04b5f8a36e1d2c3b4a5968778695a4b3c2d1e0f98a7b6c5d4e3f2019876', ['9c21e7d04b5f']],
  ['vault write auth/approle/login secret_id=4be61c0a-77d9-4f02-9a3e-d1c5b08e62f7', ['4be61c0a-77d9']],
  // Hashes of passwords, and keys by what their issuers put around them
  ["INSERT INTO `members` VALUES (7, '$P$BkQ8vWc3nT0yLr5uZx2eGd7sHa4mJp1');", ['BkQ8vWc3nT0y']],
  ['translator 7d1f03b2-58ce-4a96-b0e4-c92a6d85f31e:fx', ['7d1f03b2-58ce']],
  [
    'variable "queue_password" {\n  type      = string\n  sensitive = true\n  default   = "Wq2-Libelle-7"\n}',
    ['Libelle'],
  ],
  // A router's label, and a secret by its name in other languages
  ['WLAN-Schlüssel: 5501-2284-9376-1048', ['5501-2284', '9376-1048']],
  ['Das Geheimnis für den Hook lautet 81c0de47a9f25b3ee6d4701f92ab53c8', ['81c0de47a9f2']],
  // All of a Kubernetes Secret
  [
    'kind: Secret\nmetadata:\n  name: queue\ndata:\n  erlang-cookie: Q1JPV05GSVNIMDEyMzQ=\n  quorum: bGFrZS1nYXRlLTIy\n',
    ['Q1JPV05GSVNI', 'bGFrZS1nYXRl'],
  ],
  // The same once more
  ["(echo 'Pudel-33'; echo 'Pudel-33') | smbpasswd -s -a kim", ['Pudel-33']],
  ["mysql -u root -p'Eichhorn_3' shop\n# the app on the same box has Eichhorn_3 as well", ['Eichhorn_3']],
])('%s is masked', (text, secrets) => {
  const masked = redact(text)
  for (const secret of secrets) expect(masked).not.toContain(secret)
  expect(redact(masked)).toBe(masked)
})

it.each([
  // Encrypted where it stands
  'db_password: ENC[AES256_GCM,data:7Jbg==,iv:aeDdzWjpN3u2cZHR/1GfVLMpgAVdQ5BqD7J3F96I7hA=,tag:9Rng7/9agQirfnN2LBXVOg==,type:str]',
  'spring.datasource.password=ENC(9dGk3mNv0ZqT1xYc8WbR5uHsJf2aLeOp)',
  `spring.mail.password: '{cipher}${'4f2a9d0c1b7e5a3f'.repeat(4)}'`,
  'token: vault:v1:8SDd3WHDOjf7mq69CyCqYjBXAiQQAVZRkFM13ok481zoCmHnSeDX9vyf7w==',
  '  shop:dbPassword:\n    secure: v1:fgMGEuzY3sKDoUpw:Wbd2sDH0BdBEkDlOJDhcpjd5Qdq5kyAQ2fOY',
  // Digests, ids and streams
  `checksum/app-secret: ${'1f99d2a090db3969'.repeat(4)}`,
  `image: registry.example/shop/auth:2.14.0@sha256:${'3b1fc0a84a1a2e1a'.repeat(4)}`,
  'Project("{9A19103F-16F7-4668-BE54-9A1E7E4F7556}") = "Token.Service", "Token.Service.csproj", "{0F2A8D55-17C2-4B7F-9D55-3C5B9B1A7E11}"',
  '/aws/lambda/login-handler 2024/11/02/[$LATEST]0190891627f85f0e79d436e141eeb8aa',
  // Names before a colon
  '"tokenHint": "Jeton", "@tokenHint": {"type": "text"}',
  '"@@locale": "de", "@resetPassword": {"description": "button"}',
  // Paths of caches
  '~/.cache/ms/0/q7Xn27vRtY5uHsCb1aGeO4iTzDk9fJqL',
  '/home/ci/.ccache/4/f/8e1mn0kq7vgk1x7ow6cv78tbld4fuR12',
  // Text in base64, in any language
  'Content-Transfer-Encoding: base64\n\nR3LDvMOfZSBhdXMgTcO8bmNoZW4hCgpXaXIgc2VoZW4gdW5zIGFtIERpZW5zdGFnIHVtIHplaG4uCg==',
  // Settings beside a Secret, and a secret of another kind of object
  'kind: ConfigMap\ndata:\n  mode: bGFrZS1nYXRlLTIy\n---\nkind: Secret\nstringData: {}\n',
  // A ref of git, and the commit before it
  "git -C shop reset --hard 'refs/grove/saved/Zq7xT2mB9kLw4RdY^'",
  // Tasks and caches of a pipeline, networks in range, types of parameters
  "- task: PasswordCheck@3\n  inputs:\n    tokenFilter: 'db-token'",
  `cache:\n  key: python-deps-v2-${'5f0c1b9a'.repeat(8)}\n  paths: [.venv]`,
  `x-amz-id-2: kQm7${'Zp3wX9'.repeat(11)}Lr4=`,
  'TOKEN=vault:kv/data/billing#token',
  'Wi-Fi: Speicher (WPA2), password required',
  'func login(w http.ResponseWriter, r *http.Request) {',
  // What an option takes, said in a sentence; versions, packages, algorithms, commands, places of secrets
  'Give --password interactively, or read it from stdin.',
  'Secret scanning: ignore the recordings',
  '"oauth-client": "^2.4.0-rc.7", "key-store": "~0.9.12"',
  'setting up libsecret-tools 0.20.5, tpm2-abrmd 3.0',
  'apt install libsecret-1-dev gnome-keyring',
  'PASSWORD_HASHERS=argon2,scrypt,bcrypt',
  'Get-Secret -Name mail -AsPlainText | Out-Null',
  'token: arn:aws:secretsmanager:eu-central-1:222233334444:secret:shop/token-x',
  'password: "%env(MAILER_PASSWORD)%"',
  '<password>%%MAILER_PASSWORD%%</password>',
  'Incorrect API key provided: sk-…9fQ2.',
  '{"node_id": "U_kwDOAbCdEfGhIj", "message": "rotate the token"}',
  // Calls, between quotes too
  '"password": "env(DB_PASSWORD)"',
  "password: \"lookup('env', 'DB_PASSWORD')\"",
  'The secret to good tests is small fixtures.',
])('%s stays as it is', (text) => {
  expect(redact(text)).toBe(text)
})
