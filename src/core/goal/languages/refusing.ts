/**
 * The words by which people close a part of a project, of all languages in one: who refuses, what is refused, what is left.
 * A stem that ends in `*` stands for every word that begins with it.
 */
export class Lexicon {
  readonly #whole = new Set<string>()
  readonly #stems: string[] = []

  constructor(words: string) {
    for (const word of words.split(/\s+/)) {
      if (word.endsWith('*')) this.#stems.push(word.slice(0, -1))
      else this.#whole.add(word)
    }
  }

  has(word: string): boolean {
    return this.#whole.has(word) || this.#stems.some((stem) => word.startsWith(stem))
  }
}

/** "Not", "never", "without". */
export const REFUSING = new Lexicon(
  `not never don't dont don’t doesn't doesn’t didn't mustn't mustn’t shouldn't shouldn’t won't isn't isn’t can't can’t cannot without nobody nothing avoid refrain rather
  nicht nichts nix nie niemals kein keine keinen keiner keinerlei ohne niemand keiner vermeide* verlor*
  pas jamais rien aucun aucune sans personne éviter évite* ni
  no nunca nada sin nadie evita* tampoco ningún ninguna
  non mai niente nulla senza nessuno nessuna
  não nao sem nem ninguém nenhum nenhuma evite* evitar
  niet niets nooit geen zonder niemand
  nie nic bez nigdy niczego
  не нельзя ничего никогда без ни нічого ніколи не́
  ne nikdy bez inte inget aldrig utan ikke intet uden ingenting đừng jangan`,
)

/** To lay hands on something: whatever is touched is a place. */
export const TOUCHING = new Lexicon(
  `touch touched touches touching mess messed messing meddle* tamper* fiddle* poke poking
  anfass* anzufass* angefasst anrühr* angerührt anzurühr* antast* angetastet fass* rühr* pack* rumfummel* drehen drehst schrauben rumschraub* ran rangehen ranzugehen rumdoktern 
  bouge bouger bouges bougez touche toucher touches touchez touchons touché touchée touchés toucherai
  tocar toques toque toquen toca tocas tocamos tocado tocarlo metas metes meter mires mire miren
  tocca* toccare tocchi* toccato toccata toccati
  mexa mexer mexe mexas mexam encoste* encostar toque tocar toca
  aanraken raak aankomen kom komen kommen zitten blijf aangeraakt
  rusza* ruszy* ruszaj* dotyka* tyka* tykaj* grzeb*
  трог* трож* трон* лез* лаз* касай* касать* чіпа* лізь* торка* тронь*
  sahej sahat sahejte nesahej nesahat nehrab* rör röra rører røre rørt dokun* đụng chạm sentuh menyentuh`,
)

/** To change something: a place, or one of its qualities. */
export const CHANGING = new Lexicon(
  `change changed changes changing modify modified modifying edit edited edits editing hand-edit alter altered altering adapt* adjust* update updated updating rewrite* rewriting patch* refactor* reformat* involve* regenerat* diff diffs hand-edit
  änder* geändert veränder* anpass* angepasst anzupass* bearbeit* modifizier* umbau* umgebaut überarbeit* überschreib* geändert
  modifi* chang* édit* adapt* retouch* réécri*
  modific* cambi* cambie* edit* alter* arregl* toqu*
  modific* cambi* 
  modifi* altere* alterar alterad* mude mudar muda mudanças edite*
  wijzig* gewijzigd verander* pas aanpass* aangepast bewerk* bijwerk*
  zmieni* zmian* modyfik* edyt* popraw* poprawia*
  меня* измен* прав* редакт* модиф* мінят* змін* редаг* правит*
  měn* neměň* neměnit uprav* neupravuj* ändra* ændr* ændre endre* değişt* sửa ubah mengubah`,
)

