/**
 * Keys that their issuers made recognisable. Each line is the public shape of one family: a fixed opening and what
 * follows it. Only the last part of a shape may be unbounded, so that a text is never looked at twice.
 */
export const keyShapes: RegExp[] = [
  // Model providers
  /sk-(?:ant|proj|svcacct|admin|or)-[\w-]{20,}/,
  /sk-[A-Za-z0-9]{20,}/,
  /(?:sk|pk)-lf-[0-9a-f-]{36}/,
  /hf_[A-Za-z]{30,}/,
  /r8_[A-Za-z0-9]{30,}/,
  /gsk_[A-Za-z0-9]{40,}/,
  /xai-[A-Za-z0-9]{60,}/,
  /pplx-[A-Za-z0-9]{40,}/,
  /tvly-[\w-]{20,}/,
  /fc-[0-9a-f]{32}/,
  /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/,
  // Clouds
  /(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/,
  /ABSK[A-Za-z0-9+/]{60,}={0,2}/,
  /AIza[\w-]{35}/,
  /ya29\.[\w.-]{20,}/,
  /GOCSPX-[\w-]{20,}/,
  /1\/\/0[\w-]{30,}/,
  /[\w~.-]{3}\dQ~[\w~.-]{31,}/,
  /do[opr]_v1_[0-9a-f]{64}/,
  /dapi[0-9a-f]{32}(?:-\d)?/,
  /v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}/,
  /HRKU-[\w-]{30,}/,
  /nfp_[A-Za-z0-9]{36,}/,
  /vc[a-z]_[A-Za-z0-9]{24,}/,
  /fo1_[\w-]{40,}/,
  /fm\d_[A-Za-z0-9+/=_-]{60,}/,
  /sbp_[0-9a-f]{40}/,
  /sb_secret_[\w-]{20,}/,
  /pscale_(?:tkn|pw|oauth)_[\w.=-]{32,}/,
  /napi_[A-Za-z0-9]{40,}/,
  /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}/,
  /hv[sbr]\.[\w-]{24,}/,
  /tskey-[a-z]{2,10}-[\w-]{20,}/,
  /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}/,
  /pul-[0-9a-f]{40}/,
  // Code hosts and registries
  /gh[pousr]_[A-Za-z0-9]{30,}/,
  /github_pat_\w{30,}/,
  /gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[\w-]{16,}/,
  /GR1348941[\w-]{20,}/,
  /npm_[A-Za-z0-9]{36,}/,
  /pypi-[\w-]{50,}/,
  /rubygems_[0-9a-f]{48}/,
  /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/,
  /oy2[a-z0-9]{43}(?![A-Za-z0-9])/,
  /dckr_[a-z]{3}_[\w-]{20,}/,
  // A private key in base64 once more, by the name of its block at each of its three places in a group of four
  /LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:UFJJVkFURSBLRVk|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)[A-Za-z0-9+/]{20,}={0,2}/,
  // {"auths": …} in base64, at each of its three places in a group of four
  /e[wy][A-Za-z0-9+/]{0,10}(?:ImF1dGhzIj|JhdXRocyI6|iYXV0aHMi)[A-Za-z0-9+/]{20,}={0,2}/,
  /AT[AC]TT3[\w=-]{60,}/,
  /CCIPAT_[\w-]{20,}/,
  /bkua_[0-9a-f]{40}/,
  /sgp_\w{40,}/,
  // Money and shops
  /(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}/,
  /sk_[0-9a-f]{32,}/,
  /whsec_[A-Za-z0-9+/]{24,}={0,2}/,
  /sq0[a-z]{3}-[\w-]{22,}/,
  /EAAA[\w-]{56,}/,
  /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/,
  // Messages and mail
  /xox[a-z](?:\.xox[a-z])?-[\w-]{10,}/,
  /xapp-\d-[\w-]{20,}/,
  /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,}/,
  /discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/[\w-]{20,}/,
  /[MNO][\w-]{22,27}\.[\w-]{6,7}\.[\w-]{27,}/,
  /(?:bot)?\d{8,10}:AA[\w-]{33}/,
  /SG\.[\w-]{16,32}\.[\w-]{30,}/,
  /key-[0-9a-f]{32}/,
  /[0-9a-f]{32}-us\d{1,2}(?!\d)/,
  /re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,}/,
  /SK[0-9a-f]{32}(?![A-Za-z0-9])/,
  // Work tools
  /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/,
  /(?:secret|ntn)_[A-Za-z0-9]{40,}/,
  /fig[a-z]_[\w-]{36,}/,
  /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/,
  /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/,
  /NRAK-[A-Z0-9]{27}/,
  /glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}/,
  /glc_[A-Za-z0-9+/=]{32,}/,
  /sntry[su]_[\w+/=-]{40,}/,
  /phx_[A-Za-z0-9]{40,}/,
  /dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}/,
  /CFPAT-[\w-]{43}/,
  /ops_eyJ[\w-]{80,}/,
  /(?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  /AGE-SECRET-KEY-1[0-9A-Z]{58}/,
  /sk\.eyJ[\w-]{8,200}\.[\w-]{16,}/,
  /(?:access|public|link)-(?:production|sandbox|development)-[0-9a-f]{8}-[0-9a-f-]{27}/,
  /\d{6}(?:-\d{6}){7}/,
  /pat-[a-z]{2}\d-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
  /token-[a-z0-9]{5}:[a-z0-9]{50,}/,
  // Any issuer: a prefix that says what it is, or one before more than an id has.
  /[a-z][a-z0-9]{1,9}[_-](?:live|test|prod|secret|sk|pat|tok|token|apikey|oauth|priv)[_-](?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9]{20,}/,
  /(?!sha|git|rev|md5|img|tmp|obj|hash|run|job|id_|css|svg|test)[a-z]{2,5}_(?:[0-9a-f]{40}|[0-9a-f]{64})(?![A-Za-z0-9])/,
]

/** Every key shape at once; a key does not begin inside a word, and some have parts behind dots. */
export const KEY_SHAPES = new RegExp(
  `(?<![A-Za-z0-9])(?:${keyShapes.map(({ source }) => source).join('|')})(?:\\.(?=[\\w-]{0,40}\\d)[\\w-]{2,}){0,4}`,
  'g',
)

/** Three parts of which the first two are JSON objects. Beginning only where a run begins keeps it linear. */
export const WEB_TOKEN = /(?<![\w.-])eyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w.-]*/g
