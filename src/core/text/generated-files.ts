const LOCKFILE =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|cargo\.lock|poetry\.lock|pdm\.lock|uv\.lock|pipfile\.lock|gemfile\.lock|composer\.lock|mix\.lock|pubspec\.lock|podfile\.lock|package\.resolved|go\.sum|gradle\.lockfile|flake\.lock|packages\.lock\.json|[^/]+\.lock)$/i
const BUILT =
  /(^|\/)(node_modules|dist|build|out|target|vendor|coverage|\.next|__pycache__|__generated__|generated|gen)\//i
const GENERATED =
  /\.(min\.(js|css)|map|snap|pb\.(go|cc|h)|g\.dart|freezed\.dart|designer\.cs)$|_pb2(_grpc)?\.pyi?$|\.generated\.\w+$|[._-]gen\.\w+$/i

/** Lockfiles, builds and generated code: a tool wrote them, however many lines they have. */
export function isGenerated(file: string): boolean {
  return LOCKFILE.test(file) || BUILT.test(file) || GENERATED.test(file)
}
