/**
 * Files that git mostly ignores and that are nobody's build output: what they say decides who may do what. That a project
 * ignores a file makes it free to write, but not one of these.
 */
const SECRET =
  /(?:^|\/)(?:\.env(?:rc|\.(?!example|sample|template)[\w.-]+)?|[\w.-]+\.env|\.npmrc|\.yarnrc\.yml|\.pypirc|\.netrc|\.pgpass|\.git-credentials|credentials(?:\.\w+)?|secrets?\.(?:json|ya?ml|toml|env)|id_(?:rsa|ed25519|ecdsa)|local\.settings\.json|master\.key|[\w.-]+\.(?:pem|key|p12|pfx|jks|keystore|tfvars|tfstate))$|^\.claude\/settings(?:\.local)?\.json$|(?:^|\/)\.git(?:\/|$)/i

export function isSecretFile(path: string): boolean {
  return SECRET.test(path)
}
