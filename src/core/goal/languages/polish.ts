import { type Language, pattern, strong, words } from './grammar.ts'

export const polish: Language = {
  when: words(String.raw`\b(?:nie|jest|czy|jak|tylko|się|dodaj|dlaczego|gdzie|co|nic)\b`, '[ąćęłńśźż]'),
  limits: [
    pattern(
      String.raw`\bnie (?:ruszaj|zmieniaj|dotykaj|modyfikuj|edytuj|tykaj|ruszać|zmieniać|modyfikować)(?:cie)?\s+`,
      'after',
      'named',
      strong,
    ),
    pattern(String.raw`\bbez (?:ruszania|zmieniania|modyfikowania|dotykania|zmian w)\s+`, 'after', 'named', strong),
    pattern(
      String.raw`\b(?:zostaw|zostawcie)\s+_\s+(?:w spokoju|bez zmian|tak jak (?:jest|są)|nietknięt\w+)`,
      'within',
      'named',
      strong,
    ),
    pattern(String.raw`\b(?:zmieniaj|zmień|modyfikuj|edytuj|pracuj) (?:tylko|wyłącznie) (?:w )?`, 'after', 'others'),
    pattern(String.raw`\btylko (?:zmień|zmieniaj|modyfikuj|edytuj|zmiany w)\s+`, 'after', 'others'),
    pattern(String.raw`\bnic (?:innego|więcej)\b`, 'context', 'others'),
  ],
  answerAlone: words(
    String.raw`\btylko (?:zrozumieć|wiedzieć|popatrz(?:eć)?)\b|\btylko (?:pytanie|wyjaśnij|odpowiedz|odpowiedź|powiedz|analiza|plan)\b|\bnie (?:pisz|zmieniaj|modyfikuj|ruszaj|rób|implementuj|edytuj) (?:jeszcze |żadnego |na razie )?(?:nic|niczego|kodu|zmian)\b`,
  ),
  asks: words(
    String.raw`^(?:a |ale |więc )?(?:co|dlaczego|jak|gdzie|kiedy|kto|który|która|które|czy|ile|wyjaśnij|opisz|pokaż|powiedz|porównaj|przeanalizuj|wypisz)\b`,
  ),
  wishes: words(
    String.raw`\b(?:dodaj|napraw|popraw|zmień|stwórz|utwórz|napisz|usuń|przenieś|zastąp|zaimplementuj|ulepsz|zaktualizuj|ustaw|zrób|przerób|wprowadź)\b`,
  ),
}