/** To take something away. */
export const REMOVING = new Lexicon(
  `delete deleted deleting deletes remove removed removing drop dropped discard discarded erase erased prune purge wipe
  lösch* gelöscht entfern* wegwerf* supprim* efface* enlev* retir* borr* elimin* quit* quite* cancell* rimuov* rimoss* apag* remov* exclu*
  verwijder* wis wissen gewist usuw* usuń* kasuj* kasow* удал* стира* видал* smaz* maž* radera* ta-bort slet* slett* silme*`,
)

/** "The rest", "everything else". */
export const REST = new Lexicon(
  `rest else elsewhere remainder
  rest restliche* übrige* sonst
  reste ailleurs
  resto demás
  altro resto altrove
  restante*
  overige rest elders
  reszta resztę reszty pozostał* indziej
  остальн* прочее решт* інше
  zbytek ostatní resten övriga andet annat gerisi`,
)

/** Set phrases that close what they are said of, or what follows them. */
export const CLOSED =
  /(?<!\p{L})(?:lasciando stare|dejando (?:en paz|intact[oa]s?|como est[áa]n?)|laissant (?:tranquilles?|intacte?s?)|deixando (?:em paz|quiet[oa]s?|intact[oa]s?)|(?:not|no) part of (?:this|it|that|the \p{L}{2,20})|(?:not (?:in|within)|out of|outside(?: of)?)(?: the)? scope|none of (?:your|our) (?:business|concern)|hold (?:off|back)(?: on| from)?|bli?jf (?:er |daar )?(?:van ?)?af|hold (?:dig|fingrene) væk|håll dig borta|låt (?:det|den|dem) vara|lascia perdere|deixa quieto|n['’]y touche(?:z|s)? (?:pas|plus)|hands? off|(?:keep|stay|steer|stick)(?:ing)? (?:well )?(?:out|away|off|clear)|set in stone|carved in stone|in stein gemeißelt|gravée?s? dans le marbre|off[- ]limits?|out of bounds|taboo|tabu|sacred|heilig|excluded|exempt|frozen|freeze|forbidden|prohibited|verboten|gesperrt|eingefroren|finger (?:weg|von|davon)|hände weg|in ruhe|unverändert|unangetastet|außen vor|so wie (?:er|sie|es)|wie (?:er|sie|es) (?:ist|sind)|interdit\w{0,3}|interdiction|gelée?s?|tranquilles?|inchangée?s?|intacte?s?|tel(?:le)?s? quel(?:le)?s?|prohibid[oa]s?|congelad[oa]s?|intocables?|intouchables?|intoccabil[ei]|unantastbar|nietykaln\p{L}{1,3}|неприкосновен\p{L}{1,5}|como est[áa]n?|en paz|vietato|vietat[aie]|congelat[oaie]|alla larga|invariat[oaie]|come (?:è|sono|sta|stanno)|in pace|proibid[oa]s?|intocáve(?:l|is)|quiet[oa]s?|em paz|longe d[eoa]s?|verboden|bevroren|met rust|zoals (?:het|ze)|ongewijzigd|ongemoeid|zakazan\w{1,2}|zabronion\w{1,2}|w spokoju|bez zmian|tak jak (?:jest|są)|запрещ\S{1,6}|заборон\S{1,6}|в покое|у спокої|как есть|як є|без изменений|без змін|untouched|unchanged|untouchable|alone|as (?:it|they) (?:is|are)|as[- ]is|the way (?:it|they) (?:is|are)|jak je|som den är|som de är|som det er|i fred|(?<=(?:^|\s)(?:lad|la)\s[^.;,]{1,40}\s)være)(?!\p{L})|保持原样|原样|保持不变|禁止|冻结|凍結|そのまま|그대로|금지/iu

/** "No longer frozen", "nicht mehr gesperrt". */
export const OPEN_AGAIN =
  /(?<!\p{L})(?:no longer|any ?more|not (?:frozen|off[- ]limits|forbidden|taboo)|lifted|gone|over|was|were|aufgehoben|vorbei|levée?s?|used to|nicht mehr|ne .{1,20} plus|ya no|non (?:è|sono) più|não (?:é|está) mais|niet meer|już nie|больше не|уже не|більше не)(?!\p{L})|不再|もう/iu

/** A refusal that is part of the verb. */
export const REFUSED_VERB =
  /(?:别|不要|不需要|不用|无需|不必|勿|不许|不准|不能|不得|不可|莫|一律不).{0,6}(?:碰|动|改|触|修改|变更|编辑|调整)|(?:触|触れ|いじ|変え|書き換え|上書きし|変更し|修正し|編集し|弄|手を(?:入れ|加え|付け|つけ)|さわ).{0,3}(?:ない|ず|ません|ぬ)|(?:変更|修正|編集)せず|(?:変更|修正|編集)(?:は|を)?(?:禁止|不可|しない|なし)|(?:건드리|손대|고치|수정하|변경하|바꾸|만지)지\s?(?:마|말|않)|(?:건들|손대)지\s?마|(?<!\p{L})(?:dokunma|değiştirme|elleme|nesahej|nesahejte|nesahat|neměň|neměňte|neměnit|neupravuj|nehýbej|lad\s.{1,30}\svære)(?!\p{L})/iu

/** "Everywhere except". */
export const EXCEPTING =
  /(?<!\p{L})(?:except(?:ing)?(?: for| in)?|excluding|save for|apart from|aside from|other than|with (?:one|the) exception(?: of)?|exception:?|but not(?: in)?|außer(?: in| im)?|ausser|ausgenommen(?: ist| sind)?(?: alles)?|mit ausnahme(?: von)?|bis auf|sauf|hormis|excepté|à l['’]exception de|excepto|menos(?: en| em)?|salvo|exceto|tranne(?: che)?|eccetto|fuorché|behalve(?: in)?|uitgezonderd|oprócz|poza|z wyjątkiem|prócz|кроме|за исключением|крім|окрім|за винятком|kromě|utom|förutom|undtagen|untagen|hariç)(?!\p{L})/iu
const CJK_EXCEPT =
  /除了?(?<what>[^，。；,;]{1,40}?)(?:以外|之外|外)?[，,]|(?<with>[^、。，\s][^、。，]{0,40}?)(?:以外|を除(?:い|き)|は除)/u

export function exceptedInCjk(sentence: string): string | undefined {
  const groups = CJK_EXCEPT.exec(sentence)?.groups
  return groups?.what ?? groups?.with
}

/** "Only". */
export const ONLY =
  /(?<!\p{L})(?:only|solely|exclusively|nur|ausschließlich|lediglich|uniquement|seulement|seule?s?|solo|sólo|solamente|únicamente|soltanto|unicamente|só|somente|apenas|alleen|enkel|uitsluitend|tylko|wyłącznie|jedynie|только|лишь|исключительно|лише|тільки|jen|jenom|pouze|bara|endast|kun|sadece|yalnızca)(?!\p{L})|只|仅|だけ|のみ|만(?=\s|$)/iu

/** To keep to a place. */
export const KEEPS_TO =
  /(?<!\p{L})(?:stick(?:ing)? (?:to|with)|håll dig till|hold dig til|hou je aan|trzymaj się|держись|nothing but|stay(?:ing)? (?:within|inside|in)|confine|restrict|limit (?:yourself|this|it|the (?:change|fix|work|diff))|beschränk\w{0,3}|halte? dich an|limite-toi|limitez-vous|tiens-t['’]en|limítate|limítese|limitati|limita-te|limite-se|beperk je|ogranicz się|ogranicz|ограничься|обмежся)(?!\p{L})/iu

/** "Outside", "beyond": all but what follows. */
export const OUTSIDE =
  /(?<!\p{L})(?:outside(?: of)?|beyond|other than|except(?: for| in)?|apart from|besides|außerhalb|ausserhalb|außer|en dehors de|hors de|fuera de|al di fuori d\p{L}{1,4}|fuori da\p{L}{0,3}|fora d[eoa]s?|buiten|behalve|poza|oprócz|вне|за пределами|кроме|поза|крім|utanför|uden for|mimo)(?!\p{L})/iu
