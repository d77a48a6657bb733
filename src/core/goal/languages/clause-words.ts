/** Expressions by which the parts of a clause are told, of all languages in one. */

/** Where "no" is "in the": "no script". */
export const IN_PORTUGUESE = /[ãõ]|(?<!\p{L})(?:você|uma|arquivo|pasta|também)(?!\p{L})/iu

/** "The rest, especially lib/, stays as it is": the thought goes on behind it. */
export const STRESSED_ASIDE =
  /,\s(?:especially|particularly|in particular|above all|insbesondere|vor allem|besonders|surtout|notamment|en particulier|sobre todo|especialmente|en particular|soprattutto|in particolare|sobretudo|principalmente|vooral|met name|zwłaszcza|особенно|в частности)\s[^,;]{1,80},/iu

/** "Pas lib/a.c aan": the verb of a change, and not the French "pas". */
export const DUTCH_ADAPT = /(?<!\p{L})pas(?=\s[^;!?]{1,120}\saan(?!\p{L}))/giu

/** "The grammar (docs/a.ebnf)", "das Datenmodell (datamodel)": the name in brackets is what the project calls it. */
export const NAMED_ASIDE = /(?<![\p{L}\p{N}_./-])(\p{L}{4,40})\s\(((?:[\w-]{1,60}\/)[\w./*-]{1,120}|[a-z]{6,40})\)/gu

/** "… is frozen", for how long: "für diesen Release", "until Monday". */
export const HOW_LONG =
  /\s(?:(?:for|in|during) (?:this|the) (?:release|sprint|week|month|audit|review)|(?:für|in|bis zu[mr]?) (?:dieser?[nm]?\s|de[nmr]\s)?(?:release|sprint|woche|audit|version)|pour cette (?:version|semaine)|(?:para|en) est[ae] (?:versión|semana|release))(?!\p{L}).*$/iu

/** "Não mexas no CSS nem nas rotas". */
export const NOR = /\s(?:nor|ni|né|nem|noch|ani|ни|ні)\s/giu

export const NAME_BESIDE = /^\s{0,3}[A-Z][a-z]+[A-Z]\w{0,60}(?=(?:,|\s(?:and|und|et|y|e|en|i|и))\s[\w-]{1,60}[./])/u

/** "…, an den docs auch nicht". */
export const NOR_THAT =
  /\s(?:auch nicht|either|non plus|tampoco|neanche|nemmeno|também não|ook niet|też nie|тоже нет?|теж ні|inte heller|heller ikke)$/iu

export const REST_IN =
  /(?<!\p{L})(?:rest|reste|resto|reszta|остальное|решта)\s(?:of|in|under|inside|unter|in der|von|sous|dans|de|bajo|en|sotto|di|in|sob|em|onder|van|pod|w|под|в)\s(?=[\w-]{0,60}\/)/iu

/** Nothing but names after "only", and at most their tests. */
export const ONLY_NAMES =
  /^\s{0,3}(?:(?:in|the|touch|change|edit|im|an|dans|en|nel|no|na)\s|[动改在]|修改){0,3}\s{0,2}[A-Za-z][\w-]{1,60}(?:(?:\s(?:and|und|et|y|e|en|i|&)\s|,\s|\s?[和と]\s?)(?:its? (?:tests?|spec)|[A-Za-z][\w-]{1,60})){0,4}\s{0,3}(?=$|[.,;，。]|(?:beheben|ändern|anpassen|korrigieren|fixen|reparieren)\s{0,3}(?:$|[.,;])|(?:may|can|should|must|is to|are to|darf|dürfen|soll|sollen|doit|doivent|peut|puede|pueden|può|possono|pode|podem|mag|mogen|moet|może|może się|может|можно)\s(?:be\s|se\s|sich\s)?(?:chang|touch|edit|modif|geändert|angefasst|ändern|cambi|mud|alter|wijzig|aangepast|zmieni|меня|измен))/i

export const OPENINGS = /^(?:\s|this time|today|please|bitte|heute|diesmal|这次|今回|请|work|touch|change|edit)+/i

/** A kind of file, and at most the verb of a change. */
export const ONLY_KIND =
  /^\s{1,3}(?:(?:the|das|die|den|le|la|les|el|los|las|il|i|gli|o|os|a|as|het|de)\s)?(?<kind>\p{L}{2,20})(?:\s(?:geändert|ändern|angepasst|anpassen|haben|werden|changed|edited|modified|to be|be|modifiés?|modificad[oa]s?|modificat[oi]|aanpassen|wijzigen|zmienić|менять|изменить)){0,3}\s{0,2}$/iu

/** Between "only" and the place: prepositions, articles and the verb of a change. */
export const GAP =
  /^(?:(?:in|the|file|folder|to|within|inside|under|in der|im|an|am|die|den|das|der|datei|ordner|dans|le|la|les|fichier|en|el|los|archivo|nel|nella|il|em|no|na|o|a|arquivo|het|de|bestand|w|pliku|plik|katalogu|в|во|файл|файле|папке|у|файлі|v|souboru|i|更新|修改|改|动|在|mexe|mexa|mexer|mude|muda|altera|altere|em|edit|touch|change|update|fix|modify)\s{0,3}){0,4}$/i

/** A few words and a preposition. */
export const PART_IN = /^(?:\S{1,20}\s){1,4}(?:in|im|dans|en|nel|em|no|na|w|в|у)$/i

/** "Ask me before you touch setup.py", "if you have to change the server, tell me first". */
export const ASKS_LEAVE =
  /\bbefore (?:you )?(?:chang|touch|edit|modify)|^(?:but |and )?(?:if|should) (?:you|u|we) (?:really |ever |think (?:you|we) |feel )*(?:need|have|want|must)\b|^(?:falls|wenn) du\s|^(?:si (?:tu dois|vous devez|il faut)|s['’]il faut|si (?:hay que|tienes que|necesitas|hace falta))\s/i

/** "Nobody touched the parser": who did nothing to it, and no order; what is left of the words refuses nothing. */
export const NOBODY_DID =
  /(?<!\p{L})(?:(?:nobody|no[ -]?one|none of us)(?=\s(?:(?!should|must|may|can|could|will|would|shall|to|is|are|gets?)[\p{L}'’]+\s){0,3}(?:touched|changed|edited|modified|altered|updated|moved|renamed|removed|deleted|messed|fiddled|been)(?!\p{L}))|(?:niemand|keiner)(?=\s(?:von uns\s|im team\s)?(?:hat|hatte)\s[^,.;]{0,80}(?:angefasst|angerührt|angetastet|angepasst|geändert|verändert|bearbeitet|berührt)(?!\p{L}))|niemand(?=\s(?:heeft|had)\s[^,.;]{0,80}(?:aangeraakt|aangepast|gewijzigd|veranderd|bewerkt)(?!\p{L}))|personne n['’](?=(?:a|avait)\s(?:\p{L}{1,10}\s){0,2}(?:touch|modifi|chang|édit)é)|nadie(?=\s(?:(?:ha|había|hubo)\s)?(?:tocó|tocado|cambió|cambiado|modificó|modificado|editó|editado)(?!\p{L}))|nessuno(?=\s(?:ha|aveva)\s(?:\p{L}{1,10}\s){0,2}(?:toccat|modificat|cambiat)o)|ninguém(?=\s(?:(?:tinha|havia)\s)?(?:mexeu|mexido|tocou|tocado|alterou|alterado|mudou|mudado|modificou|modificado)(?!\p{L}))|nikt(?:\s\p{L}+){0,2}\snie(?=\s\p{L}+[aiy]ł(?!\p{L}))|(?:никто|ніхто)(?:\s\p{L}+){0,2}\sне(?=\s\p{L}+[аиі][лв](?!\p{L})))|(?:没有?人|谁也没有?|誰も)(?=.{0,12}(?:过|ていない|てない|なかった))|아무도(?=.{0,20}않았)/giu
