import { onFirstUse } from '../../on-first-use.ts'
import { endOfPhrase, writtenOut } from './phrases.ts'

/**
 * What people say around a place that they close, keep to or want changed, in the languages they write: each is one sign
 * for the reader of mentions. None closes anything by itself.
 */
const any = (...alternatives: string[]): string[] => alternatives.flatMap(alternativesOf)
const signs = (source: string): RegExp => new RegExp(source, 'gu')

/** The alternatives of an expression, those inside its groups left together. */
function alternativesOf(source: string): string[] {
  const found = ['']
  let depth = 0
  for (const sign of source) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign === '|' && depth === 0) found.push('')
    else found[found.length - 1] += sign
  }
  return found
}

const SIGNS: Record<string, readonly [string[], RegExp]> = {
  refuses: [
    any(
      "not|never|no|none|nothing|nobody|nowhere|neither|nor|don['’]?t|doesn['’]?t|mustn['’]?t|shouldn['’]?t|won['’]?t|isn['’]?t|aren['’]?t|can['’]?t|cannot|without|avoid|refrain|zero|skip|ignore|hands off",
      'nicht|nichts|nie|niemals|kein|keine|keinen|keinerlei|ohne|weder|pas|jamais|rien|aucun|aucune|sans|ni|nunca|nada|sin|ningún|ninguna|tampoco|non|mai|niente|nulla|senza|nessun|não|nao|sem|nem|nenhum|nenhuma|niet|niets|nooit|geen|zonder|nie|nic|bez|nigdy|żadn\\p{L}{1,4}',
      'не|нельзя|ничего|никогда|без|ни|нічого|ніколи|inte|inget|aldrig|utan|ikke|intet|uden|ne|nikdy|değil|hiç',
    ),
    signs(
      '不要|不用|不许|不准|不能|不得|不可|不允许|别|勿|莫|一律不|ない|ません|禁止|不可|ぬ|なし|무|말고|마세요|말아|마라|않|금지|안 ',
    ),
  ],
  touches: [
    any(
      'touch(?:ed|es|ing)?|mess(?:ing)?(?: with)?|meddl\\p{L}+|tamper\\p{L}*|fiddl\\p{L}+|pok(?:e|ing)|go (?:near|into|in|anywhere near)|look at|open|enter|come near|dig into|wander into',
      'anfass\\p{L}*|angefasst|anzufassen|anrühr\\p{L}*|angerührt|antast\\p{L}*|fass(?:e|t)?|rühr(?:e|t)?|touch(?:e|er|es|ez|ons|é|ée|és)|toc(?:a|ar|as|amos|ado|arlo)|toques?|toquen|tocc\\p{L}+|mex(?:a|er|e|as|am)|aanrak\\p{L}*|raak|aankom\\p{L}*|rusz\\p{L}+|dotyk\\p{L}+|tyka\\p{L}*|rör\\p{L}*|rør\\p{L}*|sah\\p{L}+|dokun\\p{L}*|elle\\p{L}*',
      'трог\\p{L}+|трож\\p{L}+|трон\\p{L}+|лез\\p{L}*|касай\\p{L}*|чіпа\\p{L}+|торка\\p{L}+',
    ),
    signs('碰|动|触|触れ|触ら|いじ|手を(?:入れ|加え|付け|つけ)|さわ|건드리|건들|손대|만지'),
  ],
  changes: [
    any(
      'chang(?:e|es|ed|ing)|modif(?:y|ied|ies|ying|ications?)|edit(?:s|ed|ing)?|alter(?:ed|ing)?|adapt\\p{L}*|adjust\\p{L}*|updat(?:e|es|ed|ing)|rewrit\\p{L}+|reword\\p{L}*|patch\\p{L}*|refactor\\p{L}*|reformat\\p{L}*|regenerat\\p{L}+|written|writes?|differ|commit(?:ted)?|diff|work|create|creating|add(?:ed|ing)?|delet\\p{L}+|remov\\p{L}+|overwrit\\p{L}+|bump(?:ed|ing)?|upgrad\\p{L}+|renam\\p{L}+|migrat(?:e|ed|ing)|restructur\\p{L}+|reorgani\\p{L}+|optimi[sz]\\p{L}+|rework\\p{L}*|redesign\\p{L}*',
      'lösch\\p{L}*|supprim\\p{L}+|borr(?:ar|es|e)|elimin\\p{L}+|apag(?:ar|ue|ues)|usuwa\\p{L}+|änder\\p{L}*|geändert|veränder\\p{L}*|anpass\\p{L}*|angepasst|anzupassen|bearbeit\\p{L}*|modifizier\\p{L}*|umbau\\p{L}*|umgebaut|modifi\\p{L}*|modific\\p{L}+|cambi\\p{L}+|édit\\p{L}+|alter\\p{L}+|mud(?:e|ar|a|anças)|wijzig\\p{L}*|gewijzigd|verander\\p{L}*|aanpass\\p{L}*|aangepast|bewerk\\p{L}*|zmien\\p{L}*|zmian\\p{L}*|modyfik\\p{L}+|edyt\\p{L}+|ändra\\p{L}*|ændr\\p{L}+|endre\\p{L}*|upravov\\p{L}+|měn\\p{L}+|değiş\\p{L}+|düzenle\\p{L}*',
      'удал\\p{L}+|перепис\\p{L}+|добавля\\p{L}+|меня\\p{L}+|измен\\p{L}+|прав\\p{L}+|редакт\\p{L}+|міня\\p{L}+|змін\\p{L}+|редаг\\p{L}+',
    ),
    signs('改|修改|变更|编辑|调整|写入|変更|修正|編集|変え|更新|수정|변경|고치|바꾸|편집'),
  ],
  closed: [
    any(
      'set in stone|carved in stone|off[- ]?limits?|out of bounds|off the table|out of scope|out of reach|no-?go|taboo|tabu|sacred|frozen|freeze|locked|lock|read[- ]?only|forbidden|prohibited|excluded|exempt|untouchable|immutable|fixed|closed|sealed|reserved|certified|pinned|verbatim|byte[- ](?:identical|for[- ]byte)|minefield|not (?:part of|in scope|ours|yours|our|your|mine|fair game|open|up for|to be)|none of your business|is out|are out|hold off|stay(?:ing)? (?:out|away|off|clear|put)|keep(?:ing)? (?:\\S{1,30} ){0,2}(?:out|away|off|clear)|steer clear|hands off|leave|left alone|in peace|ring-?fenced|protected|signed off|approved|audited|archived|deprecated',
      'gesperrt|eingefroren|verboten|heilig|finger weg|hände weg|in ruhe|unberührt|unangetastet|außen vor|schreibgeschützt|nur lesen|code freeze|interdit\\p{L}*|gelée?s?|figée?s?|verrouillée?s?|en lecture seule|hors (?:limites|périmètre|scope)|intouchables?|prohibid[oa]s?|congelad[oa]s?|bloquead[oa]s?|intocables?|solo lectura|en paz|fuera de (?:alcance|límites)|vietat[oaie]|congelat[oaie]|bloccat[oaie]|intoccabil[ei]|in pace|sola lettura|off-limits|proibid[oa]s?|intocáve(?:l|is)|somente leitura|só leitura|em paz|verboden|bevroren|op slot|met rust|afblijven|alleen-lezen|zakazan\\p{L}+|zabronion\\p{L}+|zamrożon\\p{L}+|zablokowan\\p{L}+|w spokoju|tylko do odczytu|låst\\p{L}*|frys\\p{L}+|fredat|förbjud\\p{L}+|i fred|låst|frosset|dilarang|yasak|kilitli|dondurul\\p{L}+|zamčen\\p{L}*|zmrazen\\p{L}*',
      'запрещ\\p{L}+|заборон\\p{L}+|заморож\\p{L}+|заблок\\p{L}+|закрыт\\p{L}*|только для чтения|в покое|у спокої|табу|неприкосновен\\p{L}+|лише для читання',
    ),
    signs(
      '禁止|冻结|凍結|锁定|ロック|只读|読み取り専用|対象外|対象から(?:外|除)|触らない|範囲外|不在范围|不归我们|読むだけ|금지|동결|잠금|잠겨|읽기 전용|제외|제외하고|범위 밖',
    ),
  ],
  keeps: [
    any(
      'stay(?:s|ing)?|remain(?:s|ing)?|keep(?:s|ing)?|leave|leaves|left|let|preserve|untouched|unchanged|unmodified|intact|alone|identical|as (?:it|they)(?: already)? (?:is|are|was|were)|as[- ]is|(?:exactly )?(?:like|how|the way) (?:it|they) (?:is|are)|the same|out of it|in place|stays? put|surviv(?:e|es)',
      "bleib\\p{L}*|lass\\p{L}*|lässt du|lasst|unverändert|unangetastet|unberührt|so wie (?:er|sie|es)|wie (?:er|sie|es|gehabt)|restent?|reste|laisse\\p{L}*|garde\\p{L}*|inchangée?s?|intacte?s?|tel(?:le)?s? quel(?:le)?s?|tranquilles?|queda\\p{L}*|deja\\p{L}*|déjal\\p{L}+|dejas|como est[áa]n?|tal cual|igual|intact[oa]s?|rest(?:a|ano)|rimang\\p{L}+|rimane|lascia\\p{L}*|così com[’']è|come (?:è|sono|sta|stanno)|invariat[oaie]|fica\\p{L}*|deix\\p{L}+|do jeito que|blij(?:f|ft|ven)|laat|laten|zoals (?:het|ze|hij)|ongewijzigd|ongemoeid|zostaj\\p{L}*|zostaw\\p{L}*|pozostaj\\p{L}*|bez zmian|tak jak|förbli\\p{L}+|lämna\\p{L}*|låt|oförändra\\p{L}+|som (?:den|de|det) (?:är|er)|lad|uændret|nech\\p{L}*|zůsta\\p{L}+|kalsın|olduğu gibi|bırak\\p{L}*",
      'оста[вюн]\\p{L}*|остаёт\\p{L}+|как есть|без изменений|залиш\\p{L}+|як є|без змін',
    ),
    signs('保持|原样|不变|不动|维持|留着|そのまま|維持|残して|保つ|그대로|유지|냅두|놔두'),
  ],
  owned: [
    any(
      "belongs? to|owned by|owner|ownership|['’]s|mine|theirs|hers|yours|ours|my own|own(?:s|ed)?|managed by|maintained by|generated|autogenerated|auto-generated|synced|vendored|upstream|third[- ]party|comes from|handled by|take care of|takes care of|taking care of|looks? after|deals? with|handles?|written by|(?:being )?(?:rewritten|edited|reworked|migrated|reviewed|replaced|touched) by|working on|(?:is|are|['’]s) on it|on it|in parallel|someone else|somebody else|(?:the|another|other|an?) (?:\\S{2,20} )?(?:team|squad|guys|folks|dude|department|release bot)|(?:renovate|dependabot|release bot)|colleague|(?:i|we)(?:['’]ll| will) (?:do|handle|write|take care|fix|change)|myself|to me|by hand|in review|under review|open and unsaved|mid-merge|shared with|is with|are with|responsible",
      "gehört|gehören|verwaltet|generiert|kümmert|macht|selbst|kollege\\p{L}*|(?:das )?\\p{L}+-?team|appartient|géré\\p{L}*|générée?s?|s['’]en occupe|l['’]équipe|pertenece\\p{L}*|gestiona\\p{L}*|generad[oa]s?|lo (?:lleva|edita|hace)\\p{L}*|el equipo|appartiene|gestit[oaie]|generat[oaie]|se ne occupa|il team|pertence|gerenciad[oa]s?|gerad[oa]s?|cuida d[eoa]|a equipe|o time|is van|beheer\\p{L}*|gegenereerd|het team|należ\\p{L}+|zarządza\\p{L}*|generowan\\p{L}+|zespół|zajmuje|io|penso io|mi occupo|yo|me encargo|eu|comigo|cuido|moi|m['’]en (?:charge|occupe)|selber|kümmere|zelf|själv|sám|sam|sama|biorę|ben|bende|ägs|hanteras|genererad\\p{L}*|tillhör|tilhører|ait|yönetiyor|ekibi",
      'принадлеж\\p{L}+|занима\\p{L}+|команд\\p{L}+|генер\\p{L}+|належ\\p{L}+|сам',
    ),
    signs(
      '归|负责|我自己|我来|留给我|管理|自动生成|同学|同事|公用|担当|自分で|私が|こちらで|自動生成|チーム|別チーム|共有|담당|내가|직접|팀|자동 생성|관리',
    ),
  ],
  later: [
    any(
      'later|yet|for now|for the moment|not now|today|this time|next (?:sprint|week|pr|release|time|round|step|month)|after the|after that|until|till|separate(?:ly)?|second pr|another pr|own pr|follow-?up|wait|comes? (?:later|after|next|in)|put off|postponed|in this (?:one|pr|round|change|task|pass)|here',
      "später|noch nicht|erst|vorerst|bis|diesmal|heute|nächst\\p{L}+|plus tard|pas encore|pour (?:l[’']instant|le moment)|jusqu\\p{L}+|después|más tarde|todavía|por ahora|de momento|hasta|esta vez|dopo|più tardi|per ora|ancora|finché|stavolta|depois|mais tarde|ainda|por enquanto|até|desta vez|later|nog niet|voorlopig|tot|deze keer|później|jeszcze|na razie|dopóki|tym razem|senare|än|tills|den här gången|senere|endnu|sonra|şimdilik|bu sefer",
      'потом|позже|пока|ещё|еще|до|пізніше|поки|цього разу|в этот раз',
    ),
    signs('以后|之后|暂时|先|等|这次|本次|后面再|あとで|後で|まだ|今回|までは|나중|아직|이번|일단|까지'),
  ],
  only: [
    any(
      "only|solely|exclusively|just|nothing but|strictly|stick to|restrict\\p{L}*|limit(?:ed)?|confin\\p{L}+|stay(?:ing)? (?:in|within|inside)|keep (?:it|this|the change|changes|everything)? ?(?:to|in|within|inside)|within|nowhere else|nothing else|and that[’']s it|no further than",
      'nur|ausschließlich|lediglich|allein|beschränk\\p{L}*|halte? dich an|uniquement|seulement|rien que|seule?s?|limite\\p{L}*|exclusivement|solo|sólo|solamente|únicamente|exclusivamente|limít\\p{L}+|soltanto|unicamente|esclusivamente|limitat\\p{L}*|só|somente|apenas|alleen|enkel|uitsluitend|beperk\\p{L}*|tylko|wyłącznie|jedynie|ogranicz\\p{L}*|bara|endast|håll dig till|kun|hold dig til|jen|jenom|pouze|sadece|yalnızca|-?la sınırlı',
      'только|лишь|исключительно|лише|тільки|огранич\\p{L}+|обмеж\\p{L}+',
    ),
    signs('只|仅|仅限|だけ|のみ|に限|限定|만(?=\\s|$|[.,!?])|한정|국한'),
  ],
  rest: [
    any(
      'rest|else|elsewhere|everything else|anything else|others?|remainder|remaining|beyond|outside|other than|apart from|besides',
      'restliche\\p{L}*|übrige\\p{L}*|sonst|andere\\p{L}*|alles andere|außerhalb|reste|ailleurs|autres?|en dehors|hors|resto|demás|otr[oa]s|fuera|altr[oie]|altrove|fuori|restante\\p{L}*|outr[oa]s|fora|overige|andere|elders|buiten|reszt\\p{L}*|pozostał\\p{L}*|inn\\p{L}{1,4}|poza|övriga|andra|resten|utanför|zbytek|ostatní|gerisi\\p{L}*|diğer\\p{L}*|dışında\\p{L}*',
      'остальн\\p{L}+|проч\\p{L}+|друг\\p{L}+|вне|решт\\p{L}+|інш\\p{L}+|поза',
    ),
    signs('其他|其它|其余|别的|之外|以外|他の|それ以外|외의|외에|나머지|다른'),
  ],
  except: [
    any(
      'except(?:ing)?|excluding|save for|but not|exception|minus|ausgenommen|außer|bis auf|sauf|hormis|excepté|excepto|menos|salvo|exceto|tranne|eccetto|behalve|oprócz|z wyjątkiem|utom|förutom|undtagen|kromě|hariç',
      'кроме|за исключением|крім|окрім',
    ),
    signs('除了?|除く|を除|は除|以外|제외'),
  ],
  wants: [
    any(
      "add|fix|implement|make|build|rename|remove|move|improve|migrate|replace|convert|write|set|put|use|extend|bump|turn|show|support|should|needs?|must|please|want|goes in(?:to)?|go(?:es)? to|in|into|to|handle|sort|introduce|bring|speed|clean|split|extract|wire|let[’']s|can you|could you",
      'füge?|behebe?|baue?|mache?|repariere?|ergänze?|bitte|soll|stelle?|ajoute\\p{L}*|corrige\\p{L}*|mets|remplace\\p{L}*|arregla\\p{L}*|añade\\p{L}*|agrega\\p{L}*|pon|aggiungi|correggi|sistema|metti|adicion\\p{L}+|corrij\\p{L}+|arrum\\p{L}+|coloc\\p{L}+|voeg|maak|repareer|zet|dodaj|popraw|napraw|lägg|fixa|gör|tilføj|ekle\\p{L}*|düzelt\\p{L}*|yap\\p{L}*|oprav|přidej',
      'добавь\\p{L}*|исправь\\p{L}*|сделай\\p{L}*|почини\\p{L}*|поправь\\p{L}*|додай\\p{L}*|виправ\\p{L}*|зроби\\p{L}*',
    ),
    signs(
      '加|添加|增加|修复|实现|修一下|改成|改为|改到|追加|直して|修正して|してください|作成|추가|구현|고쳐|해 주세요|해줘',
    ),
  ],
  faulty: [
    any(
      "broken|fails?|failing|failed|wrong|slow|throws?|crash\\p{L}*|error\\p{L}*|bug\\p{L}*|missing|doesn[’']?t|does not|is red|leaks?|returns?|shows?|counts?|chokes?|empty|null|undefined|behavio\\p{L}+|logic|api|users?|customers?|when|if|why|how|what",
      'kaputt|falsch|fehler\\p{L}*|langsam|wenn|warum|cassée?s?|erreur\\p{L}*|quand|pourquoi|rot[oa]s?|error\\p{L}*|cuando|por qué|rott[oaie]|errore|quando|perché|quebrad[oa]|erro|porque|kapot|fout|wanneer|waarom|zepsut\\p{L}+|błąd|kiedy|dlaczego|trasig\\p{L}*|fel|när|varför|bozuk|hata|neden',
      'сломан\\p{L}*|ошибк\\p{L}*|падает|если|когда|почему|помилк\\p{L}*|якщо|коли|чому',
    ),
    signs('错|报错|失败|为什么|怎么|如果|エラー|おかしい|失敗|場合|なぜ|오류|실패|왜|경우'),
  ],
  // Who tells how things are, or speaks of what others and programs do, gives no order.
  able: [
    any(
      "can|could|cannot|can['’]?t|couldn['’]?t|able|unable|ability|possible|impossible|way to|option to|lets?|allows?",
      'kann|können|könnte|konnte|dürfen|möglich\\p{L}*|lässt sich|lassen sich|peut|peuvent|puisse\\p{L}*|pouvoir|moyen de|possible|puede|pueden|pueda|puedan|poder|posible|manera de|forma de|può|possono|possa|poter|possibile|modo di|pode|podem|possa|possível|kan|kunnen|mogelijk|może|mogą|można|możliwoś\\p{L}+',
      'может|могут|мочь|возможност\\p{L}+|можлив\\p{L}+|може|можуть',
    ),
    signs('无法|能够|できない|できません|できる|可能|못하|할 수|수 없|수 있|ebil|eme'),
  ],
  past: [
    any(
      "was|were|did|didn['’]?t|has|have|had|hasn['’]?t|haven['’]?t|hadn['’]?t|wasn['’]?t|weren['’]?t|been|already|last time|yesterday|before|forgot|told|tried",
      'habe|hast|hat|haben|hatte\\p{L}*|wurden?|war|waren|schon|bereits|gestern|ai|as|avons|avez|ont|avait|été|déjà|hier|he|has|hemos|han|había\\p{L}*|fue|fueron|ya|ayer|ho|hai|abbiamo|hanno|aveva\\p{L}*|stat[oaie]|già|ieri|tinha|foi|foram|fiz|mexi|mudei|alterei|alterou|mudou|já|ontem|heb|hebt|heeft|hadden|werd|werden|al|gisteren|byłem|był|była|było|zmieniłem|ruszałem|już|wczoraj',
      'был|была|было|были|трогал\\p{L}*|менял\\p{L}*|изменил\\p{L}*|уже|вчера|раньше|було|були|змінював|вчора',
    ),
    signs(
      '没有|没动|没改|了过|过了|已经|昨天|ていない|ました|でした|ていません|既に|昨日|았|었|했|어제|madım|medim|dim |dım ',
    ),
  ],
  others: [
    any(
      'users?|guests?|visitors?|customers?|clients?|admins?|editors?|readers?|people|players?|scripts?|commands?|functions?|methods?|jobs?|workers?|plugins?|tools?|programs?|apps?|installer|importer|exporter|linter|formatter|parser|builds?|buttons?|forms?|pages?|panel|migrations?|cleanup|cron|requests?|it|which|that|who|says?|complains?|expects?',
      'nutzer|benutzer|gast|gäste|kunden?|besucher|skripts?|programm|funktion|knopf|seite|utilisateurs?|visiteurs?|clients?|invités?|script|fonction|bouton|page|programme|usuarios?|invitados?|visitantes?|función|botón|página|programa|utent[ei]|visitatori?|funzione|pulsante|pagina|programma|usuários?|convidados?|função|botão|gebruikers?|bezoekers?|functie|knop|użytkowni\\p{L}+|gość|goście|funkcja|skrypt|przycisk|strona',
      'пользовател\\p{L}+|гост\\p{L}+|клиент\\p{L}*|скрипт\\p{L}*|функци\\p{L}+|кнопк\\p{L}+|страниц\\p{L}+|программ\\p{L}+|користувач\\p{L}*',
    ),
    signs(
      '用户|访客|脚本|函数|程序|按钮|页面|ユーザー|スクリプト|関数|ボタン|画面|사용자|스크립트|함수|버튼|화면|kullanıcı|betik',
    ),
  ],
  agent: [
    any(
      'you|your|yourself|du|dich|dir|dein\\p{L}*|tu|toi|vous|tú|usted|ti|te|você|jij|je|ty|żebyś|вы|ты|тебе|тебя|чтобы ты|ти',
    ),
    signs('你|您|あなた|당신|sen |siz '),
  ],
  open: [
    any(
      'fine|ok|okay|allowed|fair game|yours|free|open|welcome|playground|may|you can|go ahead|feel free|no longer|lifted|anymore|any more|yes|again|after all|all yours|up to you|whatever',
      'erlaubt|darfst|kannst|in ordnung|freigegeben|nicht mehr|autorisée?s?|peux|pouvez|permis|puedes|permitid[oa]s?|ya no|puoi|permess[oaie]|non più|pode|permitid[oa]s?|mag|mogen|toegestaan|niet meer|możesz|wolno|już nie|får|kan du|tillåt\\p{L}+|må|serbest|olabilir',
      'можно|можешь|разреш\\p{L}+|больше не|можна|дозвол\\p{L}+|більше не',
    ),
    signs('可以|允许|没问题|随便|不再|いいです|大丈夫|てもいい|OK|可能|もう|괜찮|해도|가능|돼'),
  ],
  same: [
    any(
      'same|so (?:is|are|does)|neither|nor|also|too|as well|likewise|ditto|either|both|auch|ebenso|genauso|aussi|pareil|non plus|también|igual|lo mismo|tampoco|anche|pure|neanche|também|idem|ook|zelfde|też|również|także|också|samma|også|taky|de',
      'тоже|также|теж|також|і',
    ),
    signs('也|同样|一样|同上|も|同様|도|마찬가지'),
  ],
}

