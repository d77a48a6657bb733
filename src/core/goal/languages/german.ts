import { type Language, pattern, strong, words } from './grammar.ts'

export const german: Language = {
  when: words(
    String.raw`\b(?:nicht|bitte|und|falls|mich|der|das|ist|sind|wie|warum|wieso|nur|kein\w*|eine?[nmrs]?|auf|für|mit|mach\w*|ändere?|füge?|den|dem|zu|wenn|erklär\w*|lass|aber|oder|noch|auch|kannst|soll|im|wird|nach|bei|bleib\w*|ins|vom|beim|diese\w*|einen)\b`,
  ),
  limits: [
    pattern(
      String.raw`(?:^|[,;:(]\s*|\b(?:und|aber|bitte|dabei)\s+)_\s+(?:aber |bitte |dabei |jedoch |auf keinen fall )*(?:nicht|nie(?:mals)?)\s+(?:ändern|verändern|anfassen|anrühren|bearbeiten|modifizieren|antasten|überschreiben)`,
      'within',
      'named',
      strong,
    ),
    pattern(
      String.raw`\b(?:lass|lasse|lasst)\s+_\s+(?:bitte )?(?:in ruhe|unverändert|unangetastet|wie (?:es|sie|er) (?:ist|sind)|so wie (?:es|sie) (?:ist|sind)|außen vor)`,
      'within',
      'named',
      strong,
    ),
    pattern(
      String.raw`\b(?:falls|wenn) du (?:doch |unbedingt |wirklich )?_ (?:ändern|anfassen|anpassen|bearbeiten) (?:musst|willst|möchtest|solltest),? (?:dann )?(?:bitte )?(?:frage?|sage?|gib|melde?|sprich)[^.;]{0,40}(?:vorher|zuerst|erst|davor|zuvor)\b`,
      'within',
      'named',
    ),
    pattern(String.raw`\bkeine (?:änderungen?|anpassungen?) (?:an|in|am|im|unter|bei)\s+`, 'after', 'named', strong),
    pattern(
      String.raw`\b(?:nur|ausschließlich|lediglich)\s+(?:in |an |an der |an den |die |den |das |im |unter )?_\s+(?:ändern|anpassen|bearbeiten|anfassen|arbeiten)`,
      'within',
      'others',
    ),
  ],
  answerAlone: words(
    String.raw`\b(?:nur|bloß|lediglich) (?:\w+ )?(?:verstehen|wissen|gucken|schauen|nachschauen)\b(?! (?:ob|dass) .{0,80}\b(?:und|dann)\b)|\b(?:nur|bloß|lediglich) (?:eine? )?(?:frage|erklär\w*|antwort\w*|analys\w*|plan\w*|beschreib\w*|auflist\w*|meinung|überblick)\b|(?<!\b(?:an|am|in|im|bei) .{1,60})\b(?:noch )?(?:keinen? |nichts )(?:code|ändern|änderungen|umsetzen|implementieren|programmieren|schreiben)(?: (?:schreiben|ändern|machen|vornehmen))?\b(?! (?:in|an|am|im|unter)\b)|\b(?:noch )?nicht (?:umsetzen|implementieren|programmieren|coden|anfangen)\b|\bohne (?:etwas|was|irgendetwas) zu (?:ändern|verändern)`,
  ),
  asks: words(
    String.raw`^(?:und |aber |also |sag mal,? |kurze frage:? ?)?(?:was|warum|wieso|weshalb|wie|wo|wann|wer|welche[rsnm]?|ist|sind|gibt es|hat|haben|kann man|könnte|sollte|wird|erklär\w*|beschreib\w*|zeig mir|sag mir|nenn\w*|vergleich\w*|analysier\w*|untersuch\w*|recherchier\w*|liste|prüf\w*)\b`,
  ),
  wishes: words(
    String.raw`\b(?:füge?|behebe?|ändere?|erstelle?|schreibe?|baue?|mache?|aktualisiere?|entferne?|lösche?|verschiebe?|implementiere?|korrigiere?|ersetze?|setze?|stelle?|passe?|ergänze?|benenne?|verbessere?|repariere?|nutze|verwende|lege?)\b.*\b(?:an|ein|um|aus|hinzu|zu|den|die|das|dem|der|es|sie|ihn|alle|auf)\b|\bbitte (?!erklär|beschreib|nenn|sag|zeig|auflist)\w+(?:ieren|beheben|fixen|machen)\b|\bbitte\b.*(?:setzen|ändern|hinzufügen|beheben|erstellen|entfernen|anpassen|anzeigen|umstellen|aufteilen|umbenennen|fixen|schreiben|machen|bauen|umsetzen|ergänzen|einbauen|anlegen|löschen)`,
  ),
}
