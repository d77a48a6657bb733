/**
 * The small words by which sentences of many languages say when something holds, why, and what to do instead; the words of
 * reports; and those that every project could say. Nothing here names a topic: what a note is about is told by its shape.
 * A star stands for any ending. Languages without spaces are matched anywhere in the text.
 */

const CAUSE = `
  because|since|so that|therefore|thus|hence|due to|reason|which means|that is why|so|as a result|for fear
  weil|deshalb|daher|darum|denn|wegen|damit|dadurch|somit|deswegen|da
  parce que|parce qu|car|donc|puisque|puisqu|afin|à cause|pour que|ce qui|du coup|comme
  porque|ya que|pues|por eso|debido|por lo que|así que|para que|por tanto|por un|por una|pois|portanto|perché|poiché|quindi|perciò
  потому|так как|поэтому|из-за|чтобы|ведь|тому що|щоб|через те
  omdat|daarom|ponieważ|dlatego|çünkü|bu yüzden|protože|proto|fordi|derfor|eftersom|därför|koska|siksi
  因为|因為|所以|因此|由于|由於|导致|導致|于是|的话|ため|ので|なので|だから|ゆえに|때문|므로|해서|어서|아서|라서|니까|라 |여서
  لأن|لذلك|क्योंकि|इसलिए|vì|nên`

const CONDITION = `
  if|when|whenever|unless|until|before|after|while|once|during|as long as|only|every time|between
  wenn|falls|sobald|bevor|vor dem|vor der|nachdem|nach dem|nach der|bis|während|solange|bei|beim|erst|nur|seit|pro
  si|quand|lorsque|lorsqu|avant|après|jusqu|pendant|dès|tant que|en cas|seulement|uniquement|lors
  cuando|antes|después|hasta|mientras|sólo|solo|en caso|al|quando|depois|até|somente|prima|dopo|se
  если|когда|перед|после|пока|при|только|якщо|коли|після|лише
  als|wanneer|voordat|jeśli|kiedy|gdy|przed|po|eğer|önce|sonra|pokud|když|před|hvis|når|før|om|när|innan|jos|kun|ennen
  如果|若|之前|之后|之後|前先|以后|时|時|当|每次|只|一旦|除非|每天|每周|场合|場合|とき|前に|後に|間|なら|たら|まで|中に|だけ|すると|れば|면|때|전에|후에|뒤|동안|마다|만
  إذا|عندما|قبل|بعد|अगर|जब|पहले|nếu|khi|trước|sau`

const CONTRAST = `
  instead|rather than|otherwise|or else|but|although|even though|even if|not|however|despite|without|nor|no longer|and not
  statt|anstatt|sondern|sonst|aber|obwohl|trotz|nicht|ohne|auch wenn|kein|keine|keinen
  au lieu|sinon|mais|bien que|même|plutôt|malgré|ne suffit|pas|sans|autrement
  en vez|sino|pero|aunque|en lugar|sin|ni|o los|em vez|senão|mas|embora|sem|invece|altrimenti|ma|anche se|senza|non
  а не|вместо|иначе|но|хотя|не|без|але|інакше|замість
  in plaats|anders|maar|niet|zamiast|inaczej|ale|nie|yoksa|ama|değil|místo|jinak|i stedet|ellers|ikke|i stället|annars|inte|muuten|ei
  而不是|否则|否則|但|不要|不能|虽然|雖然|却|没有|沒有|不是|并不|不|ではなく|ないと|ずに|ものの|なく|ない|대신|않으면|지만|아니라|없으면|않|없
  بدل|وإلا|لكن|لا|बजाय|वरना|लेकिन|नहीं|thay vì|nếu không|nhưng|không`

const NECESSITY = `
  must|never|always|should|have to|has to|need|needs|needs to|do not|don't|cannot|can't|may not|required|requires|make sure|avoid|first
  muss|müssen|nie|niemals|immer|soll|sollen|darf|dürfen|nötig|braucht|zuerst|setzen|verwenden|prüfen|lässt
  doit|doivent|faut|jamais|toujours|obligatoire|obligatoirement|fixer|il faut
  hay que|debe|deben|nunca|siempre|tiene que|deve|devem|precisa|sempre|bisogna|mai|devono
  нужно|надо|нельзя|должен|должна|должны|никогда|всегда|удалить|проверить|добавлять|брать|треба|не можна
  moet|moeten|nooit|altijd|musi|trzeba|nigdy|zawsze|gerek|gerekir|asla|musí|nikdy|må|skal|aldrig|måste|täytyy|pitää
  必须|必須|要|务必|应|應|需要|禁止|不可|先|べき|必要|こと。|ください|しない|注意|やり直す|해야|말 것|안 된다|하지 마|금지|필요|먼저|야 한다
  يجب|أبدا|चाहिए|कभी|phải|đừng|luôn`

