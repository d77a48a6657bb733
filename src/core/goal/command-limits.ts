import { commandFinder, type FindCommand } from '../action/command-patterns.ts'
import type { Invocation } from '../action/invocations.ts'
import { REFUSING } from './languages/refusing.ts'
import { sentencesOf, withoutPasted } from './prose.ts'

/** What people forbid by its name and agents do with a command: "do not commit, I will do that". */
const DEEDS: { said: RegExp; isDone: FindCommand }[] = [
  {
    said: /^(?:commit|committed|committing|commits|committen|einchecken|commiter|commiten|commitear|commitare|commitar|commitować|commituj|закоммить|коммить|коммитить|коммит)$/i,
    isDone: commandFinder(['git commit']),
  },
  {
    said: /^(?:push|pushed|pushing|pushen|pusher|pushe|pushear|pushare|pushować|пушить|пушь|пуш)$/i,
    isDone: commandFinder(['git push']),
  },
  {
    said: /^(?:deploy|deployed|deploying|deployen|deploye|déployer|déploie|desplegar|despliegues|деплоить|деплой)$/i,
    isDone: commandFinder([
      'kubectl|oc apply',
      'helm upgrade|install',
      'terraform|terragrunt|tofu apply',
      'terragrunt run-all|run apply',
      'fly|flyctl deploy',
      'vercel --prod',
      'serverless|sls|cdk deploy',
      'npm|yarn|pnpm|bun|make deploy',
      'npm|yarn|pnpm|bun run deploy',
    ]),
  },
  {
    said: /^(?:apply|applied|applying|anwenden|appliquer|applique|aplicar|apliques|applicare)$/i,
    isDone: commandFinder([
      'terraform|tofu|terragrunt|kubectl|oc apply',
      'terragrunt run-all|run apply',
      'pulumi up',
      'cdk deploy',
    ]),
  },
  {
    said: /^(?:publish|published|publishing|release|released|veröffentlichen|publier|publicar|pubblicare)$/i,
    isDone: commandFinder([
      'npm|yarn|pnpm|bun|cargo|poetry|changeset|lerna publish',
      'yarn npm publish',
      'twine upload',
      'gh release create',
    ]),
  },
]

const NEAR = 4
/** After the verb only these: "don't push to main" leaves other branches open. */
const LAST =
  /^(?:yet|anything|anywhere|here|there|it|that|them|this|please|pls|or|and|for|now|nothing|either|bitte|noch|nichts|rien|nada|yourself|commit|push)$/i

/** The sentences that forbid something which a command does. */
export function refusedDeedsIn(text: string): string[] {
  return sentencesOf(withoutPasted(text)).filter((sentence) => deedsRefusedIn(sentence).length > 0)
}

/** The limit that a command line goes against. */
export function commandForbiddenBy(limits: readonly string[], ran: readonly Invocation[]): string | undefined {
  return limits.find((limit) => deedsRefusedIn(limit).some(({ isDone }) => ran.some((one) => isDone(one))))
}

/** Whether newer words ask for a deed that a limit has forbidden. */
export function asksForDeed(text: string, limit: string): boolean {
  const refused = deedsRefusedIn(limit)
  if (refused.length === 0) return false
  const still = new Set(deedsRefusedIn(text))
  const said = text.split(/[^\p{L}'’-]+/u)
  return refused.some((deed) => !still.has(deed) && said.some((word) => deed.said.test(word)))
}

/** Where one order ends and the next begins; "don't commit and push" is one, "… and nothing gets applied" another. */
const CLAUSES =
  /[,;:()]|\s(?:but|aber|mais|pero|ma|mas|maar|ale|но)\s|\sand\s(?=(?:nothing|never|do not|don['’]?t|no)\s)/

/** "Plan only, I'll apply it myself": what the user keeps for themselves. */
const MYSELF =
  /^\s?(?:(?:and|but|then|und|aber)\s)?(?:(?:i|we)(?:['’]ll| will|['’]m going to|['’]re going to) (?:then |only )?(?<deed>commit|push|deploy|apply|publish|release)(?: (?:it|this|that|them))?(?: (?:by )?(?:myself|ourselves)| on my own)(?![\p{L}-]))/iu

function deedsRefusedIn(sentence: string): (typeof DEEDS)[number][] {
  return sentence.split(CLAUSES).flatMap((clause) => {
    const own = MYSELF.exec(clause)?.groups?.deed
    if (own !== undefined) return DEEDS.filter(({ said }) => said.test(own))
    const words = clause.split(/[^\p{L}'’-]+/u).filter((word) => word !== '')
    const refusal = words.findIndex((word) => REFUSING.has(word.toLowerCase()))
    if (refusal < 0 || refusal > NEAR) return []
    const after = words.slice(refusal + 1, refusal + 1 + NEAR)
    const at = after.findIndex((word) => DEEDS.some(({ said }) => said.test(word)))
    if (at < 0 || at > 3) return []
    // "Nothing gets pushed" is an order, "it is not committed" tells how things are.
    if (/ed$/i.test(after[at]!) && !after.slice(0, at).some((word) => /^(?:gets?|be)$/i.test(word))) return []
    const rest = words.slice(refusal + 2 + at)
    if (!rest.every((word) => LAST.test(word))) return []
    return DEEDS.filter(({ said }) => [after[at]!, ...rest].some((word) => said.test(word)))
  })
}
