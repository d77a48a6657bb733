/**
 * Files with credentials or settings that decide who may do what. Ignored files are free to write, but not these,
 * although git mostly ignores them and no build writes them.
 */
const SECRET =
  /(?:^|\/)(?:\.env(?:rc|\.(?!example|sample|template)[\w.-]+)?|[\w.-]+\.env|\.npmrc|\.yarnrc\.yml|\.pypirc|\.netrc|\.pgpass|\.git-credentials|credentials(?:\.\w+)?|secrets?\.(?:json|ya?ml|toml|env)|id_(?:rsa|ed25519|ecdsa)|local\.settings\.json|master\.key|[\w.-]+\.(?:pem|key|p12|pfx|jks|keystore|tfvars|tfstate))$|^\.claude\/settings(?:\.local)?\.json$|(?:^|\/)\.git(?:\/|$)/i

export function isSecretFile(path: string): boolean {
  return SECRET.test(path)
}
