import { onFirstUse } from '../on-first-use.ts'

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
  بدل|وإلا|لكن|لا|बजाय|वरना|लेकिन|नहीं|thay vì|nếu không|nhưng|không
  never|nobody|none|neither|isn't|aren't|doesn't|didn't|don't|won't|wasn't|can't|cannot|couldn't|unlike|except|apart from|too much|too many|too late|too long|too small|too large
  nie|niemals|nichts|niemand|keiner|keines|weder|außer|zu spät|zu groß|zu viel|erst beim|statt dessen
  ne|n|jamais|rien|personne|aucun|aucune|ni|sauf|trop|hormis|contrairement
  no|nunca|nada|nadie|ningún|ninguna|tampoco|salvo|excepto|demasiado|não|nunca|nada|ninguém|nenhum|nenhuma|exceto|demais|nulla|nessuno|nessuna|mai|tranne|troppo
  ни|нет|никогда|ничего|никто|нельзя|кроме|слишком|ані|немає|ніколи|жоден
  geen|nooit|niets|niemand|behalve|nikt|nic|żaden|oprócz|zbyt|hiç|yok|asla|hariç|dışında|ne|nikdy|nic|kromě|ingen|inget|aldrig|utom|för sent
  从不|从来|无法|未|别|别的|除了|唯独|太|反而|才|却|せず|なかった|ません|できな|以外|しか|逆に|못|안 |아닌|없이|없어|않는|말고|밖에|너무|뿐
  ليس|لم|لن|دون|غير|मत|बिना|कभी नहीं|chưa|chẳng|ngoài`

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
  fail*|break*|broke|hang*|crash*|los*|wrong|silent*|twice|reject*|ignor*|block*|corrupt*|leak*|time* out|timeout|slow*|doubl*|duplicat*|empty|stale|lock*|burn*|overwrit*|miss*|expire*|caused|causes
  schlägt|scheiter*|bricht|abbr*|häng*|kaputt*|verlier*|falsch*|sperr*|doppel*|leer*|fehlschl*
  blocc*|échou*|cass*|perd*|bloqu*|rejet*|plant*|expir*|refus*|attend
  fall*|romp*|pierd*|perd*|tarda*|salta*|errad*|quebra*
  пада*|теря*|лома*|зависа*|отклоня*|упира*|пуст*|блокир*
  faalt|zawodzi*|psuje*|başarısız|bozul*|selže|fejler|misslyckas|epäonnistu*
  失败|失敗|报错|报不|抛|丢|超时|返回空|少算|转圈|占满|例外|止まる|消え|エラー|混ざ|当たり|실패|깨지|깨진|사라|끊|멈추|응답하지
  drop*|cut*|delet*|disappear*|vanish*|discard*|stop*|kill*|differ*|exceed*|truncat*|panic*|forever|too late|gone|never arriv*|refus*|returns? an error|rolled back|rolls back|roll* back|restart*|starv*|flak*|random*|unknown|undefined|garbl*|invalid*|nothing back|instead of nothing
  verschwind*|verworfen|gelöscht|löscht|überschreib*|abgeschnitten|abgelehnt|weist ab|lehnt|bleibt halb|bleibt hängen|stürzt*|unbekannt|veraltet*|ungültig*|zufällig*|offen im netz|wieder an|stimmte nicht|stimmt nicht|still|stillschweigend|wartet ewig|kein fehler
  disparaî*|supprim*|écras*|tronqu*|décal*|dépass*|échec*|faux|fausse*|se ferme|doubl*|au hasard|silenc*|refuse|périm*|jamais reçu|perdu*|tué*|sans trace|exclu*|exclut
  desaparec*|borr*|elimin*|sobrescrib*|trunc*|rechaz*|falla*|se detiene|se cierra|bloquea*|sin aviso|sin error|dupl*|agota*|incorrect*|nunca lleg*|some*|apag*|estour*|enche*|corta*|some sem|sparisc*|fallisc*|blocca*|chiude|rifiut*|perde*|doppi*|si rompe|senza alcun errore
  пропада*|исчеза*|удаля*|обреза*|отверга*|превраща*|ждут|ждёт|молча|неизвестн*|неверн*|дважды|устар*|сбива*|ломае*|не доходит|не доход*|мешал*|занимал*|перезапис*
  verdwijn*|mislukt*|dubbel*|znika*|traci*|odrzuca*|zrywa*|ucię*|błędn*|kaybol*|reddedil*|siliniyor|bulamıyor|bozuluyor|kesil*|zmizí|odmítne|förlor*|försvinn*|avbryts
  崩溃|闪退|丢失|消失|锁|锁写|挂|卡|拒绝|被杀|杀掉|OOM|覆盖|截断|重复|差五|差一|拿不到|看不到|发现不了|不会发送|静默|随机|失效|过期|耗尽|涨到|回滚|推算出
  落ち|抜け|切断|早く走|届かな|消す|失わ|ずれ|文字化け|拒否|差し戻|古いまま|無限|重複|混在|上書き|読まれてしま|再現しな|停止|かかっていた|返ってこな|事故
  멈췄|멈춘|밀렸|거절|오류|누락|중복|중단|기동하지|기다린다|사라지|덮어|깨져|느려|놓치|초과|한도|잘못|0건|튕|죽
  complain*|abort*|sue*|fined|refund*|mistak*|collid*|overload*|outage*|incident*|bill* twice|charged|unreachable|unusable|useless|rotated|mangle*|clog*|drift*|conflict*|denied|forbidden|vanish*|mismatch*
  beschwer*|beanstand*|fehlen|fehlt|fällt erst|gesperrt|gemindert|verweiger*|unbrauchbar|nachzahl*|ausgefallen|ausfall|kollidier*|zweites mal|differenz|umsonst|druckt .* als
  plaign*|mauvais*|triple|revenaient|rejetai*|occupée|rempli*|erroné*|collision*|panne*|inutilisable*|verdâtre*|abandonn*|amende*|facturé* deux
  quej*|vacía|oculta|infinito|descuadr*|falso*|multa*|inutil*|colaps*|caíd*|desfase|duplic*|reclama*|errad*|multa|lentid*|sbagliat*|inutil*|guast*|lament*
  жалу*|отмен*|путает|бесполезн*|возвраща*|перезагружа*|сбо*|наруш*|штраф*|перестал*|спам*|нулев*|скарж*|скасов*|чекає
  klacht*|keurt*|loopt terug|reklamac*|kara|kary|şikayet*|ceza*|stížnost*|klagomål*|stoppar
  损失|投诉|扣下|被罚|差一分|利用|混乱|冲突|异常|不一致|出错|闪|错乱|多发|少发|不对|超过|合わな|届か|キャンセル|苦情|罰|不一致|食い違|詰ま|落とす|壊れ|遅れ|二重|항의|반려|맞지 않|어긋|손해|벌금|지연|열리는 일|취소|꼬이|누수|रुक|भर जाती|thiếu|يرفض|محجوز`

