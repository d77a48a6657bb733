import { filesAskedFor, placesAskedFor, targetsAskedFor } from './asked.ts'
import { clausesOf, wordsIn } from './clauses/clauses-of.ts'
import { asksForDeed, refusedDeedsIn } from './command-limits.ts'
import { isSimplePrompt } from './instruction.ts'
import { REFUSING } from './languages/refusing.ts'
import { answerOnly, onlyAnswers } from './limits/answer-only.ts'
import { sparing } from './limits/beside-newer-words.ts'
import { type Deed, forbiddenBy } from './limits/forbids.ts'
import { isClosedByName } from './limits/left-open.ts'
import { clip, type Limit } from './limits/limit.ts'
import { limitsIn } from './limits/limits-in.ts'
import { givesLeave, hasPassed, isPutOff, keepsTo, reopens, untilTold } from './limits/reopens.ts'
import { ACTS } from './limits/spoken-of.ts'
import { isAt, meets } from './meets.ts'
import { UNSPACED } from './named-in.ts'
import { pathsIn } from './paths-in.ts'
import { sentencesOf, withoutPasted } from './prose.ts'
import { asksForWork } from './question/sentence-reading.ts'
import { wantsAnswer } from './question/wants-answer.ts'
import type { Target } from './targets.ts'

/** What the user's words open and close to the agent. */
export interface Orders {
  /** What must not happen, each in the words of the user it came from. */
  constraints: string[]
  /** Files and folders that the user wants to see changed. */
  expectedScope: string[]
}

const MOST_LIMITS = 20
const MOST_PATHS = 20

/** What one instruction orders by itself. */
export function ordersIn(text: string): Orders {
  const sentences = sentencesOf(withoutPasted(text))
  const asked = filesAskedFor(sentences)
  const places = placesAskedFor(sentences)
  // What the trained reader only expects is no limit on what is plainly asked for.
  const isAsked = ({ targets }: Limit) =>
    targets.every((target) => target.is === 'path' && places.includes(target.path))
  const read = limitsIn(text).filter(
    (limit) => limit.forbids === 'others' || !limit.isLearned || !(isAsked(limit) || isAllThatIsSaid(limit, sentences)),
  )
  const closed = read
    .filter(({ forbids }) => forbids === 'named')
    .flatMap(({ targets }) => targets.flatMap((target) => (target.is === 'path' ? [target.path] : [])))
  const isCodeClosed = read.some(
    ({ forbids, targets }) => forbids === 'named' && targets.some(({ is }) => is === 'code'),
  )
  const expectedScope = scopeOf(text, asked, closed, isCodeClosed && !isOnlyCodeNamed(text, sentences))
  // "No other files": where none was named, nobody can tell which.
  const limits = read.filter(({ isRest }) => !isRest || expectedScope.length > 0)
  const parts = limits.filter(isPartial)
  const heard = wantsAnswer(
    text,
    parts.filter(({ isLearned }) => !isLearned).map(({ said }) => said),
    parts.map(({ said }) => said),
  )
  const isCode = ({ targets }: Limit) => targets.every(({ is }) => is === 'code')
  // "Find out what went wrong, mas sem código ainda": a question, and that no code is wanted with it.
  const question =
    heard?.certainty === 'perhaps' && limits.some(isCode) ? { ...heard, certainty: 'asked' as const } : heard
  // "No code": who wants nothing but an answer has said it all with that.
  const isSaid = (limit: Limit) =>
    question !== undefined && (question.certainty === 'outright' || limit.isLearned === true) && isCode(limit)
  const kept = limits.filter((limit) => limit.isRest || !isSaid(limit))
  const constraints = [...new Set([...kept.map(({ said }) => said), ...refusedDeedsIn(text)])]
  return {
    constraints: question ? [answerOnly(question.words, question.certainty), ...constraints] : constraints,
    expectedScope,
  }
}

