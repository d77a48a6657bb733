import { type Language, pattern, strong, words } from './grammar.ts'

export const spanish: Language = {
  when: words(
    String.raw`\b(?:el|la|los|las|que|qué|por|para|una|del|cómo|como|sin|solo|sólo|está|haz|esto|nada|código)\b`,
    '[¿¡]',
  ),
  limits: [
    pattern(String.raw`\s+no (?:lo|la|los|las) (?:toques?|modifiques?|cambies?|edites?)\b`, 'before', 'named'),
    pattern(
      String.raw`\s+no (?:se )?(?:puede|pueden|debe|deben) (?:ser )?(?:modificar|modificad[oa]s?|cambiar|cambiad[oa]s?|tocar|tocad[oa]s?)(?:se)?`,
      'before',
      'named',
    ),
    pattern(
      String.raw`\bsi (?:hay que|tienes que|necesitas|debes|hace falta|quieres) (?:cambiar|modificar|tocar|editar) (?:el |la |los |las )?_,? (?:por favor )?(?:pregunta|pregúntame|avisa|avísame|dime|dímelo|consulta|consúltame)[^.;]{0,30}\b(?:antes|primero)\b`,
      'within',
      'named',
    ),
    pattern(String.raw`\bsin (?:tocar|modificar|cambiar|alterar|editar)\s+`, 'after', 'named', strong),
    pattern(
      String.raw`\b(?:deja|dejar|mantén|manten|deje)\s+_\s+(?:como está[n]?|intact[oa]s?|igual(?:es)?|sin cambios|tal cual|en paz)`,
      'within',
      'named',
      strong,
    ),
    pattern(
      String.raw`\b(?:solo|sólo|solamente|únicamente) (?:toca|modifica|cambia|edita|trabaja en|cambios en)\s+`,
      'after',
      'others',
    ),
    pattern(String.raw`\b(?:nada más|ningún otro (?:archivo|fichero))\b`, 'context', 'others'),
    pattern(
      String.raw`\bno (?:desarrolles|escribas|generes|hagas|implementes|programes) (?:nada de |ningún |ningun |ninguna )?(?<what>c[oó]digo)\b`,
      'within',
      'named',
      strong,
    ),
  ],
  answerAlone: words(
    String.raw`\b(?:solo|solamente|sólo|únicamente) (?:una? )?(?:pregunta|expl[ií]ca\w*|respuesta|responde|analiza\w*|opinión|dime|plan|quiero (?:saber|entender|que me (?:expli|dig|cuent)\w*))\b|\bno (?:escribas|hagas|cambies|modifiques|toques|implementes|desarrolles|programes|generes) (?:nada|ningún|ningun|código|codigo|todavía|aún|cambios)(?! (?:en|de|del)\b)|\bsin (?:cambiar|modificar|tocar|escribir) (?:nada|código|codigo)\b`,
  ),
  asks: words(
    String.raw`^(?:y |pero |entonces |¿)*(?:qué|que (?:es|son|hace|hacen|significa|funci[oó]n|pasa|diferencia|opinas|piensas|tal|archivos?|ficheros?)|por qué|porque|cómo|como (?:se|es|funciona|está|puedo)|dónde|donde|cuándo|quién|cuál(?:es)?|cuánt[oa]s?|(?:es|está|hay)\b[^?]{0,200}\?|expl[ií]ca\w*|describe\w*|muéstrame|dime|compara\w*|analiza\w*|investiga\w*|averigua\w*|lista\w*|(?:necesito|quiero) que (?:me )?(?:investig|analic|analiz|revis|estudi|expli|dig|cuent|planifi|compar|busqu|list|enumer|resum|evalú|evalu|muestr|averig)\w*(?!.{0,200}\by (?!no\b|si\b|me\b|qu)(?:l[aeo]s? )?\w+[ae]s\b))\b|¿`,
  ),
  wishes: words(
    String.raw`\b(?:agrega|añade|corrige|arregla|modifica|crea|escribe|elimina|borra|renombra|reemplaza|mueve|mejora|implementa|haz|pon|actualiza|hagamos|cambia|quiero que(?! (?:me )?(?:investig|analic|analiz|revis|estudi|expli|dig|cuent|planifi|compar|busqu|list|enumer|resum|evalú|evalu|muestr|averig))|quiero modificar|necesito que(?! (?:me )?(?:investig|analic|analiz|revis|estudi|expli|dig|cuent|planifi|compar|busqu|list|enumer|resum|evalú|evalu|muestr|averig))|continua|incluye|asegurate|asegúrate|corríge|arrégla|impleménta|elimína|bórra|agréga|añáde|cámbia|modifíca|actualíza|muéve|házl|pónl)\w{0,3}\b`,
  ),
}
