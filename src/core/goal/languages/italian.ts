import { type Language, pattern, strong, words } from './grammar.ts'

export const italian: Language = {
  when: words(
    String.raw`\b(?:il|lo|gli|che|per|della|del|non|senza|solo|come|perché|sono|nel|nella|di|una|un|niente|quanto|quanta|dove|viene|occupa|questo|questa|con|alla|dei|delle|anche|puoi|è)\b`,
  ),
  limits: [
    pattern(
      String.raw`\b(?:lascia|lasciate) (?:stare|perdere)\s+(?:il |la |lo |i |gli |le |l['’])?`,
      'after',
      'named',
      strong,
    ),
    pattern(
      String.raw`\b(?:lascia|lasciare|mantieni|lasciate)\s+_\s+(?:com['’]è|come sono|invariat[oaie]|intatt[oaie]|stare|in pace|così)`,
      'within',
      'named',
      strong,
    ),
    pattern(
      String.raw`\b(?:modifica|cambia|tocca|lavora) (?:solo|soltanto|solamente|esclusivamente) (?:in |su |nel |nella |il |la |i |le )?`,
      'after',
      'others',
    ),
  ],
  answerAlone: words(
    String.raw`\b(?:solo|soltanto|solamente) (?:capire|sapere|guardare)\b|\b(?:solo|soltanto|solamente) (?:una? )?(?:domanda|spieg\w*|risposta|rispondi|analizza|opinione|dimmi|piano)\b|\bnon (?:scrivere|modificare|cambiare|toccare|implementare|fare) (?:nulla|niente|codice|ancora)\b|\bsenza (?:modificare|cambiare|toccare) (?:nulla|niente)\b`,
  ),
  asks: words(
    String.raw`^(?:e |ma |allora |quindi )?(?:cosa|che cosa|perché|come|dove|quando|chi|quale|quali|quant[oaie]|(?:c['’]è|ci sono|è)\b[^?]{0,200}\?|spiega\w*|descrivi\w*|mostrami|dimmi|confronta\w*|analizza\w*|indaga\w*|esamina\w*|elenca\w*)\b`,
  ),
  wishes: words(
    String.raw`\b(?:aggiungi|correggi|modifica|crea|scrivi|elimina|rimuovi|rinomina|sostituisci|sposta|migliora|implementa|sistema|aggiorna|cambia|metti|fai in modo|voglio che)\w{0,2}\b`,
  ),
}
