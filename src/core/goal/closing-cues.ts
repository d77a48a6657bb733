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
    'если (?:хотите|нужно|захотите)|якщо хочете|如果(?:你|您)?(?:需要|想)|必要(?:であれば|なら)|원하시면|필요하시면',
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
}
