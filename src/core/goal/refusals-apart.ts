/**
 * "Do not write code, modify pom.xml, or start phase 6" refuses three things, and only the first of them stands beside its
 * refusal. Said one by one, no reader takes the others for what is asked for.
 */
export function refusalsApart(text: string): string {
  let apart = ''
  let done = 0
  for (const { 0: refusal, index } of text.matchAll(REFUSAL)) {
    if (index < done) continue
    const start = index + refusal.length
    const rest = text.slice(start, start + LONGEST)
    const end = rest.search(END)
    const list = end < 0 ? rest : rest.slice(0, end)
    const parts = / to $/i.test(refusal) ? thingsOf(list) : deedsOf(list)
    if (parts.length < 2) continue
    apart += text.slice(done, index) + parts.map((part) => refusal + part).join('. ')
    done = start + list.length
  }
  return apart + text.slice(done)
}

const REFUSAL = /(?<!\p{L})(?:do not|don['’]t|dont|never|no (?:other |further |code )?changes? to) /giu
const END = /[.;:!?](?=\s|$)|\n|\s[-–—]\s|\s(?:but|because|since|unless|until|then)\s/
const LONGEST = 400

/** The things of a list that ends in "or"; without that, what follows a comma may well be asked for. */
function thingsOf(list: string): string[] {
  const pieces = list.split(LINK)
  const things = pieces.filter((_, at) => at % 2 === 0)
  return things.every(isThing) && OR.test(pieces.at(-2) ?? '') ? things : []
}

/** The same of deeds; pieces that begin with no verb belong to the one before them. */
function deedsOf(list: string): string[] {
  const pieces = list.split(LINK)
  const deeds = [pieces[0]!]
  let last = ''
  for (let at = 2; at < pieces.length; at += 2) {
    const [before, link, piece] = [pieces[at - 2]!, pieces[at - 1]!, pieces[at]!]
    if (VERB.test(piece) && !sharesObject(before, link)) {
      deeds.push(piece)
      last = link
    } else deeds[deeds.length - 1] += `${link}${piece}`
  }
  return VERB.test(pieces[0]!) && OR.test(last) ? deeds : []
}

const LINK = /(,\s+(?:(?:or|nor)\s+)?|\s(?:or|nor)\s)/
const OR = /(?:or|nor)\s$/

/** "Modify or delete a.ts", "create, modify, or delete files": what comes after the last verb is said of them all. */
function sharesObject(piece: string, link: string): boolean {
  return /^\p{L}+$/u.test(piece) && VERB.test(piece) && !(link.startsWith(',') && ALONE.test(piece))
}

/** A name or two, and no thought of its own. */
const isThing = (piece: string) => piece.split(/\s+/).length <= 5 && !VERB.test(piece) && !THOUGHT.test(piece)

const THOUGHT = /^(?:i|we|you|he|she|it|they|this|that|there|please|then|also|just|only|as|so|if|when|for)(?!\p{L})/iu

const VERB =
  /^(?:add|alter|begin|break|build|bump|change|code|commit|configure|continue|create|decide|delete|deploy|design|edit|execute|fix|format|generate|guess|implement|install|integrate|introduce|invent|make|merge|modify|move|open|proceed|publish|push|refactor|reformat|remove|rename|replace|resolve|rewrite|run|start|touch|update|upgrade|write)(?!\p{L})/iu

/** Verbs that need no object. */
const ALONE = /^(?:build|code|commit|continue|deploy|guess|implement|merge|proceed|publish|push|refactor|start)$/i
