import { describe, expect, it } from 'vitest'
import { isProven } from '../limits/forbids.ts'
import { limitOn, ordersIn } from '../orders.ts'
import { wantsAnswer } from './wants-answer.ts'

/** What would be held against the agent: words that may well begin work are only shown. */
function heldAgainst(text: string): string | undefined {
  return limitOn(ordersIn(text), 'src/some/place.ts')
}

describe('a request that sounds like a question', () => {
  it.each([
    'When I open a folder, can you preselect the newest file if none is chosen?',
    'And on mobile, could you stack the two columns if there is no room?',
    'Alright, can you have it wrap instead of cutting the text?',
    'Is it possible to have the sidebar collapsed by default?',
    'Would it be possible to sort the list by date instead?',
    'Can the header stick to the top when scrolling?',
    'Quando a lista estiver vazia, você pode mostrar um aviso?',
    'Kannst du beim Start kurz eine Meldung zeigen?',
    '何も選択されていないときは最初の項目を選択できますか？',
    '아무것도 선택되지 않았을 때 첫 번째 항목을 선택해 줄 수 있어?',
    'The labels are cut off, but there is room below. Is there some way to use that room?',
    'Skulle du kunna visa datumet bredvid namnet?',
    'Můžeš seznam seřadit podle data?',
    'The dial jumps back when I let go, is that how it should be? I do not think so, fix please',
  ])('closes nothing: %s', (text) => {
    expect(heldAgainst(text)).toBeUndefined()
  })
})

describe('a report that nothing has changed', () => {
  it.each([
    'There is no change. The button still does nothing. We need the panel to fill the whole window',
    'No change, the spinner is still there',
    'still no changes on the page, it looks as before',
    'Nothing changed. Try it with flexbox',
    'The diff shows no changes in the config, so the flag is never set. Set it',
    'git status says no changes, did you save? the title must be bold',
  ])('forbids none: %s', (text) => {
    expect(ordersIn(text).constraints).toEqual([])
  })

  it.each(['No changes, just tell me why', 'There should be no changes yet. Why does it fail?'])(
    'is not what an order says: %s',
    (text) => expect(heldAgainst(text)).toBeDefined(),
  )
})

describe('who is just asking for something', () => {
  it.each([
    'Just asking you to do it all is easy, but i want a timer and a pause screen',
    "I'm only asking for a small tweak: make the gap 8px",
    "I'm just wondering why this is so slow, make it faster",
    'I just want to know when the job has failed: send a mail in src/job.ts',
    'I only want to understand why it fails and fix it',
  ])('wants it done: %s', (text) => {
    expect(wantsAnswer(text, [])?.certainty).not.toBe('outright')
    expect(heldAgainst(text)).toBeUndefined()
  })

  it('wants an answer where nothing follows', () => {
    expect(wantsAnswer('just asking, does this run on windows', [])?.certainty).toBe('outright')
  })
})

describe('questions', () => {
  it.each([
    'If I rename the bucket, will the old links still work?',
    'If the server restarts, does it lose the queue?',
    'in what order do the hooks run',
    'for how long are the sessions kept',
    'from where does the cron get its settings',
    '/explain why the build is slow',
    '@workspace /explain what this regex does',
    '分析一下登录流程的实现',
  ])('are heard: %s', (text) => {
    expect(heldAgainst(text)).toBeDefined()
    expect(isProven(heldAgainst(text)!, 'src/some/place.ts')).toBe(text.includes('/explain'))
  })

  it.each([
    'Create a plan to migrate the tests to vitest, step by step',
    'Mach mir einen Plan für die Umstellung auf Postgres',
    'Fais-moi un plan pour découper ce module',
    'Haz un plan por pasos para separar el cliente',
    'Fammi un piano per spostare tutto su Kotlin',
    'Faça um plano para refatorar o carrinho',
    'Maak een plan om de module op te splitsen',
    'Составь план переноса на новую базу',
    '制定一个拆分模块的计划',
    '移行計画を立ててください',
    'Use the new price. Explain to me how it works before implementing.',
  ])('that may begin work are heard and close nothing: %s', (text) => {
    expect(wantsAnswer(text, [])?.certainty).toBe('perhaps')
    expect(heldAgainst(text)).toBeUndefined()
  })

  it.each([
    'Create a plan table with a price and a name',
    'Write a plan to docs/plan.md',
    'Make a plan for the move and then do it',
    'In what follows, replace every tab with two spaces',
    'If the list is empty, could you show a hint?',
  ])('are not everything: %s', (text) => {
    expect(wantsAnswer(text, [])).toBeUndefined()
  })
})