/** "plan.sh should wait for the lock": a wish without a refusal, where nothing else is named or asked for, is the task. */
function isAllThatIsSaid({ said, targets }: Limit, sentences: readonly string[]): boolean {
  const own = sentences.find((sentence) => said.endsWith(clip(sentence)))
  const clause = clausesOf(own ?? '').find((one) =>
    targets.some((target) => target.is === 'path' && one.includes(target.path)),
  )
  if (own === undefined || clause === undefined || !asksForWork(clause)) return false
  if (wordsIn(own).some(({ text }) => REFUSING.has(text))) return false
  const isClosed = (path: string) => targets.some((target) => target.is === 'path' && target.path === path)
  return pathsIn(own).every(isClosed) && !sentences.some((sentence) => sentence !== own && asksForWork(sentence))
}

/** "geo.rb has no docs. Write comments, no code changes": where nothing but code is named, the work is done in it. */
function isOnlyCodeNamed(text: string, sentences: readonly string[]): boolean {
  const isOther = (target: Target) => target.is === 'words' && target.sorts.length > 0
  return (
    pathsIn(withoutPasted(text)).every((path) => meets({ is: 'code' }, path)) &&
    !sentences.flatMap(targetsAskedFor).some(isOther)
  )
}

/** The places that a text names and does not close. */
function scopeOf(text: string, asked: readonly string[], closed: readonly string[], isCodeClosed: boolean): string[] {
  // To test or to document a file is not to change it.
  return (
    pathsIn(
      withoutPasted(text)
        .replace(/\b(?:tests?|specs?|docs?|documentation) (?:for|of) \S+/gi, ' ')
        // A test that fails is not yet one that is to be changed.
        .replace(/[\w./-]{0,80}(?:test|spec)[\w./-]{0,80} (?:fails|is failing|is red|keeps failing)\b/gi, ' '),
    )
      .filter(isPlace)
      // "Read SPEC.md first", "a.ts calls it (see b.ts:30)": named to be read.
      .filter((path) => asked.includes(path) || !isOnlyRead(text, path))
      // "Add tests for utils.js, leave utils.js alone": named by itself.
      .filter((path) => !(closed.includes(path) && isClosedByName(path, sentencesOf(withoutPasted(text)))))
      // "No code changes": a file of code that is only spoken of is closed with all others.
      .filter(
        (path) =>
          asked.includes(path) ||
          !(closed.some((one) => isAt(one, path)) || (isCodeClosed && meets({ is: 'code' }, path))),
      )
      .slice(0, MOST_PATHS)
  )
}

/** Whether a path stands nowhere but where it is to be looked at. */
function isOnlyRead(text: string, path: string): boolean {
  const said = sentencesOf(withoutPasted(text)).filter((sentence) => sentence.includes(path))
  return (
    said.length > 0 &&
    said.every((sentence) => {
      const before = sentence.slice(0, sentence.lastIndexOf(path))
      return (
        (SEE.test(before) && pathsIn(before.replace(SEE, ' ')).length > 0) ||
        (DOCUMENT.test(path) &&
          READ.test(before) &&
          !ACTS.test(before.replace(READ, '')) &&
          !SAYS_MORE.test(afterPaths(sentence, path)))
      )
    })
  )
}

/** What goes on behind the list that a path stands in; what is said to come later is no part of it. */
function afterPaths(sentence: string, path: string): string {
  const rest = sentence.slice(sentence.lastIndexOf(path) + path.length)
  return pathsIn(rest)
    .reduce((text, other) => text.replace(other, ' '), rest)
    .replace(BEFORE_WORK, ' ')
}

/** Code that is to be read may well be what is wrong. */
const DOCUMENT = /\.(?:mdx?|mdc|rst|txt|adoc|pdf|docx?)$/i
/** Work, or a remark on what was read: "…, it is out of date in two places". */
const SAYS_MORE = new RegExp(String.raw`${ACTS.source}|[,;–—]\s{0,3}(?:\p{L}\S{0,30}\s){3}`, 'iu')
const READ =
  /^(?:(?:please|first|now|then|also|and|ok|start:?|context:?|bitte|zuerst|por favor|primero)[,.]?\s){0,3}(?:re-?)?(?:read|study|consult|refer to|lies|lis|lisez|lee|leer|leggi|leia|lees|przeczytaj|прочитай|прочти|阅读|请阅读|先读|读)(?!\p{L})/iu