/** Phrases of a status report: in the past tense, nothing to act on. */
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
  improved|wrapped|removed|verified|introduced|moved|renamed|replaced|extended|adjusted
  ready to be merged|ready for review|waiting for review|was implemented|was completed|has been fixed|have been fixed|is complete|are complete|type checks are clean|lint and|no open points|next, |next step*|done in this session|updated accordingly|shows now|now shows|is fixed
  eingebaut|umgestellt|überarbeitet|getrennt|kann geschlossen werden|bereit zum|bereit zur|sind grün|ist fertig|wurde fertig|heute|nun funktioniert|alles wie erwartet|zu sehen|wurden aktualisiert
  est prêt*|sont faites|est faite|est fait|a été corrigé*|a été ajouté*|fonctionne maintenant|maintenant|la revue|en place|tous les tests|la couverture|fusionner|passe à
  se cambi*|se actualiz*|se correg*|finalizad*|terminad*|implementé|corregí|subí|añadí|solicitado|correctamente|ahora el|ahora la|todo está|foi criad*|foram criad*|concluíd*|passaram|pronto para|ho sistemato|ho aggiornato|ora il|ora la|sono pronti|è pronto
  закрыта|закрыт|готов*|проходят|проверено|проверен*|вынесен*|теперь|сделано|выполнен*|опечатки
  afgerond|bijgewerkt|werkt nu|gotowe|zakończon*|poprawion*|zmienion*|zamknięt*|hazır|bekleniyor|güncellendi|başarılı|yapıldı|hotovo|klart|uppdaterad*
  已完成|开发完成|已修复|今天修复|修复了|已实现|已更新|自测通过|等待合并|等待测试|等待验收|验收|现在可以|全部完成|调整好了
  しました|済み|更新し|作成した|修正した|追加した|対応した|完成し|通過し|マージするだけ|問題なく|されました|リリースし
  마쳤|끝냈|완료|처리했|구현했|업데이트했|통과했습니다|정상입니다|작성했|만들고|배포했|반영했
  session summary|nothing is left|no open|commit 1|in this session|was used|were used|i used|i went with|i chose|i decided
  in diesem durchgang|angefasst|verwendet|offene punkte|habe ich|ont été extraits|sont maintenant|j'ai choisi|se usó|se usaron|todavía no se|использован|использована|за сессию|изменено|открытых вопросов
  本次|共修改|没有遗留|代替了|今回は|残作業|で書いた|이번 작업|바꿨다|썼다|남은 일|går igenom|jag har
  nachgezogen|abgedeckt|he dejado|visto bueno|falta que|补充了|变绿|上线了|已经确认|覆盖率|переведен*|переведён*|удален*|удалён*|предупреждений|отримано|置き換え|警告なし|끝내고|요청함|갱신했|붙였|확인도
  ont été|sans avertissement|è stato|è stata|foi|foram|fue|fueron|zostało|został|byl|byla|blev|werd|werden bijgewerkt`

/** Phrases that describe what code does or where it is, which opening the file would show. */
const DESCRIPTION = `
  receives|returns|returns the|takes a|takes an|calls the|creates an|creates a|contains|consists of|is located in|lives in|is defined in|is written in|are written in|is built with|is made of|is divided into|is split into|is responsible for|renders|displays|inherits|has a method|has methods|the method|the function|the class|the component|wraps the|puts it into|each in its own|registers all|marks it|delegates to
  bekommt|nimmt|liefert|gibt zurück|zurück|ruft|aufruf*|enthält|enthalten|besteht aus|bestehen aus|liegt in|liegen in|liegen unter|befindet sich|befinden sich|verwendet|nutzt|benutzt|ist aufgeteilt|aufgeteilt|wandelt|berechnet|übergibt|baut|verschickt|sendet|speichert|lädt|zeigt|stellt dar|ist zuständig|ist verantwortlich|die methode|die funktion|die klasse|die komponente|der ordner|geschrieben in
  reçoit|prend|renvoie|retourne|appelle|contient|contiennent|se compose|est composé*|se trouve|se trouvent|utilise|affiche|calcule|convertit|envoie|enregistre|charge|parcourt|additionne|est responsable|la méthode|la fonction|la classe|le composant|le dossier|est écrit en|écrite en
  recibe|toma|devuelve|retorna|llama|contiene|contienen|se compone|está compuest*|se encuentra|se encuentran|usa|utiliza|muestra|calcula|convierte|envía|guarda|inserta|carga|levanta|es responsable|el método|la función|la clase|el componente|la carpeta|está escrit*
  recebe|devolve|chama|contém|contêm|é composto|fica em|ficam em|mostra|envia|salva|a função|o método|a classe|o componente|a pasta|riceve|restituisce|ritorna|chiama|contengono|è composto|si trova|si trovano|sono nella|sono in|mostra|invia|salva|la funzione|il metodo|il componente|la cartella
  принимает|получает|возвращает|вызывает|создаёт|создает|содержит|содержат|состоит из|состоят из|лежит в|лежат|находится|находятся|использует|выводит|записывает|отправляет|вычисляет|преобразует|сохраняет|загружает|отвечает за|метод|методы|функция|класс|компонент|написан на|написана на|приймає|повертає|містить
  ontvangt|geeft terug|roept|bevat|bestaat uit|gebruikt|berekent|verstuurt|de methode|de functie|de klasse|przyjmuje|zwraca|wywołuje|zawiera|składa się|znajduje się|używa|oblicza|wysyła|metoda|funkcja|klasa|alır|döndürür|çağırır|içerir|bulunur|kullanır|hesaplar|gönderir|metodu|fonksiyonu|sınıfı|přijímá|vrací|volá|obsahuje|používá|tar emot|returnerar|anropar|innehåller|använder
  接收|传入|返回|调用|查询|获取|包含|组成|位于|存放|目录下|目录里|使用|采用|基于|编写|负责|渲染|显示|计算|转换|发送|保存|加载|通信|参数|该函数|该方法|该类|该组件|函数|方法|分离架构
  受け取|返します|返す|返し|呼び出|呼びます|含ま|構成され|置かれ|配置され|にあります|があり|使っている|使っています|使用し|使われ|利用し|描画|表示し|計算し|変換し|送信し|保存し|読み込|関数|メソッド|クラス|コンポーネント|担当し
  입력받|받아|받아서|반환|돌려준|돌려줍|호출|포함|구성되|이루어|들어 있|나뉘어|위치|사용하|사용한|사용합|만들어졌|만들어진|작성되|렌더|표시|계산|변환|전송|저장|불러|담당|함수|메서드|클래스|컴포넌트|처리한
  öffnet|schließt|hängt|gestiona|ofrece|possède|s'appuie|associe|prépare|valida|añade|comprueba|управляет|хранит|считает|читают|пишут|очищает|добавляет|管理|注册|触发|取消|监听|传递|用来|处理|跳转|点击|保存する|取得し|削除し|登録し|結び付|보관|관리|내보낸|등록|알린|전달`