describe('no change before the cause is known', () => {
  it.each([
    "Don't rush into changing things, find the cause first",
    'Read the spec and break it down into steps. no code yet',
    '先不要急于改动先找出原因',
    '先不要急着改，先找到原因',
    'まず原因を調べてください。修正はまだしないで',
  ])('is outright: %s', (text) => {
    expect(wantsAnswer(text, [])?.certainty).toBe('outright')
  })
})

describe('words beside a question that want a change', () => {
  it.each([
    "why is that bar there? i don't need it there!",
    "why is this footer shown? we don't want it there",
    'Was veraltet ist, gleich mit ersetzen, aber kein deploy',
    'Wo noch der alte Name steht, bitte gleich mit ändern',
    'In the list the rows still say Row X? - number them',
    'If the list is empty, where does it break, fix that',
  ])('are heard: %s', (text) => {
    expect(ordersIn(text).constraints.filter((limit) => limit.startsWith('Question'))).toEqual([])
  })

  it.each([
    'In `src/panel.tsx` die Breite entfernen. Sonst nichts ändern (Abstände bleiben wie sie sind)',
    'Ajusta src/panel.tsx. No cambies nada más (los colores quedan igual)',
    "Dans src/panel.tsx enlève la limite. Ne change rien d'autre (les marges restent)",
  ])('are not taken back by what closes the rest: %s', (text) => {
    expect(limitOn(ordersIn(text), 'src/panel.tsx')).toBeUndefined()
    expect(limitOn(ordersIn(text), 'src/card.tsx')).toBeDefined()
  })
})

describe('who only wants to understand', () => {
  it.each([
    'Ich will nur verstehen, warum das passiert.',
    'je veux seulement comprendre pourquoi',
    'ik wil alleen begrijpen waarom dit gebeurt',
    'klopt het dat de korting dubbel telt? alleen kijken graag',
    'chcę tylko zrozumieć dlaczego tak jest',
    'voglio solo capire perché succede',
    'só quero entender por que isso acontece',
    'I only want to understand why this happens. The totals are off by one.',
    "I'm giving a talk on Monday and only want to understand the cause.",
  ])('wants an answer: %s', (text) => {
    expect(wantsAnswer(text, [])?.certainty).toBe('outright')
  })
})

describe('trouble that is told of', () => {
  it.each([
    "第52行有报错 KeyError: 'name'",
    "the reply text is also not updating in the page, it's shown all at once",
    'we shoudl keep the logs in a folder that survives a restart',
    'Answer text of the chat is not updating',
  ])('is no question: %s', (text) => expect(wantsAnswer(text, [])).toBeUndefined())

  it.each([
    'where did you put the export? I see an error: KeyError',
    "the notes which I gave you, where is that file, I can't find any",
    '运行时报错了，是什么原因？',
    'why I cannot query the table after a while\n\nerror message\nCatalog Error: Table with name t does not exist!\nDid you mean "pg_t"?',
    'of the colours being used, which would make a good background',
    '@workspace please analyse the project',
  ])('may be why somebody asks: %s', (text) => expect(wantsAnswer(text, [])).toBeDefined())
})

describe('what closes a part of the project', () => {
  it.each([
    ['The pattern needs padding. a.js, b.js are done, no more edits in those please', 'src/pattern.js'],
    [
      "round.scala: round per meter. The proto is a contract, reading.proto therefore: look, don't touch",
      'src/round.scala',
    ],
  ])('asks for no answer: %s', (text, path) => {
    expect(limitOn(ordersIn(text), path)).toBeUndefined()
  })

  it('does where all is left alone', () => {
    const orders = ordersIn('which locks do we hold? write me a short analysis here, leave the repo alone')
    expect(limitOn(orders, 'src/lock.ts')).toMatch(/^Answer only: /)
  })
})

it.each([
  "I've changed the values myself. What's left is: invoices of swapped meters have to contain both readings",
  'all I want is a filter above the list',
  "Serait-il possible d'avoir un lien sur la page ?",
])('closes nothing for what is wanted in other words: %s', (text) => {
  expect(limitOn(ordersIn(text), 'src/page.ts')).toBeUndefined()
})

