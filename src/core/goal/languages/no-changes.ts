/**
 * "Make no changes" in set phrases, where the words for a change are nouns: what is made of single words is told by
 * `whole-words.ts`.
 */
const ENDS = String.raw`(?=\s*(?:[.,;:!?)]|$|(?:yet|for now|at all|please|until|till|before|because|so far|bis|bevor|jusqu|avant|pour (?:l['’]instant|le moment)|hasta|antes|por ahora|todav[ií]a|finché|per ora|prima|até|por enquanto|tot|voorlopig|dopóki|na razie|пока|до)(?!\p{L})))`

const PHRASES = [
  String.raw`(?:do not|don['’]?t|dont|never) (?:\p{L}{2,12},? (?:or|and|nor) )?(?:change|touch|modify|edit|alter) (?:or \p{L}{2,12} )?anything`,
  String.raw`(?:i|we) (?:do not|don['’]?t|dont) (?:want|need|wish for) (?:you to make )?any (?:code )?(?:changes|edits|modifications)`,
  String.raw`(?:keep (?:your )?)?hands off (?:everything|the (?:code|repo|repository|project|codebase|files))`,
  String.raw`nicht,? dass du (?:irgend)?(?:et)?was (?:änderst|anfasst|bearbeitest|umbaust)`,
  String.raw`(?:ne |n['’])(?:fais|faites|apporte[sz]?|effectue[sz]?) (?:encore )?aucune? (?:modification|changement)s?`,
  String.raw`(?<=^|[.,;!] )aucune? (?:modification|changement)s?(?: (?:s['’]il (?:te|vous) pla[iî]t|stp|svp|de (?:code|fichier)s?))?`,
  String.raw`no (?:hagas|haga|hagan|realices|realice|apliques|aplique) (?:todavía |aún )?(?:ning[uú]n|ninguna|cambios?|modificaci[oó]n)(?: (?:cambios?|modificaci[oó]n))?`,
  String.raw`sin (?:hacer|realizar|aplicar) (?:ning[uú]n )?cambios?`,
  String.raw`non (?:fare|faccia|apportare|effettuare) (?:ancora )?(?:nessuna |alcuna )?modific(?:a|he)`,
  String.raw`não (?:faça|faz|realize|aplique|efetue) (?:ainda )?(?:nenhuma |qualquer )?(?:alteraç(?:ão|ões)|mudanças?|modificaç(?:ão|ões))`,
  String.raw`(?:breng|voer|maak) (?:nog )?geen (?:enkele )?(?:wijzigingen?|aanpassingen?)(?: (?:aan|door))?`,
  String.raw`nie (?:wprowadzaj|rób|dokonuj) (?:jeszcze |na razie )?żadnych zmian`,
  String.raw`не (?:вноси|делай)(?:те)? (?:пока )?никаких (?:изменений|правок)`,
  String.raw`не (?:вноси|роби)(?:ть|те)? (?:поки )?(?:жодних|ніяких) змін`,
]

const UNSPACED = String.raw`(?:什么|任何(?:东西|文件|代码|内容)?|一切)都?(?:先|暂时)?(?:不要|别|不用|不许|不准)(?:动|改|修改|碰)(?:了|啊|哦)?(?:[。，,！!]|$)`

export const CHANGES_NONE = new RegExp(String.raw`(?<!\p{L})(?:${PHRASES.join('|')})${ENDS}|${UNSPACED}`, 'iu')

/** "Execute nothing": how work is to go on, unless an answer is all that was asked for. */
export const EXECUTES_NOTHING =
  /(?<!\p{L})(?:(?:do not|don['’]?t|dont|never) (?:actually )?(?:execute|run|carry out|perform|proceed with) (?:or \p{L}{2,12} )?(?:anything|any(?: of (?:it|them|this|that))?(?: (?:steps?|tasks?|changes?|code))?)|führe? (?:bitte |noch |jetzt ){0,2}nichts (?:davon )?aus|n['’]exécute[sz]? (?:encore )?rien|no ejecut(?:es|e|en) (?:todavía |aún )?nada|non eseguire (?:ancora )?(?:nulla|niente)|não execut(?:e|es) (?:ainda )?nada|voer (?:nog )?niets uit|nie wykonuj (?:jeszcze )?(?:nic|niczego)|ничего (?:пока )?не (?:выполняй|запускай)(?:те)?|не (?:выполняй|запускай)(?:те)? (?:пока )?ничего|нічого (?:поки )?не (?:виконуй|запускай)(?:те)?|не (?:виконуй|запускай)(?:те)? (?:поки )?нічого)(?:,? (?:in (?:this |the )?plan(?:ning)? mode|yet|for now|now|please|at all|until.{1,60}))?\s*[.!]*$|^(?:请|先|暂时|现在)*(?:不要|别)(?:急着|先|再)?(?:执行|运行)(?:任何(?:操作|命令|东西|步骤))?[。！!]?$|(?:何も|まだ)(?:絶対に)?実行しない(?:で(?:ください|下さい)?)?[。！!]?$|(?:아무것도|아직) ?(?:실행|진행)하지 ?(?:마|말)(?:세요|아\s?주세요|아)?[.!]?$/iu