/** What can be said for anything at all: why it is good to do well. */
const BENEFIT = `
  easier|easily|simpler|cleaner|clearer|safer|readable|readability|maintainable|maintainability|maintain|reusable|reuse|scalable|scales well|flexible|extensible|robust|reliable|helps|help|good for|improves|improve|quality|saves time|save time|productiv*|efficien*|best practice*|good practice*|good habit|is important|important to|essential|crucial|catch* regressions|avoids mistakes|avoid mistakes|prevents errors|more stable|user experience|consistency|consistent|carefully|gracefully|meaningful|well-structured|modular|documented|fits best|clean code
  leichter|einfacher|besser|wartbar*|wartung|lesbar*|verständlich*|übersichtlich*|wiederverwend*|erweiterbar*|flexibel|robust|stabil*|zuverlässig*|erleichtert|hilft|helfen|verbessert|qualität|spart zeit|keine zeit|zeit sparen|wichtig*|sorgfältig*|gründlich|bewährt*|sauber*|missverständnis*|fehler früh|früh erkennen|nutzererlebnis|es ist besser|nachfragen|gut testbar
  plus facile*|plus simple*|plus clair*|plus lisible*|plus propre|facilite|maintenable*|maintenir|maintenance|réutilis*|évolutif|évoluer|flexible|robuste*|fiab*|aide|aident|améliore*|qualité|gagner du temps|gain de temps|important*|essentiel*|malentendus|bonnes pratiques|soigneusement|modulaire*|code propre|stabilité|évite des erreurs|éviter les erreurs|expérience des utilisateurs|expérience utilisateur|comprendre
  más fácil*|más sencill*|más simple*|más clar*|facilita*|mantenible*|mantenimiento|reutiliz*|escalable*|flexible*|robust*|ayuda*|mejora*|calidad|ahorra*|importante*|esencial|buenas prácticas|preferible|conviene|coherencia|complejidad|se evitan errores|evitar errores|trabaje mejor|mais fácil*|mais simples|manutenção|facilita|ajuda*|melhora*|qualidade|conhecimento|più facil*|più semplic*|più chiar*|manutenzione|mantenere|riutilizz*|aiuta*|migliora*|qualità|modular*
  легче|проще|удобнее|понятнее|понятн*|чище|надёжн*|надежн*|поддерживать|сопровождать|сопровожд*|расширять|переиспольз*|гибк*|помога*|улучша*|качеств*|важн*|экономит|уменьша* количество ошибок|найти ошибки|избежать ошибок|внимательно|хорош* практик*|самодокументир*|безопасност*
  makkelijker|eenvoudiger|leesbaar*|onderhoud*|beter|helpt|kwaliteit|belangrijk|łatwiej*|czytelny|czytelność|utrzyman*|ułatwia|pomaga|poprawia|jakość|ważne|ważny|zmniejsza liczbę błędów|kolay*|okunabilir|bakım*|yardımcı|iyileştirir|kalite*|önemli*|hataları azalt*|hata* azal*|snadnější|přehledn*|udržovateln*|pomáhá|kvalit*|důležit*|lättare|enklare|läsbar*|underhåll*|hjälper|viktig*
  容易|更易|易于|便于|方便|清晰|清楚|可读性|可维护|维护|复用|扩展性|扩展|灵活|稳定|健壮|提高|提升|改善|质量|节省|减少错误|避免错误|避免返工|重要|好习惯|习惯|最佳实践|合理|符合预期|仔细|充分|效率|详细
  しやすい|しやすく|やすくな|読みやす|わかりやす|分かりやす|簡単|シンプル|保守|再利用|拡張|柔軟|堅牢|安心|品質|向上|改善|効率|大切|重要|大事|習慣|適切|丁寧|役立|理解しや|スムーズ|忘れない
  쉽|쉬워|편하|편리|깔끔|깨끗|읽기|유지보수|재사용|확장|유연|안정|도움|개선|향상|품질|효율|중요|습관|적절|꼼꼼|단순|줄여|줄일|아낄|아껴|빨리 찾|의미 있
  success|responsib*|trust of|attitude|positive|curious|progress|good atmosphere|better results?
  verantwort*|überblick|einstellung|fortschritt|curieux|progresser|meilleur*|actitud|positiv*|resultados|ambiente|seguridad|a tiempo|вдумчив*|критик*|результат*|исправлять|недочёт*
  责任|信任|沟通|顺利|积极|进步|成果|積み重ね|相談|解決でき|자세|꾸준|배우|긍정|태도|분위기|나은 결과|협업
  plus vite|réfléchir|bonne conception|in the long run|à long terme|a largo plazo|langfristig|в будущем|à l'avenir`