const CONSEQUENCE = `
  fail*|break*|broke|hang*|crash*|los*|wrong|silent*|twice|reject*|ignor*|block*|corrupt*|leak*|time* out|timeout|slow*|doubl*|duplicat*|empty|stale|lock*|burn*|overwrit*|miss*|expire*
  schlägt|scheiter*|bricht|abbr*|häng*|kaputt*|verlier*|falsch*|sperr*|doppel*|leer*|fehlschl*
  blocc*|échou*|cass*|perd*|bloqu*|rejet*|plant*|expir*|refus*|attend
  fall*|romp*|pierd*|perd*|tarda*|salta*|errad*|quebra*
  пада*|теря*|лома*|зависа*|отклоня*|упира*|пуст*|блокир*
  faalt|zawodzi*|psuje*|başarısız|bozul*|selže|fejler|misslyckas|epäonnistu*
  失败|失敗|报错|报不|抛|丢|超时|返回空|少算|转圈|占满|例外|止まる|消え|エラー|混ざ|当たり|실패|깨지|깨진|사라|끊|멈추|응답하지`

/** What a note that reports on work says; it is in the past, and nobody can act on it. */
const REPORT = `
  implemented|added|fixed|created|updated|refactored|completed|finished|wrote|changed|migrated|upgraded|resolved|cleaned up|tests pass*|all pass*|of them pass|build is green|pipeline is green|successful*|as requested|the task was|ticket asked|was asked to|i learned|works now|work* as expected
  umgesetzt|implementiert|hinzugefügt|erstellt|behoben|aktualisiert|angepasst|eingearbeitet|durchgeführt|geändert|erledigt|abgeschlossen|fertiggestellt|erfolgreich|funktioniert* jetzt|funktioniert wie|laufen durch|ist grün|die aufgabe war|wie gewünscht|wie im ticket|ich habe
  j'ai|j’ai|ajouté*|créé*|corrigé*|terminé*|effectué*|mis à jour|mise à jour|mises à jour|modifié*|avec succès|la tâche|comme demandé|passent tous|fonctionne de nouveau|est verte|fonctionne correctement
  se implement*|se cre*|se añad*|se agreg*|completad*|con éxito|corregid*|cambié|actualicé|agregué|la tarea|tal como pedía|como se pidió|todas pasan|pasan correctamente|en verde|aprendí|ya funciona|implementei|adicionei|concluíd*|com sucesso|ho aggiunto|completat*|con successo
  реализова*|создан*|добавлен*|исправлен*|исправил*|изменен*|изменён*|обновил*|обновлен*|поменял*|завершен*|завершён*|успешно|все проходят|задача была|как и требовалось|снова работает|зелён*|зелен*|додано|виправлено
  geïmplementeerd|toegevoegd|zaimplementowan*|dodano|naprawion*|eklendi|tamamlandı|düzeltildi|dokončen*|opraven*|tilføjet|lagt till|lisätty|korjattu
  完成了|新建了|增加了|添加了|修改了|更新了|修复了|实现了|已经恢复|顺利|全部通过|任务是|按照需求|全绿|现在已|しました|でした|なりました|完了|課題は|の通り|すべて成功|했습니다|했으며|완료했|통과했|과제는|것이었습니다|요청대로|다시 작동
  تم|تمت|किया गया|đã thêm|đã sửa|hoàn thành
  worked on|looked at|will continue|ran the tests|everything passed|is done|now returns|now work*|now support*|now handle*|in the ticket|acceptance criteria|i ran|i added|i changed|we added|merge request is|pull request is|coverage is|criteria are met
  morgen weiter|ergänzt|erweitert|abgearbeitet|erfüllt|merge request|ist offen|liegt jetzt|läuft jetzt|repariert|verbessert
  réparé*|amélioré*|est stable|fusionné*|arreglé|mejor* el rendimiento|criei|corrigi|estão passando|conforme solicitado|ho corretto|tutti i test|sono stati|utworzono|przechodzą|oluşturuldu|başarıyla
  добавил*|создал*|сделал*|улучшил*|теперь есть
  优化了|提升了|调整了|新增了|明显提升|更快了|改善し|向上し|速くな|빨라졌|좋아졌|개선했|추가했|변경했|만들었
  improved|wrapped|removed|verified|introduced|moved|renamed|replaced|extended|adjusted`

