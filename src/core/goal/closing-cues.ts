import { words } from './languages/grammar.ts'

/** What closings say in so many words, by what it speaks for. Each is one feature of the classifier. */
export const CUES: Record<string, RegExp> = {
  // The agent needs an answer.
  asksLeave: words(
    String.raw`\b(?:should|shall|may|can) i\b|\bdo you want\b|\bwant me to\b|\bwould you (?:like|prefer|rather)\b|\bdo you prefer\b|\bok(?:ay)? (?:to|if i|with you)\b|\bis (?:that|this) (?:ok|okay|fine|right|what you)\b`,
    String.raw`\bsoll ich\b|\bmöchtest du\b|\bmöchten sie\b|\bwillst du\b|\bdarf ich\b|\bdois-je\b|\bvoulez-vous\b|\bveux-tu\b|\bsouhaitez-vous\b|\b(?:quieres|quiere|deseas) que\b|\bdebo\b|\bprefieres\b|\bvuoi che\b|\bdevo\b|\bpreferisci\b|\b(?:você )?(?:quer|gostaria) que\b|\bposso\b|\bzal ik\b|\bwil je\b|\bczy mam\b|\bczy chcesz\b`,
    '(?:хотите|хочешь|нужно ли|стоит ли|мне (?:сделать|продолжить)|продолжить\\?|чи мені|хочете)|是否(?:需要|要|继续)|要不要|需要我|你(?:希望|想|要)|您(?:希望|想|要)|可以吗|ましょうか|よろしいですか|しますか|할까요|하시겠|원하시',
  ),
  choice: words(
    String.raw`\bwhich (?:one|of|option|approach|do you|would|way|should|variant|version)\b|\bwhat (?:would you like|should|do you (?:want|prefer|think)|shall)\b|\b(?:option|variant|approach) (?:a|b|1|2|one|two)\b|\beither\b.*\bor\b.*\?|\bor (?:should|do|would|shall)\b|\byour (?:call|choice|decision|preference)\b|\bdecide\b|\bpick\b`,
    String.raw`\bwelche[rsnm]?\b.*\?|\bquel(?:le)?s?\b.*\?|\bcuál\b|\bquale\b.*\?|\bqual\b.*\?|\bwelke\b.*\?|\bktór\w+\b.*\?`,
    '(?:какой|какая|какие|какую|который) .*\\?|вариант [абАБ12]|哪(?:个|种|一)|どちら|どれ|어느|어떤 .*\\?',
  ),
  needsWord: words(
    String.raw`\b(?:please|kindly|could you|can you|pls) (?:confirm|tell me|share|send|provide|paste|let me know|clarify|specify|choose|check|give me|point me|answer|upload|run)\b|\blet me know (?:which|what|how|whether|when|your)\b|\bi (?:need|require|'d need|would need|lack) (?:your|you|to know|a decision|the|more (?:info|details|context)|access|a)\b.*\b(?:from you|to (?:know|continue|proceed|go on)|first|before|decision|answer)\b|\bbefore i (?:start|continue|proceed|change|go|do|touch|begin|build|write)\b|\bwaiting for (?:you|your)\b|\bneeds? (?:your|a) (?:decision|answer|input|confirmation|approval|go)\b|\bonce you (?:confirm|decide|tell|approve|answer)\b|\bquick approval\b|\b(?:one|two|three|a few|some|\d) questions?\b|\bnot (?:clear|sure) (?:which|what|whether)\b`,
    String.raw`\bbitte (?:bestätige|sag|gib|nenn|schick|entscheid)\w*\b|\bbevor ich\b|\bich brauche\b.*\b(?:von dir|entscheidung|antwort|zugang)\b|\bmerci de (?:confirmer|préciser|fournir)\b|\bavant (?:de|que je)\b|\bconfirmez?\b|\bpor favor (?:confirma|indica|dime|envía)\w*\b|\bnecesito (?:que|saber)\b|\bantes de\b.*\?|\bper favore\b|\bho bisogno\b|\bpreciso (?:que|saber|de)\b|\bgraag\b.*\?|\bpotrzebuję\b|\bproszę o\b`,
    '(?:подтвердите|уточните|скажите|пришлите|укажите|предоставьте|нужен (?:ваш|доступ)|жду|прежде чем|підтвердіть|уточніть)|请(?:确认|告诉|提供|选择|说明|先)|确认一下|等你|教えてください|確認してください|ください。?$|알려\\s*주|확인해\\s*주|필요합니다',
  ),
  wouldGoOn: words(
    String.raw`\b(?:would you like|shall i|should i|want me to|do you want|ready (?:to|for me)|ok to)\b[^?]*\b(?:proceed|go ahead|implement|make (?:this|these|the)|apply|fix (?:this|these|it|the)|start|continue|try|do (?:this|that|it))\b|\bthen i(?:['’]ll)? (?:continue|build|proceed|go on|start)\b|\bonce you(?:['’]ve| have)?\b[^.]*\b(?:i(?:['’]ll| will| can)|let me know)\b|\bi(?:['’]ll| will)? need you to\b|\bjust say\b|\byour (?:call|turn|decision)\b|\btell me which\b|\btype (?:yes|y|ok)\b|\bneeds your (?:approval|ok|word|go)\b`,
    'приступаю|приступать|начинать\\?|продолжать\\?|继续吗|开始吗|进めて(?:も|よろ)|진행할까요|진행해도',
  ),
  wouldAdd: words(
    String.raw`\b(?:would you like|shall i|should i|want me to|do you want|if you(?:['’]d)? (?:like|want))\b[^?]*\b(?:also|too|as well|more details?|explain|any (?:adjustments|changes|other)|further|instructions|another|other|upgrade|next|help with)\b|\bby the way\b|\bhow(?:['’]s| is) it looking\b|\banything else\b`,
    'ещё что-то|что-то ещё|还有(?:什么|其他)|他に|더 (?:필요|원하)',
  ),
  offers: words(
    String.raw`\b(?:let me know if|if you(?:['’]d)? (?:like|want|prefer|need)|happy to|feel free|i can (?:also|add|extend)|anything else|just say|say the word|next steps?|optionally|you (?:can|could|may) (?:also )?)\b`,
    String.raw`\bwenn du (?:willst|magst|möchtest)\b|\bsi (?:vous|tu) (?:voulez|veux|souhait)\w*\b|\bsi quieres\b|\bse vuoi\b|\bse quiser\b|\bals je wilt\b|\bjeśli chcesz\b`,
    'если (?:хотите|нужно|захотите)|якщо хочете|如果(?:你|您)?(?:需要|想)|必要(?:であれば|なら)|(?:問題|何か)があれば|원하시면|필요하시면',
  ),
  // The work is not done.
  notYet: words(
    String.raw`\bnot yet\b|\byet\s*[.,;)]|\bstill (?:fails?|failing|red|open|missing|broken|ahead|needs?|to (?:do|be)|overflows?|shows?|gives?|loses?|not|case|in progress|returns?|flickers?|there|unresolved|todo|being|running|wip|a problem|doesn['’]t|isn['’]t)\b|\bso far\b|\bremain(?:s|ing)\b|\bleft to (?:do|be)\b|\bto ?do\b|\bhave(?:n['’]t| not) (?:yet|started|changed|solved|found|written|done|tested|been able|touched|got)\b|\bhas(?:n['’]t| not)\b|\bdid(?:n['’]t| not) (?:get to|finish|manage|work|help|find|complete|start)\b|\bnot (?:complete|completed|finished|done|solved|fixed|working|implemented|understood|started|tested|gone|ready|there yet|possible|enough|pretty)\b|\bunfinished\b|\bincomplete\b|\bcontinue to iterate\b|\bin the meantime\b|\bby hand\b|\bmanually\b|\bpending\b|\bin progress\b|\bplaceholders?\b|\bwip\b`,
    String.raw`\bnoch (?:nicht|offen|zu tun|aus)\b|\bfehlt (?:noch|nur)\b|\bfehlen noch\b|\bbleibt noch\b|\bpas encore\b|\breste (?:à|encore)\b|\bmanque\b|\btodavía no\b|\baún no\b|\bfaltan?\b|\bqueda(?:n)? (?:por|pendiente)\b|\bpendiente\b|\bancora (?:non|da)\b|\bmanca(?:no)?\b|\bnon (?:ho|è) ancora\b|\bainda (?:não|falta)\b|\bfalta(?:m)?\b|\bnog (?:niet|geen|te|uitzoeken|open)\b|\bontbreekt\b|\bjeszcze nie\b|\bbrakuje\b|\bpozostaje\b|\bzostał[oay]?\b`,
    '(?:пока не|ещё не|еще не|осталось|остаётся|остается|не хватает|не закончен|не готов|предстоит|ще не|залишилось)|还没|尚未|未完成|剩下|还需要|还差|还有.{0,6}(?:没|未)|まだ|未(?:完了|実装|対応)|残り|아직|남아|남은',
  ),
  failed: words(
    String.raw`\b(?:could(?:n['’]t| not)|can(?:['’]t|not)|unable to|was(?:n['’]t| not) able|not able to|failed|fails?|failing|blocked|stuck|aborted|timed out|refused|denied|rejected|not (?:allowed|permitted)|no (?:access|permission|number|release|way|idea|code|runner)|don['’]t have|do not have|i have no|has no|there['’]s no|there is no|isn['’]t\s*[.;]|aren['’]t\s*[.;]|not here|unsure|not sure|guess would|needs? (?:a|an|the) running|crashe[sd]|gave up|stopped (?:here|after|at)|i stopped|stopp?ing here|ran out|out of (?:context|time|tokens)|interrupted|error:|exception|doesn['’]t (?:work|help|compile|build|load)|does not (?:work|help|compile|build)|no luck|without success|red\b|broke\b|no longer (?:loads|works|builds))\b`,
    String.raw`\b(?:konnte|kann) (?:ich )?(?:es |das |die |den )?(?:leider )?nicht\b|\bschlägt fehl\b|\bfehlgeschlagen\b|\bgescheitert\b|\bimpossible\b|\béchou\w+\b|\bn['’]ai pas (?:pu|réussi)\b|\bno (?:pude|puedo|logré|se pudo|fue posible)\b|\bfall[óao]\w*\b|\bnon (?:sono riuscit|posso|riesco|è stato possibile)\w*\b|\bfallit[oa]\b|\bnão (?:consegui|foi possível|pude)\b|\bfalh\w+\b|\bkon niet\b|\blukt(?:e)? niet\b|\bmislukt\b|\bnie (?:udało|mogę|mogłem)\b|\bbłąd\b`,
    '(?:не удалось|не получилось|не смог|не могу|не работает|ошибка|падает|провал|не вдалося|не зміг)|无法|失败|不能|没(?:有)?(?:成功|找到|权限)|报错|できません|失敗|エラー|できませんでした|실패|못했|할 수 없|오류',
  ),
  partial: words(
    String.raw`\b\d+ (?:of|out of) (?:the )?\d+\b|\b(?:two|three|four|five|six|one|half|most|some|part) of (?:the )?\w+\b|\bhalf ?way\b|\bpartial(?:ly)?\b|\bfirst (?:half|part|step|draft|pass)\b|\bonly (?:the )?(?:first|half|part|after|for|one|two)\b|\bthe (?:rest|others?|second|remaining)\b|\bno (?:ui|tests?|docs?|code)\b|\bmissing\b|\bbut (?:not|only|the|on|in|an?|i)\b|\bbetter but\b|\bworks? for\b|\buntested\b|\bdraft\b|\[ \]|⬜|⏳|🔄`,
    String.raw`\bteilweise\b|\bnur (?:die|der|das|ein|nach)\b|\bden rest\b|\bpartiel\w*\b|\bà moitié\b|\bparcial\w*\b|\bla mitad\b|\ba metà\b|\bparzial\w*\b|\bpela metade\b|\bgedeeltelijk\b|\bczęściow\w*\b|\bpołow\w*\b`,
    'частично|наполовину|только (?:часть|первую)|частково|部分|一半|只完成|一部|半分|일부|절반',
  ),
  announces: words(
    String.raw`\b(?:next,? (?:i|up|comes?|is|on)|i(?:['’]ll| will| am going to|['’]m going to| plan to) (?:now|next|continue|go on|start|begin|try|look|check|fix|update|add|implement|proceed|work|create|write|run|move|then|also)|let me (?:now |first |also |next )?(?:update|check|look|fix|run|create|add|try|see|start|read|verify|continue|examine|find|search|test|make|write|implement|review|investigate|explore|open)|i(?:['’]ll| will) help you|let['’]s (?:now |first )?(?:update|check|look|fix|run|create|add|try|see|start|continue|implement)|now i(?:['’]ll| will)?\b|working on (?:it|that|this|the)|look(?:ing)? into|comes? (?:next|after|later)|follows?\s*[.:]?$|is next|are next|going (?:on|to)|continu(?:e|ing) with|starting (?:with|on)|need another round|i need (?:more time|another)|tomorrow|in the next)\b`,
    String.raw`\bals nächstes\b|\b(?:ich )?(?:mache|werde|schaue|prüfe|gehe) (?:ich )?(?:jetzt|nun|gleich|als|dann|weiter)\b|\bje vais\b|\bensuite\b|\bmaintenant je\b|\bvoy a\b|\bahora (?:voy|actualizo|reviso)\b|\ba continuación\b|\bora (?:vado|aggiorno|procedo)\b|\badesso\b|\bprocederò\b|\bvou\b|\bagora (?:vou|preciso)\b|\bnu ga ik\b|\bik ga\b|\bteraz (?:zajmę|sprawdzę|dodam)\b|\bnastępnie\b`,
    '(?:теперь|сейчас|далее|затем|дальше)(?: я| мы| давайте)? (?:добав|обнов|созда|провер|исправ|посмотр|внес|перей|сдела|реализу|нужно)|давайте|(?:^|\\s)(?:проверим|посмотрим|обновим|создадим|добавим|протестируем|выполним|запустим)\\s|我(?:来|将|会|再|先|现在)|让我|接下来|现在(?:我|让|需要|开始)|下一步(?:我|是)|次に|続いて|これから|見てみ(?:ます|ましょう)|이제|다음으로|하겠습니다|볼게요|살펴보',
  ),
  // The work is done.
  done: words(
    String.raw`\b(?:done|fixed|finished|complete[d]?|implemented|resolved|solved|all set|ready|works? now|working now|in place|shipped|merged|pushed|committed|tagged|deployed|released|live|taken care of|that['’]s it|all green|successfully|as requested)\b`,
    String.raw`\b(?:erledigt|fertig|behoben|abgeschlossen|umgesetzt|läuft (?:jetzt|wieder)|funktioniert (?:jetzt|wieder|nun))\b|\b(?:terminée?s?|c['’]est fait|corrigée?s?|fini|prête?s?|résolue?s?)\b|\b(?:listo|hecho|terminad[oa]s?|completad[oa]s?|corregid[oa]s?|solucionad[oa]s?|arreglad[oa]s?|exitosamente|éxito)\b|\b(?:fatto|completat[oaie]|corrett[oaie]|risolt[oaie]|pronto|finito)\b|\b(?:feito|concluíd[oa]s?|corrigid[oa]s?|resolvid[oa]s?|pronto)\b|\b(?:klaar|gedaan|opgelost|afgerond|hersteld)\b|\b(?:gotowe|zrobione|naprawion[eya]|ukończon[eya]|zakończon[eya])\b`,
    '(?:готово|сделано|исправлено|завершен|завершён|выполнен|успешно|решен|решён|закончен|виконано|зроблено|виправлено)|完成|已(?:经)?(?:修复|解决|添加|更新|修改|实现|删除|创建|设置|全部|成功|提交|推送|改)|搞定|好了|修复了|成功|完了|しました|済み|できました|完成し|완료|했습니다|되었습니다|끝났',
  ),
  did: words(
    String.raw`\b(?:i(?:['’]ve| have)?|we(?:['’]ve| have)?) (?:now |also |just |successfully )?(?:added|fixed|implemented|updated|created|refactored|renamed|removed|moved|migrated|replaced|wrote|written|installed|extracted|split|merged|converted|integrated|introduced|wired|upgraded|cleaned|documented|improved|enabled|disabled|configured|corrected|adjusted|changed|deleted|built|made|set|switched|raised|put|rewrote|translated|bumped|aligned|reverted|restored|dropped|cached|tested|verified)\b`,
    String.raw`^(?:\W*)(?:added|fixed|implemented|updated|created|refactored|renamed|removed|moved|migrated|replaced|wrote|raised|bumped|corrected|adjusted|changed|deleted|reverted|restored|translated|documented|switched|rewrote|extracted|split|merged|enabled|disabled|committed|pushed|upgraded|cleaned|converted)\b`,
    String.raw`\b(?:is|are|was|were|has been|have been) (?:now |all |also )?(?:added|fixed|implemented|updated|created|refactored|renamed|removed|moved|migrated|replaced|written|installed|extracted|split|merged|converted|integrated|introduced|wired|upgraded|cleaned|documented|improved|enabled|disabled|configured|corrected|adjusted|changed|deleted|built|set|switched|raised|translated|bumped|clamped|gone|back|cached|covered)\b`,
    String.raw`\b(?:habe|wurde|wurden|ist jetzt|sind jetzt|ist nun)\b|\bj['’]ai (?:ajouté|corrigé|modifié|créé|mis|supprimé|remplacé)\b|\b(?:a été|ont été)\b|\bhe (?:agregado|añadido|corregido|creado|actualizado|modificado|eliminado)\b|\bse (?:ha|han) \w+d[oa]\b|\bho (?:aggiunto|corretto|creato|aggiornato|modificato|rimosso)\b|\b(?:adicionei|corrigi|criei|atualizei|alterei|removi)\b|\b(?:ik heb|is nu|zijn nu)\b|\b(?:dodałem|poprawiłem|zmieniłem|utworzyłem|usunąłem)\b`,
    '(?:добавил|исправил|создал|обновил|изменил|удалил|реализовал|внес|добавлен|исправлен|обновлен|создан|удален|додав|виправив)|(?:我)?(?:已|添加了|修改了|修复了|更新了|创建了|删除了|实现了|改成了|改为)|追加し|修正し|変更し|更新し|作成し|추가했|수정했|변경했|만들었|고쳤',
  ),
  tests: words(
    String.raw`\b(?:all )?(?:\d+ )?(?:tests?|specs?|checks?|suite|ci|build|lint|typecheck)\b[^.;!?]{0,40}\b(?:pass(?:es|ed|ing)?|green|clean|ok|succeeds?|works?)\b|\bpins?\b|\bproves? (?:it|that)\b|\bcovers? (?:it|that|this|the)\b|\ball (?:green|passing|good)\b`,
    '(?:тесты|все тесты) (?:проходят|прошли|зел)|测试(?:全部)?通过|テスト.{0,8}(?:通|パス)|테스트.{0,6}통과|alle tests|tous les tests|todas las pruebas|tutti i test|todos os testes',
  ),
  sections:
    /(?:^|\n)[^\S\n]*(?:#{1,4} |\*\*)?(?:summary|changes|what (?:i|was|changed)|files (?:changed|modified)|result|zusammenfassung|résumé|resumen|итог|изменения|总结|修改|変更点|요약)/i,
  marks: /✅|✔|☑|\[x\]|🎉/i,
  contrast: words(
    String.raw`\b(?:but|however|although|though|unfortunately|except|aber|leider|allerdings|mais|cependant|malheureusement|pero|sin embargo|lamentablemente|ma|però|purtroppo|mas|porém|infelizmente|maar|helaas|ale|jednak|niestety)\b`,
    'но |однако|к сожалению|але |на жаль|但|不过|可惜|しかし|ただし|残念|하지만|그러나|아쉽게',
  ),
  // What the agent waits for, in whatever form it is asked for.
  waits: words(
    String.raw`\b(?:i(?:['’]m| am)? )?(?:await(?:ing)?|wait(?:ing)? (?:for|on|until)|hold(?:ing)? (?:off|until|here)|i(?:['’]ll| will) hold)\b|\b(?:i|we)(?:['’]d| would| will|['’]ll)? (?:need|like|want|require) (?:to know|you to|your|an? (?:explicit |quick )?(?:go|ok|okay|yes|answer|decision|word)|(?:some|the|an?|more)\b.{0,60}\b(?:from you|from your|first|before))\b|\bneed to know\b|\bneeded from (?:you|your)\b|\byour (?:ok|okay|go|go-ahead|approval|confirmation|decision|word|input|answer|feedback|permission|blessing|sign-?off)\b|\b(?:please|kindly) (?:either|provide|grant|send|share|advise|decide|reply|respond|pick|upload|add|put|log|create|approve)\b|\b(?:send|give|get|tell|show|ping) me\b|\bsay (?:which|yes|whether|so)\b|\blet me know (?:when|once|which|whether|what|how|your)\b|(?<!\b(?:the|an?|this|that|each|every|its|their|one|first|last|no|of|by|new|old|full|whole) )\b(?:just )?(?:reply|answer|respond|type)(?: with)? (?!(?:is|are|was|were|has|had|of|in|to|now|can|will|gets|comes)\b)["“'\x60\w]|\bthumbs up\b|\buntil (?:you|then i|i (?:hear|know|have))\b|\b(?:once|as soon as|when) (?:you(?:['’]ve| have)?|i have|i know|that['’]s (?:clear|there)|they are there)\b.{0,60}\bi(?:['’]ll| will| can)\b|\bbefore (?:i|anything|adding|deleting|removing|doing|changing)\b|\bwhich (?:one|of (?:these|them|those|the))\b|\bonly you can\b`,
    String.raw`\b(?:brauche|bräuchte|benötige) (?:ich )?|\bwarte (?:ich )?(?:auf|noch)\b|\bfehl(?:t|en) mir\b|\b(?:sag|gib|schick|nenn|schreib)e? mir\b|\bbitte (?:schick|trag|wähl|freigeb|antwort)\w*\b|\bdein(?:e|en|er)? (?:ok|okay|freigabe|entscheidung|zustimmung|antwort|go|rückmeldung|bestätigung)\b|\bsobald (?:du|ich|das|sie)\b|\bj['’]attends\b|\b(?:il me (?:faut|manque)|j['’]ai besoin)\b|\b(?:dis|dites|envoie|envoyez|donne|donnez|confirme|confirmez)-(?:moi|le)\b|\bfeu vert\b|\bton (?:accord|avis|ok)\b|\bvotre (?:accord|avis|validation)\b|\bdès que (?:tu|vous|j['’]ai)\b|\bpeux-tu me\b|\bpouvez-vous\b|\b(?:necesito|espero tu|espero su|quedo a la espera|avísame|dime|indícame|envíame|pásame|confírmame|confirma)\b|\btu (?:confirmación|ok|visto bueno|decisión|respuesta)\b|\ben cuanto (?:me|lo|esté|tenga)\b|\bmi serv(?:e|ono)\b|\b(?:attendo|aspetto|in attesa|dimmi|fammi sapere|confermami|mandami|inviami|scrivimi)\b|\b(?:appena|non appena) (?:me|mi|ho|li|lo|la)\b|\b(?:preciso|aguardo|aguardando|me (?:confirma|confirme|diga|diz|avise|avisa|mande|manda|envie|envia|passa))\b|\bassim que\b|\bik wacht\b|\bwacht op\b|\blaat (?:me|het me|maar) weten\b|\bstuur me\b|\bgeef me\b|\b(?:jouw|je|uw) (?:akkoord|goedkeuring|keuze|antwoord)\b|\bzodra (?:je|ik)\b|\b(?:czekam|potrzebn[yae]|podeślij|prześlij|wyślij|daj znać|potwierdź|napisz|wybierz)\b|\b(?:jag behöver|väntar på|inväntar|bekräfta|skicka|säg till|hör av dig|ditt godkännande)\b|\b(?:jeg (?:mangler|venter|trenger|har brug for)|bekræft|bekreft)\b|\b(?:bekliyorum|onayınız\w*|onaylar mısınız|gerekiyor|ihtiyacım|gönderir misin\w*|söyleyin|bildirin|hangisi\w*)\b|\b(?:potřebuji|čekám|potvrď\w*|pošli\w*|dej vědět)\b`,
    'жду|ожидаю|нуж(?:ен|на|ны) |нужно (?:знать|ваше|твоё|твое|решение|подтверждение)|подтверди|пришли|дайте|дай знать|сообщи|укажи|как только|чекаю|очікую|потріб(?:ен|на|ні|но)|підтверд|надішл|додайте|скажіть|повідом|щойно|等(?:你|您)|需要(?:你|您|先|确定|确认)|麻烦|请(?:您|你)?(?:提供|告知|回复|决定|发|给)|没法往下|确认后|同意后|ご確認|確認させて|お願いします|お願いいたします|ご指示|ご連絡|お待ち|次第|いただけ(?:ますか|れば|ますでしょうか)|基準ですか|でしょうか|기다리|주셔야|보내\\s*주|말씀|주시면|결정해|승인',
  ),
  // Something of what was asked for is still to come.
  leftOver: words(
    String.raw`\b(?:\d+|some|one|two|three|four|five|rest|others?|part|work|all that['’]s|what['’]s) (?:is |are |of them )?(?:left|open|missing|outstanding|to go|untouched|unresolved)\b|\bto go\b|\b(?:everything|all)\b.{0,40}\bexcept\b|\b(?:is|are|was|were)(?:n['’]t| not) (?:started|done|finished|there yet|reached|attempted|moved|migrated|hooked up|safe|working|fixed|gone|in yet)\b|\bnot (?:attempted|started|reached|reproduced?|been able)\b|\bnext step\b|\bmoving on\b|\bi(?:['’]ll| will) (?:do|post|pick|take|finish|report|come back|be back|get back|keep|tackle|handle|wire|migrate|convert|dig|retry|follow up)\b|\bi(?:['’]d| would) (?:pick|continue|start|go on)\b|\b(?:is|are|still) running\b|\bin the background\b|\bno fix\b|\btheory\b|\bnone of (?:them|these|that|it)\b|\bi (?:undid|restored|rolled|backed)\b|\bhaven['’]t (?:found|figured|attempted|looked|managed|reached)\b|\b(?:could(?:n['’]t| not)|can(?:['’]t|not)|unable to|not able to|failed to) (?:reproduce|find|figure|fix|finish|complete|get|make|locate|reach|connect|resolve|solve|install|log|access)\b|\bfor (?:now|the moment|the time being)\b|\bthat['’]s it for\b|\b(?:usage|rate|context|time|session) ?(?:limit|window)\b|\bleaving it\b|\bwhat['’]s missing\b|\bsecond one somewhere\b|\bkicked in\b|\bdied\b|\bwas rejected\b|\bexpired\b`,
    String.raw`\b(?:nicht mehr gereicht|steh(?:t|en) noch aus|noch aus|weiterhin|nach wie vor|nächster schritt|vorerst|bisher|nicht (?:gefunden|geschafft|hinbekommen|erreicht)|abgebrochen|noch nichts?)\b|\b(?:il reste|restent|pour l['’]instant|pour le moment|toujours pas|prochaine étape|je continue|je m['’]arrête|bloqué)\b|\b(?:sigue(?:n)?|por ahora|de momento|lo dejo|no he (?:conseguido|podido|logrado|encontrado)|siguiente paso|se rompen?|falla(?:n)?|me falta)\b|\b(?:per ora|rimane|rimangono|restano|resta da|fallisce|fallire|prossimo passo|non ho (?:trovato|ancora)|mi fermo)\b|\b(?:por enquanto|restam?|não (?:encontrei|deu|terminei)|próximo passo|parei|ainda)\b|\b(?:voorlopig|voor nu|volgende stap|blijft nog|resteert|nog niet|stop hier|lukt me niet)\b|\b(?:na razie|zatrzymał\w*|pozostał\w*|następny krok|nadal|nie znalazł\w*|w trakcie)\b|\b(?:fortfarande|ännu|inte (?:nått|klart?|färdig\w*|än|hittat|hunnit)|nästa steg|stannar här|återstår|saknas|misslyck\w*|stadig|mangler|ikke (?:færdig|ferdig|fundet|funnet))\b|\b(?:henüz|kalan\w*|yarıda|bulamadım|olmadı|tekrar deniyorum|başarısız|sonraki adım\w*|devam ediyorum)\b|\b(?:zatím|ještě|nepodařilo|zbývá)\b`,
    'всё ещё|все еще|пока (?:что|не|без)|не наш(?:ёл|ел)|следующий шаг|остальн|останов|прерва|поки що|все ще|ще ні|наступний крок|не знайшов|безрезультат|падає|没能|未能|暂时|没动|下一步|怀疑|还在|剩余|残って|未(?:検証|着手|解決)|できず|エラーになる|まず|予定|途中|여전히|않았|해 보겠|마저|되지 않|중단',
  ),
  // Done, with something that was not tried or is not its own.
  caveat: words(
    String.raw`\b(?:not|n['’]t|cannot|could ?n['’]t|unable to|only)\b.{0,24}\b(?:test(?:ed)?|verif(?:y|ied)|tr(?:y|ied) (?:it|this|that)|check(?:ed)?|push(?:ed)? it|measured?) (?:with|on|in|it|against|this|that|here|any|a|the|under|locally)?\b|\b(?:unverified|untested|unrelated|pre-?existing|on main as well|i left (?:it|them|that)|as before|deprecation|deliberately|on purpose|out of scope|heads[- ]?up|note that|one thing to note|fyi|worth knowing|by design)\b`,
    String.raw`\bnicht (?:getestet|geprüft|ausprobiert)\b|\bpas (?:pu )?(?:test|vérifi)\w+\b|\bno (?:pude|he podido|lo he) prob\w+\b|\bnon (?:ho potuto )?(?:testat|provat|verificat)\w*\b|\bnão (?:testei|pude testar)\b|\bniet (?:getest|gecontroleerd)\b|\bnie (?:testowałem|przetestowa\w+)\b|\binte testat\b`,
    'не (?:проверял|тестировал|перевірял)|未测试|没有测试|無関係|테스트하지 못',
  ),
  // A question about more than was asked for.
  offersMore: words(
    String.raw`\b(?:shall|should|would you like|want me|do you want|like me|interested)\b(?![^?]{0,80}\b(?:go on|continue|proceed|carry on|the others|the rest|remaining)\b)[^?]{0,120}\b(?:too|as well|also|while (?:we|i)|other|another|same|more|further|separate|open (?:the|a|an) (?:pr|issue|ticket)|in the ci|while|next|instead of|get one|improve|add (?:one|it|that|them))\b[^?]{0,40}\?|\banything (?:else|you)\b|\bwhat do you think\b|\blet me know (?:if|what you think)\b|\bshall i\?`,
    String.raw`\bsoll ich\b[^?]{0,80}\b(?:auch|gleich|noch|das angehen)\b|\b(?:veux-tu|voulez-vous|souhait\w+)\b[^?]{0,80}\b(?:aussi|également)\b|\bquieres que\b[^?]{0,80}\b(?:también|lo mismo)\b|\bvuoi che\b[^?]{0,80}\banche\b|\bquer que\b[^?]{0,80}\b(?:também|melhore|gere)\b|\b(?:zal ik|wil je)\b[^?]{0,80}\book\b|\bczy mam\b[^?]{0,80}\b(?:też|także)\b|\bska jag\b[^?]{0,80}\b(?:också|även)\b|\bisterseniz\b`,
    '(?:также|тоже|ещё|також)[^?]{0,60}\\?|也[^？?]{0,30}[吗嘛][？?]|も[^？?]{0,30}(?:ましょうか|ますか)|修正しましょうか|도 [^?]{0,30}(?:까요|할까)',
  ),
  // How it is now, which is how finished work is told.
  isNow: words(
    String.raw`\bnow\b|\bno longer\b|\bany ?more\b|\bfrom \d\S* to \d|\d\s?→\s?\d|\b(?:is|are|runs?|works?|shows?|reads?|stays?|gets?) (?:in|on|up|there|ready|live|green|complete|gone|back|up to date)\b|\bonly problems?\b|\bit does\b`,
    String.raw`\b(?:jetzt|nun|nicht mehr)\b|\bdésormais\b|\bne .{1,20} plus\b|\b(?:ahora|ya no)\b|\b(?:ora|adesso|non .{1,20} più)\b|\bagora\b|\bnão .{1,20} mais\b|\bnu\b|\bteraz\b|\bartık\b`,
    'теперь|больше не|тепер|现在|不再|になりました|ようになりました|ように(?:なって|しました)|이제|않습니다',
  ),
  // It says that it ended before the end.
  stops: words(
    String.raw`\b(?:i|we)(?:['’]ve| have)? (?:stopped|aborted|gave up|given up|left (?:it|the \w+|this|that) (?:as it (?:is|was)|at that|there|out|for)|rolled (?:it )?back|backed out)\b|\bstopping\b|\bgiving up\b|\bran out of\b|\bas far as i got\b|\bbefore (?:the|my) (?:token|session|limit|time)\b|\binterrupted\b|\bmade it worse\b|\bno (?:change|fix) (?:so far|made|yet)\b|\bnothing (?:is|was) (?:committed|merged|changed so far)\b`,
    String.raw`\b(?:habe ich (?:abgebrochen|aufgehört|zurückgenommen)|komme (?:ich )?(?:hier |da )?(?:ohne .{1,40} )?nicht weiter|nicht mehr geschafft)\b|\bje me suis arrêté\w*\b|\bje n['’]avance plus\b|\b(?:lo dejé|dejé el código|me detuve|mi sono fermat[oa]|ho lasciato|parei|ficaram como|teruggedraaid|zatrzymałem|stoppade)\b`,
    'остановил|прервал|откатил|先停|停在这里|止めています|中断|멈췄|中止',
  ),
  // It is at it as it speaks.
  atIt: words(
    String.raw`\bi(?:['’]m| am) (?:now |still |currently )?(?:looking|checking|working|trying|going|investigating|digging|fixing|running|keeping|watching|monitoring|continuing|debugging|waiting|starting)\b|\bi(?:['’]ll| will) (?:watch|monitor|report|relay|pass|keep|put|pick|continue|begin|start)\b|(?:^|[.!:]\s+)(?:looking|checking|trying|fixing|continuing|picking up|moving on|starting|working|debugging) \w+|\b(?:is|are) (?:still )?(?:implementing|assigning|in the works|on it|underway|queued|blocked)\b|\b(?:comes?|come|will be|is|are|to) (?:next|follow|tomorrow|later)\b|\b(?:waiting|waits?) for (?!you)\w+|\bat (?:epoch|step|\d+ %)`,
    String.raw`\b(?:ich bin (?:dabei|dran)|mache weiter|schaue (?:ich )?(?:mir )?(?:als|jetzt)|kommt als nächstes|folgt|folgen)\b|\bje (?:continue|regarde|cherche|ferai)\b|\b(?:sigo|estoy \w+ndo|continúo)\b|\b(?:sto \w+ndo|continuo|proseguo)\b|\b(?:estou \w+ndo|continuo)\b|\b(?:volgt|volgen|ik ben bezig)\b|\b(?:w następnym|później)\b|\bhärnäst\b|\bsonra\b`,
    'продолжаю|разбираюсь|смотрю дальше|позже|згодом|继续|下次|其余的|正在(?:排查|处理|实现)|次回|進めます|中です|て(?:検証|確認|調査)します|이어서|계속',
  ),
  // Nothing but what was asked for was wanted, and nothing else was done.
  nothingElse: words(
    String.raw`\b(?:no code (?:was )?(?:touched|changed)|nothing else|no other|(?:i )?(?:did(?:n['’]t| not)|have(?:n['’]t| not)) (?:touch(?:ed)?|chang(?:ed?)) (?:any(?:thing)?|the (?:code|rest))|no change (?:was |is )?(?:needed|made|necessary)|as (?:agreed|you asked|requested)|behaviou?r (?:is|stays) (?:the same|unchanged)|everything else)\b`,
    String.raw`\b(?:sonst (?:nichts|habe)|geändert habe ich nichts|rien d['’]autre|le reste n['’]a pas|no toqué nada|nient['’]altro|niets (?:anders|gewijzigd))\b`,
    'больше ничего|не менял|не трогал|其他没|没有改|変更していません|그대로',
  ),
  // How an answer to a question begins.
  answers: words(
    String.raw`^\W*(?:because|yes|no(?=[,.:;]|\s*$)|not at the moment|nearly|it(?:['’]s| is| does| depends)|there (?:is|are)|that(?:['’]s| is)|the (?:reason|cause|answer|difference)|(?:two|three|four) (?:things|reasons|places)|you (?:can|need|have)|set |use )\b`,
    String.raw`^\W*(?:weil|ja|nein|parce que|oui|non(?=[,.])|porque|sí|perché|sì|porque|sim|omdat|nee|dlatego|bo|eftersom|çünkü)\b`,
    '^\\s*(?:потому|да,|нет,|因为|是的|不是|有.{1,3}(?:处|个)不同|なぜなら|はい|いいえ|때문)',
  ),
}
