/**
 * Values that stand where nothing secret does, however random they read: the commit behind "reverts", the id of a request, the hash in the
 * name of a built file, the host of an address, the name of a variable, a public key.
 */

/** So much before a value says what it is. */
const NEAR = 60
/** So much of a line says what all of it is. */
const FAR = 300

/** Digests of lockfiles, public keys, mangled symbols; programs, pictures, archives and documents in base64. */
export const PUBLIC =
  /^(?:[Ss][Hh][Aa]\d{1,3}[-_]|AAAA[A-Z](?:3NzaC1|2VjZHNh|nNrLX)|age1[a-z0-9]{50,70}$|npub1[a-z0-9]{58}$|Qm[1-9A-HJ-NP-Za-km-z]{44}$|12D3KooW|bafy[a-z2-7]{50,}$|LS0tLS1CRUdJTiBDRVJUSUZJQ0FUR|MI[GI][A-Za-z0-9+/]{0,3}(?:MA0GCSqGSIb3DQEBAQUAA|jANBgkqhkiG9w0BAQEFAAO)|I[0-9a-f]{40}$|MFkwEwYHKoZIzj0|MIIB?[A-Za-z0-9+/]{1,2}jANBgkqhkiG9w0BAQEFAAO|MCowBQYDK2V|_Z|bc1[a-z0-9]{39,59}$|AGFzbQ|iVBORw0KGgo|\/9j\/|R0lGOD|UEsDB|JVBERi0|H4sI|d09GMg)/

