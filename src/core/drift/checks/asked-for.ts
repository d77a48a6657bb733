/** Words that ask for something to go, or to be somewhere else. */
const ASKS_TO_REMOVE =
  /\b(?:remov|delet|drop(?!-?downs?\b)|clean|get rid|rip out|purge|prune|replac(?!ements?\b)|mov(?:e|ing)|renam|migrat(?!ions?\b(?! (?:to|from|away|off|onto|nach|von|vers|de)\b))|rever[ts]|undo|reset|restor|discard|throw\w* (?:\w+ ){0,4}(?:away|out)|start over|refactor|split|merg|consolidat|deprecat|obsolet|unused|dead code|(?<!right |straight )away|instead(?! of (?:all|only|just|every|always|once|twice|none|nothing|\d|an? (?:empty|single))\b)|swap|switch\w{0,3} (?:\w+ ){0,4}(?:to|from|over)\b|uninstall|eras|wipe)|lösch|entfern|ersetz|verschieb|aufräum|supprim|enlev|remplac|elimin|borra|quita|reemplaz|remov|rimuov|cancell(?!ed|ing|ation|able)|usuń|удал|убер|删|移除|重命名|削除|消し|リネーム/i

/** What something says, in quotes: 'waiting for the volume to be deleted'. */
const MESSAGE = /(?<![\p{L}\d])(['"“])\p{L}[^'"”\n]{0,60}\s[^'"”\n]{1,60}\s[^'"”\n]{1,60}['"”](?![\p{L}\d])/gu

/** What is named after removing something asks for none: "the delete button", "DELETE /carts", "password reset", "do not delete". */
const SPEAKS_OF_REMOVAL =
  /\bDELETE \/\S{0,80}|\b(?:merge|pull) (?:requests?|conflicts?|commits?)\b|\bpassword resets?\b|\b(?:soft|hard)[- ]delet\w{1,4}|\b(?:delet|remov|reset|undo|restor|clear|discard|clean)\w{0,3} (?:password|button|link|icon|key|e?-?mails?|token|page|form|dialog|modal|prompt|route|endpoint|handler|request|call|event|flag|option|job|task|method|function)s?\b|(?<![\p{L}])(?:not|never|without|nothing|nicht|nie|ohne|pas|sans|jamais|non|senza|sin|nunca|sem|não|не|без)(?: (?:to|may|must|should|shall|can|be|is|ever|just|simply|also|even|get|got|being|zu|de|se|gets)){0,3} (?:ge)?(?:remov|delet|drop|clean|purg|prun|replac|mov|renam|migrat|rever|undo|reset|restor|discard|merg|eras|wip|lösch|entfern|ersetz|supprim|enlev|elimin|borr|quit|rimuov|cancell|удал|убер)\p{L}{0,8}|(?:n['’]t)(?: (?:be|ever|just|simply|also|even|get)){0,2} (?:remov|delet|drop|clean|purg|prun|replac|mov|renam|migrat|rever|undo|reset|restor|discard|merg|eras|wip)\p{L}{0,8}/giu

/** Whether a request asks for something to go, whatever that may be; what a file is called asks for nothing. */
export function asksToRemove(request: string): boolean {
  return ASKS_TO_REMOVE.test(withoutNames(request).replace(MESSAGE, ' ').replace(SPEAKS_OF_REMOVAL, ' '))
}

/** A request without the names of files: "see migrate.py" does not ask to migrate. */
export function withoutNames(request: string): string {
  return request.replace(/[\w./-]{0,200}\w\.[A-Za-z]\w{0,5}(?![\w])/g, ' ')
}