it.each([
  'Write failing tests for the fares in test/fares.test.js, no implementation yet',
  'Add the route to src/ferry.ts. The page handles it already, so nothing to do there',
  'Es kommt nie an. Analysiere die Abfrage und beschleunige sie',
  'Erklär im README, wie man die Fähre startet',
  'The deck is empty. Should show the crew instead',
  '사용자가 누가 수정했는지 볼 수 있게 이력 화면 추가',
  'El formulario no debe enviarse dos veces. Está en src/form.tsx',
])('an order beside a refusal or in the form of a question is none: %s', (text) => {
  expect(wantsAnswer(text, [])).toBeUndefined()
})

it.each([
  'Why can I book it twice? Block that',
  'Does it check the age? It should',
  'still nan after an hour, maybe the rate?',
])('what is hardly a question closes nothing: %s', (text) => {
  expect(heldAgainst(text)).toBeUndefined()
})

describe('a refusal of every change, or of all execution', () => {
  it.each([
    'Lets not change anything',
    "don't run or change anything",
    "I don't want any changes",
    'make no edits whatsoever',
    'hands off the code for now',
    'stay in plan mode',
    'Review the store and tell me what is missing. DO NOT EXECUTE ANYTHING IN PLAN MODE.',
    'Führe nichts aus',
    'Ich will nicht, dass du was änderst',
    'ne fais aucune modification',
    "Aucune modification s'il te plaît",
    "n'exécute rien",
    'no hagas ningún cambio',
    'no ejecutes nada',
    'non fare modifiche',
    'non eseguire nulla',
    'não faça nenhuma alteração',
    'voer niets uit',
    'breng nog geen wijzigingen aan',
    'nie wprowadzaj żadnych zmian',
    'не вноси никаких изменений',
    'не виконуй нічого',
    '什么都不要改',
    '不要执行任何操作',
    '何も実行しないで',
    '아무것도 실행하지 마',
  ])('wants words alone: %s', (text) => expect(wantsAnswer(text, [])?.certainty).toBe('outright'))

  it.each([
    "Fix the login. Don't execute anything",
    'Corrige el total en cart.ts sin hacer cambios en la API',
    'the amount must be read-only. nobody may edit it',
    'viewers work in read-only mode',
    'the --dry-run flag should print the plan and not execute anything',
    "Let's not change the order of the list, only the colour",
  ])('is none beside an order, or where it is said of the program: %s', (text) => {
    expect(wantsAnswer(text, [])).toBeUndefined()
  })
})

describe('words as what is ordered', () => {
  it.each([
    'search for all deprecated calls in the project',
    'Suche alle veralteten Aufrufe im Projekt',
    'Untersuche, warum der Export so lange dauert',
    'necesito que investigues la lógica del pedido',
    'Falta implementar las facturas. planifica lo que hay que hacer.',
    'Provide a detailed report on the flow of orders.',
    'For now just summarize the chat.',
    '要件を決めたいので、いくつか質問をしてください。',
    'Django 有稳定实现缓存的官方方式吗',
    'add the key rotation to keys.py and --rotate to cli.py, but first tell me what you are going to do',
    'Refactor the store. Before you start, ask me questions.',
    'Create a plan for a desktop version. Put the desktop part inside app folder.',
  ])('wants an answer: %s', (text) => expect(wantsAnswer(text, [])).toBeDefined())

  it('hears that a list in the chat is enough, whatever is refused beside it', () => {
    const refused = "Just a list in the chat, don't add any tests"
    expect(wantsAnswer(`which functions have no tests? ${refused}`, [refused])?.certainty).toBe('outright')
  })

  it.each([
    'Give me an option to hide the sidebar',
    'Search should go through all the files in the project',
    'Make the hook run in plan mode',
    'Provide a summary of the order on the checkout page',
    'Find all the old calls in the project and replace them',
    'Untersuche den Import und behebe den Fehler',
    'investiga el fallo y corrígelo',
    'necesito que investigues y arregles el login',
    'Change the feed so it is sorted by date and show me the newest first',
    'The app should ask me to log in first.',
    'First tell me what you find, then add the export to report.ts',
    'Create a plan for the web version. Use it to implement the first step',
    '帮我加个按钮可以吗',
    '我上传了文档，还是使用了默认问题',
  ])('wants work: %s', (text) => expect(wantsAnswer(text, [])).toBeUndefined())
})