/** Values that are none wherever they stand. */
const ANYWHERE: RegExp[] = [
  // public keys, their kinds and their files
  /^AAAA(?:B3NzaC1|C3NzaC1|E2VjZHNh|GnNrL)[\w+/]{16,}={0,3}$/,
  /^(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-(?:ssh|ecdsa)-[\w@.-]{4,40}|id_(?:rsa|dsa|ecdsa|ed25519))$/,
  // 6fe100e45f..f6d0768bee, ^8a2bdf49
  /^[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}$|^\^[0-9a-f]{7,12}$/,
  // ctrl+shift+f12
  /^(?:(?:ctrl|control|cmd|command|alt|option|opt|shift|meta|super|win|mod|fn)[+-]){1,4}[^\s+]{1,12}$/i,
  // public names of networks: Nostr keys, IPFS hashes
  /^npub1[a-z0-9]{58}$|^Qm[A-Za-z0-9]{44}$|^baf[yk][a-z0-9]{50,}$/,
  // an address in memory, or of an account or a contract
  /^0x(?:[0-9a-f]{6,16}|[0-9a-f]{40})$/i,
  // the public key of an assembly
  /^00240000[0-9a-f]{60,}$/i,
  // a pattern that fits keys: gh[pousr]_[A-Za-z0-9]{36}
  /\[[A-Za-z0-9_\\-]{2,30}\](?:\{\d|[+*])/,
  // what an API calls its objects
  /^(?:chatcmpl|resp|msg|req|run|thread|asst|call|evt|cus|sub|price|prod|acct|txn|batch|step|toolu|file)[-_][A-Za-z0-9]{12,60}$/,
  // a public key of minisign and signify
  /^RW[A-Za-z0-9+/]{54}$/,
  // the pieces of a chess board
  /^(?:[1-8pnbrqkPNBRQK]{1,8}\/){7}[1-8pnbrqkPNBRQK]{1,8}$/,
  // where in a function: flushAll+0x2c, module!Class::Method+0x2c
  /^:{0,2}[A-Za-z_~][\w:~<>.!@]{0,120}\+0x[0-9a-f]{1,8}$/i,
  // what Kubernetes puts behind the names it makes up
  /^[a-z]{2,30}(?:-[a-z]{2,30}){1,6}(?:-[0-9a-f]{8,10})?-(?=[a-z]{0,4}\d)[bcdfghjklmnpqrstvwxz2456789]{5}$/,
  // @db:5432/shop
  /^@[\w.-]{1,80}:\d{2,5}(?:\/[\w.-]{0,40})?$/,
  // a weakness, a package in one of its versions
  /^(?:CVE-\d{4}-\d{4,7}|GHSA(?:-[2-9cfghjmpqrvwx]{4}){3})$/,
  /^@?[a-z][\w./-]{1,60}@(?:[\^~]\d[\w.-]*|\d{1,4}\.\d{1,4}\.\d[\w.-]*)$/,
  // a chemical substance, by the hash of its structure
  /^[A-Z]{14}-[A-Z]{10}-[A-Z]$/,
  // a region or a zone of a cloud
  /^(?:us|eu|ap|sa|ca|me|af|il|mx|cn|asia|europe|australia|northamerica|southamerica|africa)(?:-gov)?-(?:north|south|east|west|central){1,2}-?\d(?:-?[a-f])?$/,
  // an image by its digest: 2.14.0@sha256:…
  /@sha256:[0-9a-f]{64}$/,
  // what a mail server asks for, in base64
  /^(?:VXNlcm5hbWU6|UGFzc3dvcmQ6)$/,
  // a key that shops put into their pages
  /^pk_(?:live|test)_\w{10,}$/,
  // a file in the text
  /^(?:data:)?[a-z]{4,11}\/[\w.+-]{2,60};(?:charset=[\w-]{2,12};)?base64,/,
  // a path in an address
  /^(?:https?%3A)?%2F/i,
  // the stream of a log: 2025/03/14/[$LATEST]…
  /(?:^|\/)\[(?:\$LATEST|\d{1,9})\][0-9a-f]{32}$/,
  // an id in the notation of Windows
  /^\{[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}$/i,
  // the versions that a package may be used with
  /^[\^~]\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.]{1,30})?$/,
  // what GitHub calls a commit, a user or a repository beside its number
  /^[A-Z]{1,6}_kw[A-Za-z0-9_-]{8,100}$/,
  // where a store keeps a secret, and not the secret
  /^(?:arn:aws[\w-]{0,20}:[a-z\d-]{2,30}:|op:\/\/)[\w:/.@*-]{4,300}$|^vault:[\w.-]{1,60}\/[\w./-]{1,200}#[\w.-]{1,60}$/,
  // what a cache is found by: words, and the hash of what they stand for
  /^(?!(?:\w+-)*(?:key|token|secret|pass|pat|sk|live|prod|test)-)[A-Za-z][A-Za-z\d]{1,20}(?:[-_.][A-Za-z\d]{1,20}){0,6}-(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
  // a library as Debian names it
  /^lib[a-z][a-z\d+]{1,24}(?:-[a-z\d.+]{1,12}){1,4}$/,
  // a ref of git, and the commit before it
  /^(?:refs|heads|tags|remotes)\/[\w./@-]{1,200}(?:[\^~]\d{0,4}){0,4}$/,
  // algorithms, one after the other
  /^(?:(?:argon2\w{0,2}|[bs]crypt|pbkdf2\w{0,12}|sha-?\d{1,3}|md5|hs\d{3}|rs\d{3}|es\d{3})(?:,|$)){2,8}$/i,
  // a command of PowerShell: Out-Null, ConvertTo-Json
  /^(?:Out|ConvertTo|ConvertFrom|Select|Where|ForEach|Sort|Format|Measure|Export|Import|Write|Set|Get|Tee|Group)-[A-Z][a-z]{2,12}(?:[A-Z][a-z]{1,12}){0,3}$/,
  // what a compiler makes of a name that is taken: value$scope$0
  /^[A-Za-z_]\w{0,60}\$[a-z]\w{0,20}\$\d{1,4}$/,
]

/** What a value is by what stands before it. */
const BEHIND: [before: RegExp, value: RegExp][] = [
  // errors.password = "Too short": what a form says about its field
  [
    /(?:error|message|label|hint|title|warning|placeholder)s?(?:\.|\[["'])\w{1,30}(?:["']\])?[ \t]{0,4}[:=][ \t]{0,4}["'`]$/i,
    /^\p{L}+(?:[ ,]{1,2}\p{L}+){1,12}[.!?]?$/u,
  ],
  [
    /(?:commit|revert(?:s|ed|ing)?|cherry[ -]pick(?:s|ed)?(?: from)?|fixup|parent|tree|merge[sd]?|rebased?(?: onto)?|"reference"|revision)["']?[: ]{1,2}["']?$|^\[$/i,
    /^[0-9a-f]{40}$/,
  ],
  // Submodule path 'libsecret': checked out '…'
  [/\b(?:submodule|check(?:ed|ing)?[ -]?out|HEAD|detached|fast-forward)\b[^\n]{0,60}$/i, /^[0-9a-f]{40}$/],
  // `request=…`, `"trace_id": "…"`, `X-Amz-Cf-Id: …`; the id of a session opens one.
  [
    /(?:^|[^a-z])(?:(?:request|trace|span|correlation|operation|event|message|build|run|job|version|idempotency)(?:[ _-]?(?:id|key))?|etag|cursor|(?:next|prev(?:ious)?|page|continuation|sync|resume)[ _-]?(?:page[ _-]?)?token|nanoid|ulid|cuid|uuid|guid|p256dh|client[ _-]?id|x-(?!(?:[a-z]{1,20}-){0,3}(?:session|auth|token|key|secret|access))[a-z-]{1,30}-id(?:-\d)?)["']?[ \t]{0,2}[:=][ \t]{0,2}(?:W\/)?["']?$/i,
    /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w+/-]{16,80}={0,2})$/i,
  ],
  [
    /(?:^|[^a-z])(?:(?:sha\d{0,3}|md5)(?:sum)?|checksum|digest)(?:\/[\w.-]{1,40})?["']?[ \t]{0,2}[:=][ \t]{0,4}["']?$/i,
    /^(?:[0-9a-f]{32,128}|[\w+/-]{22,88}={0,2})$/i,
  ],
  [/\[(?:\$LATEST|\d{1,9})\]$/, /^[0-9a-f]{32}$/],
  [
    /(?:^|[^a-z])(?:invocation|machine|boot|container|image|node|instance|installation|tenant|cluster|project|resource|object|entity|parent|group|zone|distribution|snapshot|volume|deployment|task|thread|conversation|batch)[ _-]?id["']?[ \t]{0,2}[:=][ \t]{0,2}["']?$/i,
    /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{12,64})$/i,
  ],
  // what a page, a video or a visit is called in an address
  [
    /(?:^|[?&])(?:v|list|si|cursor|after|before|rev|sha|commit|version|gclid|fbclid|msclkid)=$/i,
    /^[\w.+/-]{6,120}={0,2}$/,
  ],
  // the name of a key of PGP in a sentence
  [/\b(?:gpg|pgp)[ -]?key(?:[ -]id)?[: ]{1,2}$/i, /^(?:0x)?[0-9A-F]{8,40}$/],
  // ssh -p 2222 deploy@web1, rsync … deploy@web1:/srv
  [/\b(?:ssh|scp|sftp|rsync|mosh)[ \t][^\n]{0,80}[ \t]$/, /^[a-z_][\w.-]{0,40}@[\w.-]{1,80}(?::[\w./~-]{0,80})?$/],
  // a checksum in the lockfile of CocoaPods
  [/^[ \t]{2}"?(?!\w{0,40}(?:Token|Key|Secret|Pass|Password|Pwd)"?:)[A-Z][\w+/-]{2,40}"?: $/, /^[0-9a-f]{40}$/],
  // Fixes rh#684464
  [/\b(?:fix(?:es|ed)?|close[sd]?|see|bug|issue|resolve[sd]?):? $/i, /^[a-z]{1,12}#\d{2,8}$/],
  // whose it is: changed for user …
  [
    /\b(?:user|account|customer|tenant|order|project|member|device|team|org(?:ani[sz]ation)?)[ _]?(?:id)?[ =:]{1,2}["']?$/i,
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  ],
  // one of a list of names: ['password', 'address2']
  [/\[[^\]\n(]{0,80}["']\w{0,20}(?:password|secret|token|key)\w{0,10}["'],[ \t]{0,4}["']$/i, /^[a-z][a-zA-Z_]*\d?$/],
  // the type that a function of GraphQL returns
  [/\): ?\[?$/, /^[A-Z]\w{2,40}!?\]?!?$/],
  // did:key:…, C:\\Users\\…
  [/\bdid:key:$/, /^z[\w]{30,80}$/],
  [/(?:^|[\s"'(=])[A-Za-z]:$/, /^\\{1,2}[\w .-]/],
  // kubectl describe secret …, getSecret('…')
  [
    /\bkubectl[ \t][^\n|;]{0,80}[ \t]secrets?(?:[ \t]+(?:generic|tls|docker-registry))?[ \t/]$|(?:^|[^a-z])(?:get|read|fetch|load|find|lookup|access)_?(?:[a-z]{2,12}_?){1,3}\(["']$/i,
    /^[a-z][a-z\d]*(?:[-_./][a-z\d]+)*$/,
  ],
  // git cat-file -p …
  [/\bgit[ \t][^\n]{1,50}[ \t]["']?$/, /^[0-9a-f]{40}$/],
  // a file in the text
  [/;base64,$/, /^[\w+/]{8,}={0,2}$/],
  // the name of a PGP key
  [
    /\b(?:signingkey|default-key|local-user|recipient|recv-keys?|edit-key|key ?id)["']?[ =:]{1,3}["']?(?:0x)?$/i,
    /^(?:[0-9A-F]{16}|[0-9A-F]{40})$/,
  ],
  // peer: …, as WireGuard shows the keys of others
  [/(?:^|[^a-z])peer["']?[ \t]{0,2}[:=][ \t]{0,2}["']?$/i, /^[\w+/]{42,43}=$/],
  // …@localhost:5432/shop
  [/@[\w.-]{1,80}:$/, /^\d{2,5}(?:\/[\w.?=&-]{0,80})?$/],
  // La password è obbligatoria: what is said of a password, and not the password
  [
    /(?<!\p{L})(?:è|est|ist|es|é|está|jest|is|wurde|non è|n['’]est pas|no es)[ \t]$/iu,
    /^(?:obblig|oblig|obrig|erforder|requi|richiest|scadut|errat|sbagliat|corr?ec?t|incorr|scorrett|ung[üu]ltig|falsch|g[üu]ltig|valid|invalid|vuot|leer|vide|vací|vazi|abgelaufen|expir|caducad|wymagan|nieprawid|неверн|обязател|просроч|gerekli|zorunlu)\p{L}{0,10}$/iu,
  ],
  // A senha é armazenada …
  [
    /(?<!\p{L})(?:è|é|es|est|está|est[aà]|foi|fue|sera|será|stata|être|ser|essere)[ \t]$/iu,
    /^\p{Ll}{4,14}(?:at|ut|it|ad|id)[oaie]s?(?:[.,;:]?$| )|^\p{Ll}{4,14}ée?s?(?:[.,;:]?$| )/u,
  ],
  // The password is too short: …
  [/(?<!\p{L})(?:too|zu|trop|troppo|demasiado|muito|te|za|слишком)[ \t]\p{L}{2,20}[:;,.–-]{1,2}[ \t]?$/iu, /^\p{L}/u],
  [/(?<!=)\{$|\burn:uuid:$/, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  // the number and the point of a public key; what is private stands behind `d`, `p` and `q`
  [/["'](?:n|x|y)["'][ \t]?:[ \t]?["']$/, /^[\w-]{40,800}$/],
  [/ObjectId\(["']$/, /^[0-9a-f]{24}$/],
  // Public key of the release: …, site key: …
  [
    /(?:^|[^a-z])(?:pub(?:lic|lishable)?|site)[ _-]?key["']?(?:[ \t]{1,2}(?!private|secret)[\w().-]{1,24}){0,3}[ \t]{0,2}[:=]?[ \t]{0,2}["']?$/i,
    /^[\w+/.:-]{16,2000}={0,2}$/,
  ],
  // =?utf-8?Q?Gr=C3=BC=C3=9Fe?=
  [/=\?[\w-]{2,20}\?[qb]\?[^?\s]{0,60}$/i, /^\S/],
  [/\bh1:$/, /^[\w+/]{43}=$/],
  [/\$$/, /^[A-Z_][A-Z\d_]{2,60}(?:\/[\w./-]{0,60})?$/],
  [/<\/?$/, /^[a-z]{1,20}(?:-[a-z]{1,20}){1,5}$/],
  // What proves to others that a domain is one's own is there for all to read.
  [/-verification(?:["']?[ \t]{0,2}[:=]|["'][ \t]{1,2}content=)[ \t]{0,2}["']?$/i, /^[\w-]{16,100}={0,2}$/],
  // The hashes and the signature of a mail; its next line goes on with them.
  [/(?:^|[;\t ])bh=$|(?:^[ \t]{1,8}|bh=[\w+/=]{20,50};[ \t]{0,4})b=$/, /^[\w+/]{20,500}={0,2}$/],
  // How a certificate's key is named
  [/\b(?:x\.?509|cert(?:ificate)?s?)\b(?:(?!pass|secret|token|priv)[^\n]){0,60}$/i, /^[0-9a-f]{40}$/i],
  // https://host/keys/name/version
  [/:\/\/[^\s/]{1,60}\/(?:secrets|keys|certificates)\/[\w-]{1,60}\/(?:versions\/)?$/i, /^[0-9a-f]{32}$/],
  // Numbers and pictures in base64
  [
    /(?:^|[^a-z])(?:embeddings?|vector|thumbnail|image|icon|avatar|audio|bitmap|sprite|photo|blurhash)["']?[ \t]{0,2}[:=][ \t]{0,2}["']?$/i,
    /^[\w+/]{16,400}={0,2}$/,
  ],
  // Longer words that only hold a telling one, as packages are named beside their checksums
  [
    /(?:keychain|keyboard|keynote|keyword|keyframe|monkey|donkey|hockey|turkey|jockey|whiske?y|passport|passenger|compass|tokeni[sz]|authored)\w{0,30}(?:[/+-]\w{1,40}){0,2}(?:[ \t]\([^()\n]{1,20}\))?["']?[ \t]{0,2}[:=][ \t]{0,4}["']?$/i,
    /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
  ],
  // Key format: …, TOKEN_ZONE=…
  [
    /(?:passw\w*|secret|token|key\w{0,10}|cred(?:ential)?s?)(?:[ _-]?[Pp]rovider)?[ _-]?(?:[Nn]ame|[Tt]ype|[Kk]ind|[Cc]lass|[Rr]ef|[Ss]tore|region|zone|format|algorithm|alg|version|[Pp]rovider|namespace|path|file|engine|backend|[Rr]otation|[Pp]olicy|[Ss]trategy|[Mm]ode|[Ss]tatus|[Ss]cope|[Ii]ssuer)["']?[ \t]{0,2}[:=][ \t]{0,2}["']?$/i,
    /^(?:[A-Z]{2,12}-?\d{0,4}|[a-z]{1,20}(?:[-_./][a-z]{1,20}){0,5}(?:[-_.]?\d{1,2})?)$/,
  ],
  // one of the texts that a type allows: | "street-address"
  [/^[ \t]{0,40}\|[ \t]["']$/, /^[A-Za-z]{1,30}(?:[-_ ][A-Za-z]{1,30}){0,5}$/],
  // @decorator, import _module
  [/^[ \t]{0,40}(?:@|(?:import|from)[ \t]{1,4}_{0,2})$/, /^[A-Za-z_]{3,40}$/],
  // the hash of what is told later
  [/(?:^|[^a-z])code_challenge=$/, /^[\w-]{43}$/],
  // --password interactively, secret scanning: ignore the fixtures
  [
    /[ \t]--?[a-z-]{0,20}(?:passw(?:or)?d|passphrase|token|secret)[ \t]$/,
    /^(?:[a-z]{4,16}ly|instead|again|twice|here|only)[,.;:]?$/,
  ],
  [
    /\bsecrets?[ -](?:scann?\w{2,3}|detection|management|manager|rotation|handling|hygiene)["']?[ \t]?[:–-][ \t]?$/i,
    /^[a-z]{2,20}(?: [a-z]{2,20}){0,8}$/,
  ],
  // a task or an action of a pipeline, in one of its versions
  [/(?:^|[^a-z])(?:task|uses)["']?:[ \t]{1,4}["']?$/, /^[\w./-]{3,100}@v?\d{1,4}(?:\.\d{1,4}){0,2}$/],
  // packages by their names
  [
    /\b(?:pip3?|npm|pnpm|yarn|bun|apt|apt-get|brew|cargo|gem|dnf|yum|apk|poetry|uv)[ \t](?:install|add|i)[ \t](?!.*(?:token|pass(?:word)?|key|secret)[ =])(?:[^\n|;&=:]{0,50}[ \t])?$/,
    /^@?[a-z]{2,20}\d{0,2}(?:[-_./][a-z]{1,20}\d{0,2}){0,4}$/,
  ],
  // tool --flag value | program
  [/[ \t]-{1,2}[a-z][^\n]{0,58}[ \t]\|[ \t]{1,2}$/i, /^[a-z]{2,20}$/],
]

/** Lines of which everything is there for all to read: records of a domain, and what programs tell each other about a message or a connection. */
const PUBLIC_LINES: RegExp[] = [
  /[ \t]IN[ \t]{1,8}(?:TXT|SPF|C?DNSKEY|C?DS|RRSIG|TLSA|SMIMEA|SSHFP|NSEC3?(?:PARAM)?|OPENPGPKEY|CERT|CAA|HTTPS|SVCB|SOA)[ \t]/,
  /^[ \t<>*"']{0,8}(?:(?:X-[\w-]{1,20}-)?DKIM-Signature|ARC-(?:Seal|Message-Signature)|Content-MD5|Sec-WebSocket-(?:Key|Accept)|Public-Key-Pins|Content-Security-Policy)["']?[ \t]?:/i,
  /^[ \t<>*"']{0,8}(?:Message-ID|In-Reply-To|References)["']?[ \t]?:[ \t]{0,2}["']?</i,
]

/** Checksums of lockfiles, of which a telling word may be a part by chance (h1:Key…=), and keys of documentation. */
const PUBLIC_RUN = /(?:^|[^\w])(?:h1:[\w+/]{43}=|sha(?:1|256|384|512)[-:][\w+/]{27,128}={0,2})$|EXAMPLE(?:KEY)?$/
const OPENS_RUN = /[\w+/:-]{0,120}$/
const ENDS_RUN = /^[\w+/]{0,120}={0,2}/

/** Whether a value is a part of such a run. */
function isInPublicRun(line: string, start: number, end: number): boolean {
  const open = OPENS_RUN.exec(line.slice(Math.max(0, start - 120), start))![0]
  return PUBLIC_RUN.test(open + line.slice(start, end) + ENDS_RUN.exec(line.slice(end, end + 120))![0])
}

const HOST = /^[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}$/
const HOST_AND_PORT = /^[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}:\d{2,5}(?:\/[\w.-]{0,40})?$/
/** main.db.example.net/shop?ssl=true */
const HOST_AND_MORE =
  /^[a-z][\w-]{0,62}(?:\.[a-z\d][\w-]{0,62}){1,6}\.[a-z]{2,10}(?:\/[\w.-]{0,40})?(?:\?[a-z]{1,30}=[a-z]{1,20}(?:&[a-z]{1,30}=[a-z]{1,20}){0,6})?$/i
const ENDS_HOST = /^(?:[/?"'\s]|$)/
/** libfoo2-tools 0.21.4 */
const PACKAGE = /^[a-z]{2,20}\d{0,2}(?:[-+.][a-z]{1,20}\d{0,2}){0,5}$/
const ITS_VERSION = /^ v?\d{1,4}\.\d/
/** Wi-Fi: Werkstatt (WPA2) */
const OF_A_NETWORK = /^ \((?:WPA\d?|WEP|open|offen|2[.,]4 GHz|5 GHz)\b/
/** func login(w http.ResponseWriter, r *http.Request) */
const TYPE_OF_PARAMETER = /^\*?[a-z]{2,20}\.[A-Z][A-Za-z]{2,40}$/
const PARAMETER = /\bfunc\b[^\n]{0,60}[(,] ?[a-z]\w{0,20} $/
const HASH_OF_FILE = /^(?:[0-9a-f]{8,64}|[\w-]{6,12})$/i
const ENDS_FILE = /^\.(?:[cm]?js|css|map|woff2?|png|svg|webp|jpe?g)(?!\w)/

/** What stands between quotes behind the key `"pass":` or in a call of `pass`. */
const TOLD_TO_PASS = /(?:^|[^\w-])pass(?:["'][ \t]?:|(\())[ \t]?(?:"([^"\n]{1,400})|'([^'\n]{1,400}))/i

/** `"pass": "The list has a heading"`, `t.pass('closed at the end')`: a sentence about a check, where no user is told of. */
function isOutcome(line: string, start: number, value: string): boolean {
  const told = TOLD_TO_PASS.exec(line.slice(0, FAR))
  if (!told || start < told.index || /user|login|auth|smtp|host|mail|account/i.test(line.slice(0, told.index)))
    return false
  const text = told[2] ?? told[3]!
  const words = text.split(' ').length
  if (/^[^\x20-\u024f]/.test(text) || words >= 6) return true
  if (/\d/.test(text)) return false
  // One word of several is never all of a password.
  if (words >= 3 && !value.includes(' ')) return true
  return words >= (told[1] !== undefined ? 2 : /^[\p{Lu}<'"]/u.test(text) ? 3 : 5)
}

/** `confirm_password: Confirmar contraseña`: a label, whose next word says what it is for. */
const LABELLED =
  /^[ \t](?:\p{L}{1,5}[ \t])?(?:passwor[dt]|passcode|kennwort|mot de passe|contraseña|senha|wachtwoord|hasł[oa]|парол|lösenord|şifre|heslo)/iu

/** A name before a colon: `"@passwordLabel": {`. */
const KEY = /^[^\p{L}\d\s]{0,2}\p{L}[\p{L}_.-]{2,60}[^\p{L}\d\s]?$/u
const ENDS_KEY = /^\\?["'][ \t]{0,4}:/

/** The opening of a key, of which the rest is left out. */
const OPENING = /^(?:(?:eyJ|AIza|[a-z]{2,8}[_-])[\w-]{0,12}|[a-z]{2,5})$/

/** Whether the value at this place of a line is known to be none by its place. */
export function isIdentifier(line: string, start: number, end: number): boolean {
  const value = line.slice(start, end)
  const before = line.slice(Math.max(0, start - NEAR), start)
  const after = line.slice(end, end + 30)
  // https:, webpack-internal:, whsec_...
  if (
    after.startsWith('://') ||
    (OPENING.test(value) && /^_?(?:\.{3}|…)/.test(after)) ||
    (value.length >= 16 && PUBLIC.test(value))
  )
    return true
  if (ANYWHERE.some((shape) => shape.test(value)) || isInPublicRun(line, start, end)) return true
  if (PUBLIC_LINES.some((shape) => shape.test(line.slice(0, FAR)))) return true
  if (BEHIND.some(([sign, shape]) => shape.test(value) && sign.test(before))) return true
  if (before.endsWith('@') && HOST_AND_PORT.test(value) && ENDS_HOST.test(after)) return true
  if (value.startsWith('@') ? HOST_AND_MORE.test(value.slice(1)) : before.endsWith('@') && HOST_AND_MORE.test(value))
    return true
  if (PACKAGE.test(value) && ITS_VERSION.test(after)) return true
  if (OF_A_NETWORK.test(after) || (TYPE_OF_PARAMETER.test(value) && PARAMETER.test(before))) return true
  if (before.endsWith('://') && HOST.test(value) && ENDS_HOST.test(after)) return true
  if (/["']/.test(before.slice(-1)) && ENDS_KEY.test(after) && KEY.test(value)) return true
  if (isOutcome(line, start, value) || LABELLED.test(after)) return true
  return /[-.]$/.test(before) && HASH_OF_FILE.test(value) && ENDS_FILE.test(after)
}
