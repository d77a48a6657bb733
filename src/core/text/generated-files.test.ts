import { expect, it } from 'vitest'
import { isGenerated } from './generated-files.ts'

it.each([
  'package-lock.json',
  'app/yarn.lock',
  'Cargo.lock',
  'go.sum',
  'dist/app.js',
  'src/api/__generated__/types.ts',
  'proto/user.pb.go',
  'proto/user_pb2.py',
  'web/app.min.js',
  'src/__snapshots__/page.snap',
  'lib/model.g.dart',
])('%s is made by a tool', (file) => {
  expect(isGenerated(file)).toBe(true)
})

it.each(['src/lock.ts', 'src/builder/map.ts', 'src/snapshot.ts', 'locks/keys.go', 'generator.py'])(
  '%s is not',
  (file) => expect(isGenerated(file)).toBe(false),
)