export interface Sign {
  name: string
  at: number
  end: number
}

interface Signs {
  /** Phrases by the two letters that they begin with: at a word only those are tried. */
  phrases: Map<string, { name: string; phrase: string }[]>
  /** What cannot be written out. */
  others: { name: string; find: RegExp }[]
}

const signsKnown = onFirstUse((): Signs => {
  const phrases: Signs['phrases'] = new Map()
  const others: Signs['others'] = []
  for (const [name, [words]] of Object.entries(SIGNS)) {
    const left: string[] = []
    for (const word of words) {
      const all = writtenOut(word)
      if (!all?.every((phrase) => /^\p{L}{2}/u.test(phrase))) left.push(word.replaceAll(' ', String.raw`\s{1,3}`))
      else
        for (const phrase of all) {
          const head = phrase.slice(0, 2)
          phrases.set(head, [...(phrases.get(head) ?? []), { name, phrase }])
        }
    }
    if (left.length > 0)
      others.push({ name, find: new RegExp(`(?<![\\p{L}\\d_-])(?:${left.join('|')})(?![\\p{L}\\d_]|-\\p{L})`, 'giu') })
  }
  return { phrases, others }
})

const WORD = /(?<![\p{L}\d_-])\p{L}{2}/gu
const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/

/** The signs of a text, wherever they stand; of several that begin at one word the longest of each name. */
export function signsIn(text: string): Sign[] {
  const { phrases, others } = signsKnown()
  const lower = text.toLowerCase()
  const found: Sign[] = []
  // A few letters have no single small one, and what follows them would be looked for in the wrong place.
  const said = lower.length === text.length ? lower : text
  for (const { 0: head, index } of said.matchAll(WORD)) {
    const here = new Map<string, number>()
    for (const { name, phrase } of phrases.get(head) ?? []) {
      const end = endOfPhrase(phrase, said, index)
      if (end !== undefined && end > (here.get(name) ?? 0)) here.set(name, end)
    }
    for (const [name, end] of here) found.push({ name, at: index, end })
  }
  const rest = UNSPACED.test(text) ? Object.entries(SIGNS).map(([name, [, find]]) => ({ name, find })) : []
  for (const { name, find } of [...others, ...rest])
    for (const { 0: sign, index } of text.matchAll(find)) found.push({ name, at: index, end: index + sign.length })
  return found
}
