/** A command line without what it only looks for, says, or writes into a file. */
export function doneBy(cmd: string): string {
  return cmd.replace(FILE_TEXT, '').replace(LOOKS_OR_SAYS, ' ')
}

const FILE_TEXT =
  /\b(?:cat|tee)\b[^\n|]{0,200}<<-?\s{0,4}['"]?(\w{1,40})['"]?[^\n]{0,80}\n(?:[^\n]*\n){0,400}?\s{0,8}\1(?=\s|$)/g

const LOOKS_OR_SAYS =
  /(?<=^|&&|[;|\n])\s{0,8}(?:grep|egrep|rg|ag|git (?:log|grep|show|diff|blame|commit)|gh (?:pr|issue) (?:create|comment|edit)|cat|head|tail|less|man)\s(?:"[^"]*"|'[^']*'|[^|;&\n"'])*/g