/** Persons who ask, and verbs of asking. */
const ASKED = `
  user|users|team|maintainer*|reviewer*|owner*|customer*|client|they|support|management|asked|wants|wanted|requested|prefers|insist*|remember|from now on|said
  nutzer*|benutzer*|anwender*|kunde|kundin|kunden|auftraggeber*|betriebsrat|betrieb|leitung|will|wollen|möchte*|wünsch*|besteht|bat|bittet|verlang*|ab jetzt|gewünscht
  utilisat*|client*|équipe|direction|demande*|demandé*|veut|veulent|souhait*|exige*|désormais
  usuari*|cliente*|equipo|equipe|dirección|pide*|pidió|pidieron|quiere*|exige*|solicit*|prefiere*|quer|querem|pediu|pediram|contabilidade|utente|utenti|committente|richie*|chiede|chiesto|vuole|vogliono|preferisce
  пользовател*|заказчик*|команд*|руководств*|просит|просил*|попросил*|требует|требуют|хочет|хотят|замовник*|користувач*|вимага*|хоче
  gebruiker*|klant*|opdrachtgever*|wil|willen|vraagt|vroeg|użytkowni*|klient*|zespół|chce|chcą|prosi*|poprosi*|wymaga*|kullanıcı*|müşteri*|ekip*|istedi|istiyor|ister|uživatel*|zákazník*|chtějí|požaduje|användare*|kund*|vill|bad|brukar*|ønsker|käyttäjä*|haluaa
  用户|客户|团队|同事|财务|要求|希望|让我|叮嘱|记住|以后|依頼|要望|言われ|求め|利用者|ユーザー|チーム|担当|指示|覚え|今後|사용자|고객|팀|담당|요청|원한|원합|말라고|달라고|기억|앞으로
  المستخدم|العميل|الفريق|طلب|يريد|उपयोगकर्ता|ग्राहक|टीम|चाहते|चाहता|मांगा|người dùng|khách hàng|nhóm|yêu cầu|muốn`

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
  函数|尽量|简短|理解|这样|更|短|関数|理解|함수|짧게|이해|좋습니다|쉽습니다|것이
  suite|root|cause*|symptom*|patch*|inheritance|composition|logic|business|style*|typescript|javascript|python|java|react|angular|vue|summar*|part*|place*|piece*|level*|point*|result*|example*|reason*|goal*|idea*|finish*|left|back|come*|coming|wast*|happen*|might|could|would|will|anyone|nobody|nothing|anything|without|general*|consider*|short*|long*|slip*|reach*|unhapp*|danger*|rely|typo*|add|adds|talk*|delegat*|contain*|forget*|star|stars|seem*|choice*|chose*|choos*|popular*|flexible|enough|context*|wrong
  funktion*|methode*|klasse*|variable*|aufruf*|aufrufer*|stelle*|passier*|kann|etwas|ansehen|zugriff|schlüssel|suche*|schneller|kürzer|durchgang|betroffen|punkte|offen*|übersetzung*|formular*|produktion*|fehlerfrei|umgebung*|einstellung*|werkzeug*|entwickl*|programm*|quelle*|bibliothek*|abhängigkeit*|schleife*|liste*|array*|objekt*|logik|vererbung|oberfläche*|dienst*|zweig*|geheimnis*|passwort*|zuerst|später|vorher|nachher|verwendet|genutzt|richtig*|falsch*|möglich*|manchmal|anderen|jeder|jede
  fonction*|méthode*|classe*|variable*|boucle*|tableau*|objet*|besoin*|correspond*|commenc*|développ*|quelque|chose|risque*|typage|sûr*|évit*|beaucoup|composant*|extrait*|application*|production|environnement*|configur*|dépôt*|branche*|fusion*|lire|avant|après|maintenant|choisi*|plutôt|utilisat*|donné*|entrée*|sécurité|régulièr*|avancement|partag*
  función*|método*|clase*|variable*|bucle*|objeto*|promesas|legible*|manej*|rendirse|paciencia|revis*|siempre|acaba*|causa*|algo|rama*|fusionad*|todavía|funcionalidad*|producción|entorno*|configur*|depend*|desarroll*|aplica*|principio*|comentario*|usuari*|dato*|opción*|elegí|cada|parte*|demás|función|funções|variáve*|laço*|produção|ambiente*|funzion*|metod*|class*|variabil*|ciclo|produzione
  функци*|метод*|класс*|переменн*|цикл*|массив*|объект*|использован*|короче|ненадёжн*|трудно|понять|сломал*|сесси*|основном|открыт*|вопрос*|вместо|приложен*|среда|настройк*|библиотек*|зависимост*|ветк*|релиз*|разработк*|продакшен*|безопасн*|данны*|решени*|выбран*|отдельн*|несколько|функцій|зрозуміл*|команді
  重复|修改|地方|遗漏|本次|主要|遗留|没有|查找|速度|语义|对象|变量|循环|数组|类|方法|接口|参数|配置|环境|依赖|版本|分支|合并|生产|上线|部署|数据|数据库|用户|权限|安全|密码|密钥|注释|命名|逻辑|业务|框架|组件|前端|后端|架构|方案|设计|选择|采用|理解|需求|返工|检查|拼写|习惯|养成|文档|官方|说明|详细|通常|很多|以后|一旦|需要|个文件
  実行|気づ|全て|すべて|今回|残作業|ありません|変更|短く|しやす|クラス|変数|ループ|配列|オブジェクト|設計|設定|環境|依存|バージョン|ブランチ|マージ|本番|デプロイ|データ|データベース|ユーザー|安全|パスワード|コメント|ロジック|部品|例外|発生|可能性|場合|処理|計画|立て|進め|将来|対応|選択|理由|方が|バグ
  배포|버그|그대로|사용자|전달|때문|이번|작업|남은|없다|바꿨|클래스|대신|훅|간결|요즘|방식|변수|반복문|배열|객체|설계|설정|환경|의존성|버전|브랜치|병합|운영|데이터|보안|비밀번호|주석|로직|업무|화면|컴포넌트|원인|로그|확인|단위|리뷰|되돌리|이름|의미|도움|사람|안 된다
  mã|viết|sạch|dễ|đọc|nhóm|bảo|trì|nên|kiểm|thử|dự|án|lỗi|hơn|giúp|كود|الكود|نظيف|النظيف|كتابة|المهم|الصيانة|الفريق|يسهل|على|من|कोड|साफ|लिखना|टीम|काम|आसान|हमेशा|होता|से|का|है|चाहिए
  collega*|veranderd|duidelijk*|commitbericht*|weten|waarom|schrijf*|later|testfall*|tester|formulär*|validering*|klart|klar`

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
  /(?:^|[.;:\n][^\S\n]*)(?:use|pass|set|run|check|add|delete|remove|keep|call|restart|rebuild|regenerate|look|put|pin|wrap|await|mock|wait|start|stop|retry|read|write|change|convert|prefer|expect|ask|load|build|install|send|move|copy|create|disable|enable|mount|register|rename|replace|reset|skip|store|switch|update|upgrade|split|announce|reference|locally run)\b/i

// Made on first use: most processes judge nothing, and making them takes longer than starting.
const relations = onFirstUse(() => ({
  cause: pattern(CAUSE, 'iu'),
  condition: pattern(CONDITION, 'iu'),
  contrast: pattern(CONTRAST, 'iu'),
  necessity: pattern(NECESSITY, 'iu'),
  consequence: pattern(CONSEQUENCE, 'iu'),
  imperative: IMPERATIVE,
}))
const reports = onFirstUse(() => pattern(REPORT, 'giu'))
const descriptions = onFirstUse(() => pattern(DESCRIPTION, 'giu'))
const benefits = onFirstUse(() => pattern(BENEFIT, 'giu'))
const asked = onFirstUse(() => pattern(ASKED, 'iu'))
const commonplaces = onFirstUse(() =>
  [COMMONPLACE, CAUSE, CONDITION, CONTRAST, NECESSITY].map((list) => pattern(list, 'giu')),
)

/** Whether it says why, when something holds, what not to do, what to do, and what happens otherwise. */
export type Relations = Record<keyof ReturnType<typeof relations>, boolean>

export function relationsIn(text: string): Relations {
  const found = Object.entries(relations()).map(([name, words]) => [name, words.test(text)])
  return Object.fromEntries(found) as Relations
}

/** What is always done is no report of what was done. */
const STANDING = /\b(?:are|be)\s+(?:\w+ly\s+)?\w+ed\b/gi

/** How many different words of a report it has. */
export function reportsIn(text: string): number {
  return countOf(text.replaceAll(STANDING, ' '), reports())
}

/** How many different words it has that tell what code does, or where it lies. */
export function descriptionsIn(text: string): number {
  return countOf(text, descriptions())
}

/** How many different words it has by which anything can be praised. */
export function benefitsIn(text: string): number {
  return countOf(text, benefits())
}

/** Whether it names a person who asked for it. */
export function saysWhoAsked(text: string): boolean {
  return asked().test(text)
}

function countOf(text: string, words: RegExp): number {
  return new Set([...text.matchAll(words)].map(([word]) => word.toLowerCase())).size
}

/** What is left of a text without the words that say nothing in particular. */
export function withoutCommonplaces(text: string): string {
  return commonplaces().reduce((left, words) => left.replace(words, ' '), text)
}
