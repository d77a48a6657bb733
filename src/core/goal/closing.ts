/** What the last words of a turn say about the work: it is done, it is not, or the user must answer first. */
export type Closing = 'finished' | 'unfinished' | 'asks'

const ENDS =
  /\b(?:(?:task|work|implementation|change|fix|feature|refactor(?:ing)?|migration|subtask|everything|all) (?:is |are |has been |have been )?(?:now )?(?:complete[d]?|done|finished|in place)|all (?:\d+ )?tests (?:are )?(?:now )?pass(?:ing|ed)?|(?:successfully|i(?:['’]ve| have)) (?:now )?(?:added|fixed|implemented|updated|created|refactored|completed|renamed|removed|moved|migrated|replaced|written|installed|finished|extracted|split|merged|converted|integrated|introduced|wired|upgraded|cleaned|documented|improved|enabled|disabled|configured|set up|resolved|corrected|adjusted|changed|deleted|built)|(?:is|are) now (?:fixed|working|in place|implemented|complete|done)|^done\b)/im
const GOES_ON =
  /\b(?:next,? i(?:['’]ll| will)|i(?:['’]ll| will) (?:now|next|continue)|let me (?:now|continue|know (?:if|which|whether) (?:you(?:['’]d| would)? (?:like|want) me to (?:proceed|continue)))|remaining (?:work|steps|tasks)|still (?:need|needs|to do|failing|fails)|not yet|partially|should i\b|would you like me to (?:proceed|continue)|which (?:option|approach)|before i (?:continue|proceed))/i

export function readClosing(text: string): Closing {
  if (/\?\s*$/.test(text)) return 'asks'
  return ENDS.test(text) && !GOES_ON.test(text) ? 'finished' : 'unfinished'
}