const SEE =
  /(?<!\p{L})(?:see|ver|vgl\.?|siehe|voir|véase|vedi|zie|zob\.?|zobacz|см\.?|参见|参考|見)\s?(?:also\s)?[`(]{0,2}$/iu
const BEFORE_WORK = /\b(?:before|prior to|bevor|avant de|antes de|prima di)\b.*$/iu

/** Who closes a part of the project expects changes in the rest. */
function isPartial({ forbids, targets, isLearned, isKept }: Limit): boolean {
  // A word that may be anything is no part, unless a rule has read it; nor is one that no path is written with.
  const isPart = (target: Target) =>
    target.is === 'path' ||
    (target.is === 'words' &&
      (!isLearned || target.isPlace === true) &&
      (target.sorts.length > 0 || !target.words.every((word) => UNSPACED.test(word))))
  return !isKept && forbids === 'named' && targets.some(isPart)
}

/** "*.csv" and ".md" are formats, not places. */
function isPlace(path: string): boolean {
  return !/^\*?\.\w+$/.test(path)
}

/** Orders that stand, and newer words: the newer ones win. */
export function hear(standing: Orders, text: string): Orders {
  if (isSimplePrompt(text) && !urgesOn(text)) return standing
  const newer = ordersIn(text)
  // What was said only to get an answer goes with it.
  const answered = (limit: string) =>
    !UNTIL_SAID.test(limit) && (onlyAnswers(limit) || standing.constraints.includes(answerOnly(limit, 'outright')))
  const isGiven = GO.test(text) && !newer.constraints.some(onlyAnswers)
  // "No code yet", and then a task: that is the word it was put off until.
  const asksNow =
    newer.constraints.length === 0 &&
    sentencesOf(withoutPasted(text)).some(
      (sentence) => !sentence.endsWith('?') && asksForWork(sentence.replace(NUMBERED, '')),
    )
  // "Only this" takes the place of the "only that" before it.
  const isMoved = LIFTS.test(text) || newer.constraints.some(keepsTo)
  // What the user had closed is what the agent had to ask for.
  const isLeave = givesLeave(text)
  const kept = standing.constraints
    .filter(
      (limit) =>
        !answered(limit) &&
        !reopens(text, limit) &&
        !hasPassed(text, limit) &&
        !isLeave &&
        !asksForDeed(text, limit) &&
        !(isGiven && (untilTold(limit) || UNTIL_SAID.test(limit) || isPutOff(limit))) &&
        !(asksNow && untilTold(limit) && !UNTIL_SAID.test(limit)) &&
        !(isMoved && keepsTo(limit)),
    )
    .map((limit) => (onlyAnswers(limit) ? limit : sparing(limit, text)))
  const closedNow = (path: string) =>
    forbiddenBy(
      newer.constraints.filter((limit) => !onlyAnswers(limit)),
      path,
      newer.expectedScope,
    ) !== undefined
  const scope = standing.expectedScope.filter((path) => !closedNow(path))
  return {
    constraints: [...new Set([...kept, ...newer.constraints])].slice(-MOST_LIMITS),
    expectedScope: [...new Set([...scope, ...newer.expectedScope])],
  }
}

/** "Task 1: …", quoted from a list. */
const NUMBERED =
  /^["“'\s]{0,3}(?:task|step|phase|part|aufgabe|schritt|étape|tâche|paso|tarea|passo|tarefa|stap|krok|шаг|задача)\s?\d{0,3}\s?[:.–-]\s{1,3}/i

/** What holds until the user gives the word. */
const UNTIL_SAID =
  /\b(?:until|till|before|unless) (?:i|we)(?:['’]ve| have)? (?:say|said|tell|told|give|gave|ok|approve|confirm|agree)|\bbis ich\b|jusqu['’]à ce que je|\bhasta que (?:yo |te |lo )|\bfinché non (?:te |lo )?dico|\baté eu\b|\btotdat ik\b|\bdopóki nie\b|пока (?:я )?не скажу|等我(?:说|确认)|私が.{0,6}まで/i

/** All of the project is open again. */
const LIFTS =
  /\b(?:change|touch|edit|modify|do|use) (?:whatever|anything|everything|any files?|all files)(?: (?:is|you|that['’]s))?(?: (?:necessary|needed|need|want|like|required|it takes))?|\b(?:you (?:can|may)(?: now)?|feel free to|ok(?:ay)? to) (?:change|touch|edit|modify|use) (?:the |any |all )?(?:other|others|rest|remaining)|\bwhatever it takes\b|\b(?:drop|forget|lift|ignore) (?:that|the|this) (?:limit|restriction|rule)|\b(?:restriction|limit) (?:is )?(?:gone|lifted|no longer)|(?<!\p{L})(?:(?:drop|forget|lift|ignore|scrap|disregard) (?:that|the|this|my)|vergiss das|oublie (?:le|mon)|olvida (?:el|lo de)|dimentica il|esquece o|vergeet (?:het|dat)|zapomnij o|забудь (?:про|о)) ?["'“‘«„]? ?(?:only|just|nur|seulement|uniquement|s[oó]lo|solamente|soltanto|só|apenas|alleen|tylko|только)(?!\p{L})/iu

/** The word for what was put off: "looks good, go ahead". */
const GO =
  /^go\b|\b(?:go ahead|go for it|make it(?! \w)|(?:do|build|implement|apply|ship|start|write) (?:it|this|that)\b|(?:do|build|implement|apply|ship|start|make|write) (?:the (?:code|change|changes|implementation))|implement|proceed|looks? good|lgtm|sounds good|approved|start (?:coding|implementing|with)|leg(?:e)? los|setz\w* (?:es|das) um|mach (?:es|das)|umsetzen|vas-y|allez-y|d['’]accord|adelante|hazlo|proc[eé]d\w*|vai avanti|procedi|ga je gang|śmiało|wdróż)\b|давай|приступай|реализуй|继续|开始|动手|实现|进めて|進めて|実装して|始めて|진행|구현/i

/** Of other work: what was said for good, or until the user gives the word. */
export function lasting({ constraints }: Orders): Orders {
  return {
    constraints: constraints.filter((limit) => FOR_GOOD.test(limit) || UNTIL_SAID.test(limit)),
    expectedScope: [],
  }
}

const FOR_GOOD =
  /\b(?:today|always|never|from now on|(?:in |for |of )?(?:this|the)(?: (?:whole|entire))? (?:session|conversation)|(?:on|in) this branch|for everything|throughout|in general|generally|ab jetzt|ab sofort|immer|nie(?:mals)?|toujours|jamais|siempre|nunca|sempre|mai|altijd|nooit|zawsze|nigdy)\b|всегда|никогда|с этого момента|завжди|ніколи|以后|永远|从现在|今後|常に|絶対|앞으로|항상|절대/i

function urgesOn(text: string): boolean {
  return /\b(?:go|do|proceed|continue|yes|yep|yeah|sure|ok(?:ay)?|approved?|ship|start|carry on|ja|oui|s[ií]|dale|tak|да|так)\b|好|是|继续|はい|続けて|네|응|да/i.test(
    text,
  )
}

/** The words that forbid to change a path; what the user asked to change is open whatever they say. */
export function limitOn(
  { constraints, expectedScope }: Orders,
  path: string,
  deed: Deed = 'edits',
): string | undefined {
  // Who wants no change at all wants none of what was asked for before either.
  const answer = forbiddenBy(constraints.filter(onlyAnswers), path)
  // "No other files" closes nothing where it is not, or no longer, known which ones are meant.
  const limit = answer ?? forbiddenBy(constraints, path, expectedScope, deed, expectedScope.length > 0)
  if (limit === undefined || limit === answer) return limit
  const isWanted = expectedScope.some((wanted) => isFile(wanted) && isAt(wanted, path))
  return isWanted ? undefined : limit
}

function isFile(path: string): boolean {
  return /\.\w+$|^[A-Z]\w*$/.test(path) && !path.includes('*')
}
