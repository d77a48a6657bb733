import { expect, it } from 'vitest'
import { readClosing } from './closing.ts'

it.each([
  ['finished', 'All set. The importer skips blank lines now, and two tests cover it.'],
  ['finished', "Renamed everywhere. Let me know if you'd also like the column renamed."],
  ['finished', 'The dropdown closes on escape now.'],
  ['finished', 'The answer is parsed as hex.'],
  ['finished', 'The reply is parsed as hex.'],
  ['finished', 'The type is inferred from the column.'],
  ['asks', 'Reply with 1 or 2 and I go on.'],
  ['finished', 'Erledigt: Die Suche findet jetzt auch Umlaute.'],
  ['finished', 'Готово: скидка считается правильно, тест добавлен.'],
  ['finished', 'ソートの不具合を修正しました。テストもすべて通っています。'],
  ['unfinished', 'Steps 1 and 2 are in. Step 3 is not implemented.'],
  ['unfinished', "I've added the endpoint, but two tests still fail. I'll look at those next."],
  ['unfinished', 'Let me check how the other providers handle this.'],
  ['unfinished', "Je n'ai pas pu lancer les tests, la base n'est pas accessible."],
  ['unfinished', '接下来我会更新剩下的三个页面。'],
  ['asks', 'Should I go with option 1 or option 2?'],
  ['asks', 'Before I delete the old table, can you confirm that nobody reads from it?'],
  ['asks', '¿Prefieres que lo haga en el cliente o en el servidor?'],
  ['asks', '需要我把旧接口一起删除吗？'],
])('%s: %s', (label, words) => {
  expect(readClosing(words)).toBe(label)
})

it.each([
  ['unfinished', 'Moved 9 of the 13 hooks to the new module.'],
  ['finished', 'Moved 13 of 13 hooks to the new module.'],
  ['unfinished', 'Ran everything: 5 failed, 120 passed.'],
  ['finished', 'Ran everything: 125 passed, 0 failures.'],
  ['unfinished', 'The reader is in place, the writer is not.'],
  ['unfinished', 'Better now, with two tests failing. I stopped there.'],
  ['unfinished', '## Done\n- the list\n\n## Remaining\n- the detail page\n- the docs'],
  ['finished', '## Done\n- the list\n- the detail page\n\nAll tests pass.\n\n## Next steps\n- you could add a filter'],
  ['unfinished', '7 von 12 Seiten sind übersetzt, der Rest folgt.'],
  ['unfinished', 'Two of the five exporters write the new header.'],
  ['unfinished', 'Pinned. The image could not be pulled, so the device tests have not run.'],
  ['unfinished', 'Ho sistemato la prima metà; ora passo al resto.'],
])('how much of it is done: %s: %s', (label, words) => {
  expect(readClosing(words)).toBe(label)
})

it('what sounds like a failure answers a question', () => {
  const words = 'Because the file cannot be found from inside the container: the path is relative.'
  expect(readClosing(words, 'why does the start fail?')).toBe('finished')
})

it.each([
  ['unfinished', 'The new route is below.\n\nAPI Error: 529 overloaded'],
  ['unfinished', 'I will add the line now.\n\nUnable to write file ferry.conf after 5 attempts: permission denied'],
  ['unfinished', 'ConnectionError: the model is not available\nRetrying in 16 seconds...'],
  ['finished', 'Here is the schema that was missing.\n\nApplied edit to schemas/ferry.ts'],
  ['asks', 'I need two more files for this. Please add `src/ferry.ts` to the chat, then I can go on.'],
])('what a tool reports, or is needed of the user, below the words: %s', (label, words) => {
  expect(readClosing(words)).toBe(label)
})

it('an answer of any length is read', () => {
  expect(readClosing('')).toBeDefined()
  expect(readClosing(`${'x '.repeat(200_000)}Done, all tests pass.`)).toBe('finished')
})