/** Words that say nothing about one project in particular. */
const COMMONPLACE = `
  code*|codebase|project*|repositor*|software|work*|task*|feature*|thing*|learn*|understand*|important|importance|careful*|always|good|better|best|practice*|quality|test*|writ*|read*|check*|make*|making|sure|change*|file*|folder*|director*|function*|bug*|error*|issue*|problem*|solution*|approach*|structur*|well|clean*|clear*|simpl*|team*|develop*|agent*|session*|implement*|requirement*|document*|review*|existing|follow*|consisten*|proper*|correct*|thorough*|need*|should|early|earlier|time|times|save*|prevent*|help*|commit*|nam*|meaningful|maintain*|source*|question*|ask*|assum*|communicat*|unclear|lot|lots|much|more|often|than|throughout|pass*|build|green|line*|refactor*|everything|something|easy|easier|quick*|bett*|avoid*|keep*|organi*|mistake*|before|after|later|previous|detail*|improv*|readab*|collaborat*|misunderstand*|efficien*
  code|codes|projekt*|wichtig*|sauber*|gut*|immer|test*|fehler*|änder*|datei*|ordner*|quellcode*|lesbar*|wartung*|wartbar*|erleichter*|vermeid*|team*|anforderung*|genau|lesen|liest|missverständnis*|zeit|spar*|früh*|find*|helf*|hilf*|struktur*|aufgabe*|ticket*|arbeit*|commit*|ausführ*|achten|wichtigkeit|verständlich*|klar*|einfach*|besser*|qualität*|gewünscht|funktionier*|alle*|jetzt|wieder|laufen|erstell*|formatier*|review*|anmerkung*|pipeline*|version*|update*|erwartet
  code|projet*|important*|essentiel*|propre*|lisib*|clair*|bon*|bien|toujours|test*|erreur*|problème*|modifi*|fichier*|dossier*|source*|facil*|mainten*|maintenir|éviter|évite*|équipe*|exigence*|temps|gagner|plus|tôt|permet*|permettre|détect*|structur*|organis*|architecture*|tâche*|ticket*|travail*|livr*|communication*|question*|malentendu*|poser|écrire|ajout*|créé*|passe*|pipeline|demand*|fonctionn*|correct*|dépendance*|jour|mise*|qualit*
  código*|proyecto*|projeto*|progetto*|importante*|limpi*|pulito|clar*|chiaro|buen*|siempre|prueb*|test*|error*|erros|problema*|cambio*|archivo*|fichero*|carpeta*|fácil*|facil*|manten*|evit*|equipo*|equipe|requisito*|tiempo|tempo|ahorra*|ayuda*|ajuda*|encontrar|estructur*|organiza*|tarea*|tarefa*|trabaj*|trabalh*|escrib*|escrev*|leer|bien|mejor*|melhor*|malentendid*|aprend*|entender|repositorio*|reduc*|conviene|calidad|qualidade|correct*|funciona*|pasan|todas|todos|módulo*
  код*|проект*|важн*|чист*|понятн*|хорош*|всегда|тест*|ошиб*|проблем*|измен*|файл*|папк*|исходн*|легч*|поддерж*|избеж*|команд*|требован*|врем*|эконом*|помога*|наход*|раньше|структур*|задач*|работ*|писать|читать|внимательн*|недоразумен*|быстре*|меньше|нужно|надо|лежит|одной|другой|стал*|сборк*|лучш*|качеств*|строк*|снимок
  代码|代碼|项目|專案|重要|干净|清晰|清楚|很好|测试|測試|错误|錯誤|问题|問題|修改|文件|目录|目錄|源代码|容易|维护|維護|避免|团队|团队|需求|时间|時間|节省|節省|尽早|发现|結構|结构|任务|任務|工作|认真|阅读|误解|提高|效率|减少|可以|提交|之前|一定|开发|功能|正常|恢复|流水线|现在|已经|完成|写
  コード|プロジェクト|大切|重要|きれい|読みやす|保守|ミス|減|テスト|問題|早く|見つけ|時間|節約|整理|ソース|フォルダ|分か|要件|誤解|防|効率|作業|課題|修正|変更|ファイル|チケット|正し|動|書|前|必|完了|追加|作成|成功|実装|良|品質
  코드|프로젝트|중요|깨끗|깔끔|읽기|읽어|쉬운|쉽|유지보수|실수|줄여|테스트|문제|일찍|찾|시간|아껴|구조|정리|소스|폴더|요구사항|꼼꼼|오해|피하|효율|일할|과제|기능|고치|요청|작동|파일|수정|추가|완료|성공|구현|통과|항상|커밋|작성|다시|모두|다른|만들|있습니다|합니다|해야
  debug*|patien*|log|logs|think*|step*|back|systematic*|experience*|type*|useful|message*|user*|users|handl*|swallow*|catch*|small*|large*|revert*|public|other*|hard|take*|taking|look*|made|several|continue*|page*|endpoint*|data|list*|return*|describ*|tomorrow|decid*|right|useful|mean*|always|different*|people|process*|system*|plan*|focus*|effort*|deliver*|standard*|principle*|pattern*|modern|popular|tool*|feedback|knowledge|remember*|first|together|value*|perform*|optimi*|faster
  problem*|blick|hilf*|meist*|schiefgelaufen|schnell*|logs|steht|dort|container*|anwendung*|überall|gleich|vereinfach*|deployment*|nutzer*|erfahrung*|leistung*|seite*|system*|kommunikation*|wissen*|gemeinsam*|planung*|sinnvoll*|hilfreich*|moderne*|beliebt*
  variable*|explicit*|compréhens*|interface*|moderne*|bibliothèque*|populaire*|documenté*|utilis*|performan*|expérience*|ensemble|rapid*|réfléchi*|logiciel*|système*|garant*|retrabalho|sistema*|fundamental*|usuario*|usuári*|experiencia*|rendimiento|rápid*|comunic*|collabor*|risolvere|veloc*|zesp*|kod|czysty|ważn*|łatw*|utrzym*|rozwij*|wspó*|szybc*|kaliteli|kod*|önemli|temiz
  документац*|нов*|разработчик*|проще|начать|сервис*|производительн*|пользовател*|опыт*|быстр*|общен*|вместе
  沟通|及时|协作|顺畅|团队|性能|用户体验|体验|加载|首页|页面|更快|模块|负责|管理|包含|新增|删除|查询|遇到|多|让
  コミュニケーション|大事|早め|相談|手戻り|パフォーマンス|改善|一覧|画面|表示|速|ユーザー|体験|向上|共有|チーム
  팀원|소통|이야기|빨리|해결|성능|개선|목록|화면|사용자|경험|빨라|좋아|자주|공유|함께|하기|전에|주고|줍니다|수 있
  frontend*|backend*|component*|table*|chart*|show*|fetch*|dashboard*|layer*|service*|helper*|visible|logging|unusual|input*|robust|edge|case*|consider*|lead*|short*|reus*|app|apps|application*|server*|client*|database*|library|libraries|module*|interface*
  anwendung*|besteh*|schnittstelle*|kommunizier*|miteinander|beide|kurz*|klein*|datenbank*|komponente*|aplicaci*|comunic*|mediante|ambos|corta*|courte*|base|données|stock*|serveur*
  函数|尽量|简短|理解|这样|更|短|関数|理解|함수|짧게|이해|좋습니다|쉽습니다|것이`

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** One pattern for a list: whole words, or anywhere where words are not set apart. */
function pattern(list: string, flags: string): RegExp {
  const words = list
    .split(/[|\n]/)
    .map((word) => word.trim())
    .filter(Boolean)
  const escaped = words.map((word) =>
    word
      .replace(/[.+?()[\]{}^$\\]/g, '\\$&')
      .replaceAll('*', '\\p{L}*')
      .replaceAll(' ', '\\s+'),
  )
  const joined = escaped.filter((word) => CJK.test(word))
  const apart = escaped.filter((word) => !CJK.test(word))
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${apart.join('|')})(?![\\p{L}\\p{M}])|${joined.join('|')}`, flags)
}

/** At the beginning of a sentence an English verb without a subject tells what to do. */
const IMPERATIVE =
  /(?:^|[.;:\n][^\S\n]*)(?:use|pass|set|run|check|add|delete|remove|keep|call|restart|rebuild|regenerate|look|put|pin|wrap|await|mock|wait|start|stop|retry|read|write|change|convert|prefer|expect|ask|load|build|install|send|move|copy|create|disable|enable|mount|register|rename|replace|reset|skip|store|switch|update|upgrade)\b/i

/** Made on first use: most processes judge nothing, and making them takes longer than starting. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const relations = once(() => [
  ...[CAUSE, CONDITION, CONTRAST, NECESSITY, CONSEQUENCE].map((list) => pattern(list, 'iu')),
  IMPERATIVE,
])
const reports = once(() => pattern(REPORT, 'giu'))
const commonplaces = once(() =>
  [COMMONPLACE, CAUSE, CONDITION, CONTRAST, NECESSITY].map((list) => pattern(list, 'giu')),
)

/** In how many ways it says when something holds, why, what not to do, what to do, or what happens otherwise. */
export function relationsIn(text: string): number {
  return relations().filter((relation) => relation.test(text)).length
}

/** How many different words of a report it has. */
export function reportsIn(text: string): number {
  return new Set([...text.matchAll(reports())].map(([word]) => word.toLowerCase())).size
}

/** What is left of a text without the words that say nothing in particular. */
export function withoutCommonplaces(text: string): string {
  return commonplaces().reduce((left, words) => left.replace(words, ' '), text)
}
