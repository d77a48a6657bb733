import { type Language, pattern, strong, words } from './grammar.ts'

export const dutch: Language = {
  when: words(String.raw`\b(?:het|een|niet|van|maar|geen|alleen|wat|hoe|waarom|zijn|voor|ik|naar|de|niets)\b`),
  limits: [
    pattern(String.raw`\bblijf (?:van|uit)\s+_\s+(?:af|vandaan|weg)`, 'within', 'named', strong),
    pattern(
      String.raw`(?:^|[,;:(]\s*|\b(?:en|maar|graag)\s+)_\s+(?:maar |graag |verder )?niet (?:aanpassen|wijzigen|veranderen|aanraken|bewerken|aankomen)`,
      'within',
      'named',
      strong,
    ),
    pattern(
      String.raw`\bzonder\s+_\s+(?:aan te (?:passen|raken)|te (?:wijzigen|veranderen|bewerken))`,
      'within',
      'named',
      strong,
    ),
    pattern(String.raw`\b(?:wijzig|verander|bewerk|pas) (?:alleen|enkel|uitsluitend) (?:in )?`, 'after', 'others'),
    pattern(String.raw`\b(?:niets anders|nergens anders|verder niets)\b`, 'context', 'others'),
  ],
  answerAlone: words(
    String.raw`\b(?:alleen|enkel) (?:maar |even )?(?:begrijpen|weten|kijken)\b|\b(?:alleen|enkel) (?:een )?(?:vraag|uitleg|antwoord|analyse|plan|uitleggen|beantwoorden)\b|\b(?:nog )?(?:geen code|niets (?:aanpassen|wijzigen|veranderen))\b`,
  ),
  asks: words(
    String.raw`^(?:en |maar |dus )?(?:wat|waarom|hoe|waar|wanneer|wie|welke|is|zijn|heeft|leg uit|beschrijf|toon|vertel|vergelijk|analyseer|onderzoek)\b`,
  ),
  wishes: words(
    String.raw`\b(?:voeg|fix|los(?= .{1,60} op\b)|maak|schrijf|verwijder|hernoem|vervang|verplaats|verbeter|implementeer|pas|zet|toon|werk|wijzig|verander)\b`,
  ),
}
