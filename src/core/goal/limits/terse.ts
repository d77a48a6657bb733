import { kindNamed } from '../kinds-of-files.ts'
import { type Target, targetsIn } from '../targets.ts'

/** What a clause closes that is hardly more than a refusal and what it is of: "no migrations", "neither prod nor base". */
export function deniedTersely(clause: string): Target[] | undefined {
  const none = NONE_OF.exec(clause)?.groups?.kind
  if (none !== undefined && kindNamed(none.toLowerCase())) return targetsIn(none, false)
  if (NEW_PARTS.test(clause)) return targetsIn('dependencies', false)
  const inside = NOTHING_IN.exec(clause)?.groups?.place
  const pair = NEITHER.exec(clause)?.groups
  const said = inside === undefined ? (pair ? [pair.one!, pair.other!] : []) : [inside]
  const named = said.flatMap((place) => targetsIn(place, true))
  return named.length > 0 && named.length >= said.length && named.every(isPlace) ? named : undefined
}

/** One word of a project, or a path. */
function isPlace(target: Target): boolean {
  return target.is === 'path' || (target.is === 'words' && target.words.length + target.sorts.length === 1)
}

/** "No migrations", "aber keine Migrationen": that, and nothing else. */
const NONE_OF =
  /^(?:(?:please|but|and|also|just|bitte|aber|und|auch|mais|et|pero|y|ma|e|mas|maar|en|ale|но|и)\s){0,2}(?:no|(?:do not|don['’]?t) (?:write|add|create)(?: any)?|keine|aucune?|pas de|sin|sem|senza|geen|bez|без|inga|ingen)\s(?:new\s|neuen?\s|nouvelles?\s|nuev[ao]s\s|nuov[ei]\s|nov[ao]s\s|nieuwe\s|новых\s)?(?<kind>\p{L}{3,20})(?:\s(?:please|bitte|for now|this time|yet|here|either|diesmal|non plus|tampoco|neanche|ook niet|też|тоже))?$/iu

/** "And no new crates": what the project depends on. */
const NEW_PARTS =
  /^(?:(?:please|but|and|also|bitte|aber|und|mais|et|pero|y|ma|e|mas|maar|en)\s){0,2}(?:no (?:new|extra|additional|further|other) (?:crates?|packages?|libs?|librar(?:y|ies)|gems?|deps|dependenc(?:y|ies))|keine? (?:neuen?|weiteren?|zusätzlichen?) (?:pakete?|bibliothek(?:en)?|abhängigkeit(?:en)?)|(?:pas de|aucune) (?:nouvelles?|autres?) (?:dépendances?|librairies?|bibliothèques?)|sin (?:nuevas|más) (?:dependencias|librerías)|sem novas (?:dependências|bibliotecas))(?:\s(?:please|bitte|either))?$/iu

/** "Still nothing in base please", "rien dans infra/". */
const NOTHING_IN =
  /^(?:(?:please|but|and|still|so|bitte|aber|und|weiterhin|mais|et|toujours|pero|y|ma|e|mas|maar|en|ale|но|и|do|mach|fais|ne fais|no hagas|non fare|não faça|doe)\s){0,2}(?:nothing|nichts|rien|nada|niente|niets|nic|ничего|inget|intet)\s(?:in|under|inside|im|in der|unter|dans|sous|en|bajo|nel|nella|sotto|em|onder|w|pod|в|под|i|under)\s(?:the\s|der\s|den\s|le\s|la\s|el\s|il\s|de\s|het\s)?(?<place>[\w@./*-]{2,80})(?:\s(?:please|pls|yet|for now|bitte|svp|por favor|alsjeblieft|пожалуйста))?$/iu

/** "Ni prod ni base", "weder die Tests noch docs/". */
const NEITHER =
  /^(?:(?:but|and|aber|und|mais|et|pero|y|ma|e|mas|maar|en|ale|но|и)\s){0,2}(?:neither|ni|weder|né|nem|ani|ни|ні|noch)\s(?:in\s|dans\s|en\s)?(?<one>[^\s,;]{2,60}(?:\s[^\s,;]{2,60})?),?\s(?:nor|ni|noch|né|nem|ani|ни|ні)\s(?:in\s|dans\s|en\s)?(?<other>[^\s,;]{2,60}(?:\s[^\s,;]{2,60})?)$/iu
