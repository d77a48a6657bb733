import { type Language, pattern, strong, words } from './grammar.ts'

export const french: Language = {
  when: words(
    String.raw`\b(?:le|les|des|une|est|pas|sans|pour|dans|ne|et|que|pourquoi|comment|avec|du|aux?|tu|restent?)\b`,
    String.raw`[dlqcn]['’][aeiouhéè]`,
  ),
  limits: [
    pattern(
      String.raw`\b(?:si (?:tu dois|vous devez|il faut|tu veux)|s['’]il faut) (?:modifier|toucher(?: à| au)?|changer) (?:le |la |les )?_,? (?:alors )?(?:demande|préviens|dis|avertis|prévenez|demandez|dites)[^.;]{0,30}\b(?:avant|d['’]abord)\b`,
      'within',
      'named',
    ),
    pattern(String.raw`\b(?:rien dans|sauf (?:dans )?)\s*`, 'after', 'named', { needsPath: true }),
    pattern(
      String.raw`\b(?:ne|n['’])\s*(?:touche[zs]?|modifie[zs]?|change[zs]?|édite[zs]?|altère[zs]?) (?:surtout )?(?:pas|jamais|rien) (?:à |aux? |dans )?`,
      'after',
      'named',
      strong,
    ),
    pattern(
      String.raw`(?:^|[,;:(]\s*|\b(?:et|mais)\s+)(?:touche[zs]?|modifie[zs]?) (?:surtout )?pas (?:à |aux? |dans )?(?:l['’])?`,
      'after',
      'named',
      strong,
    ),
    pattern(String.raw`\bsans (?:toucher|modifier|changer|éditer)\s+(?:à |aux? |dans )?`, 'after', 'named', strong),
    pattern(
      String.raw`\b(?:laisse[zs]?|garde[zs]?)\s+_\s+(?:tel(?:le)?s? quel(?:le)?s?|intacte?s?|inchangée?s?|tranquilles?|comme (?:il|elle)s? (?:est|sont)|de côté)`,
      'within',
      'named',
      strong,
    ),
    pattern(
      String.raw`\b(?:pas|aucune?) (?:de )?(?:modifications?|changements?) (?:à|aux?|dans|sur|sous|du|des)\s+`,
      'after',
      'named',
      strong,
    ),
    pattern(
      String.raw`\s+(?:doit|doivent|reste|restent) (?:rester |évidemment |bien sûr |quand même |toujours |aussi |pour l['’]instant )*(?:inchangée?s?|intacte?s?|telle?s? quelle?s?)`,
      'before',
      'named',
      strong,
    ),
    pattern(String.raw`\b(?:rien d['’]autre|nulle part ailleurs)\b`, 'context', 'others'),
  ],
  answerAlone: words(
    String.raw`\b(?:juste|seulement|uniquement) (?:à |de )?(?:comprendre|savoir|regarder)\b|\b(?:juste|seulement|uniquement) (?:une? )?(?:question|explique\w*|réponse|réponds|analyse\w*|avis|plan)\b|\bne (?:code|codes|modifie|modifies|change|changes|touche|touches|fais|écris|modifiez|changez|touchez|faites|écrivez) (?:rien|pas (?:de|encore|le) ?(?:code)?)\b(?! (?:à|au|aux|les?|la|dans))|\bsans (?:rien )?(?:modifier|changer|toucher)(?: (?:quoi que ce soit|rien|(?:le|au|du) code))?\s*(?:[.,;!?]|$)|\bpas de code\b|\battend(?:s|ez) ma validation\b`,
  ),
  asks: words(
    String.raw`^(?:et |mais |alors |donc )?(?:qu['’]est|que (?:fait|font|signifie|veut|se passe|penses|pensez|dois|devons|donne)|quoi|pourquoi|comment|où|quand|qui|quel(?:le)?s?|est-ce|y a-t-il|peut-on|explique\w*|donne-moi ton avis|décri\w*|montre-moi|dis-moi|compare\w*|analyse\w*|enquête\w*|examine\w*|étudie\w*|liste\w*)\b`,
  ),
  wishes: words(
    String.raw`\b(?:ajoute|corrige|modifie|crée|écris|supprime|renomme|remplace|déplace|améliore|implémente|mets|fais|répare|affiche|refais|ajouter|corriger|implémenter|optimise)(?:z|s|r|-\w+)?\b`,
  ),
}
