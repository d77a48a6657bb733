import { type Language, pattern, words } from './grammar.ts'

export const polish: Language = {
  when: words(String.raw`\b(?:nie|jest|czy|jak|tylko|się|dodaj|dlaczego|gdzie|co|nic)\b`, '[ąćęłńśźż]'),
  limits: [pattern(String.raw`\bnic (?:innego|więcej)\b`, 'context', 'others')],
  answerAlone: words(
    String.raw`\btylko (?:zrozumieć|wiedzieć|popatrz(?:eć)?)\b|\btylko (?:pytanie|wyjaśnij|odpowiedz|odpowiedź|powiedz|analiza|plan)\b|\bnie (?:pisz|zmieniaj|modyfikuj|ruszaj|rób|implementuj|edytuj) (?:jeszcze |żadnego |na razie )?(?:nic|niczego|kodu|zmian)\b`,
  ),
  asks: words(
    String.raw`^(?:a |ale |więc )?(?:co|dlaczego|jak|gdzie|kiedy|kto|który|która|które|czy|ile|wyjaśnij|opisz|pokaż|powiedz|porównaj|przeanalizuj|zbadaj|wypisz)\b`,
  ),
  wishes: words(
    String.raw`\b(?:dodaj|napraw|popraw|zmień|stwórz|utwórz|napisz|usuń|przenieś|zastąp|zaimplementuj|ulepsz|zaktualizuj|ustaw|zrób|przerób|wprowadź)\b`,
  ),
}
