/** Words that say that a part of the program is meant, and not one of its qualities. */
export const PARTS = new Set(
  `file files folder folders directory directories dir dirs module modules package packages class classes component components
  service services controller controllers model models view views template templates role roles page pages screen screens store
  stores helper helpers middleware route routes router script scripts job jobs worker workers lib library libraries project
  projects app apps crate crates plugin plugins function functions functionality notebook notebooks inventory inventories
  handler handlers hook hooks provider providers repository repositories migration endpoint endpoints entity entities dto dtos
  layer section sections asset assets code source sources implementation fixtures fixture testdata playbook playbooks
  datei dateien ordner modul klasse verzeichnis komponente fichier fichiers dossier classe archivo archivos carpeta fichero
  ficheros cartella arquivo arquivos pasta bestand bestanden map plik pliki pliku plików katalog moduł
  файл файлы файла файле файлов папка папку папки папке модуль класс сервис сервисы контроллер контроллеры 文件 文件夹 目录 模块 组件 ファイル フォルダ モジュール 파일 폴더 모듈`.split(
    /\s+/,
  ),
)

/** Words of a phrase that name nothing. */
export const PLAIN = new Set(
  `always dados datos données monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag lundi mardi mercredi jeudi vendredi lunes martes miércoles jueves viernes lunedì martedì mercoledì giovedì venerdì segunda terça quarta quinta sexta maandag dinsdag woensdag donderdag vrijdag mehr dafür dazu
  modułu modułem modułów pakiet pakietu modulu modulen moduls modülü modülüne dosya dosyalar dosyası dosyasına dosyaları dosyalarına klasörü klasörüne папкою модулю пакет пакета ficheiro ficheiros
  run runs running unit modul moduls módulo modulo módulos moduli moduł модуль модули модуля модулі klasse klassen verzeichnis like similar including namely such definition definitions definitionen définitions definiciones definizioni definições setup selbst même mêmes mismo mismos stesso stessi mesmo mesmos zelf сам сами the a an any all of in on at to from for with by into under inside within outside my our your their its his her this that these those
  there here existing old older new neue neuen neuer neues nouveau nouveaux nouvelle nouvelles nuevo nueva nuevos nuevas nuovo nuova nuovi nuove novo nova novos novas nieuw nieuwe nowe nowych новые новых sigue siguen siendo continua continuano continuam rester bestehende bestehenden bestehend alte alten existantes existants existant anciennes existentes existente antiguas antiguos antigas antigos esistenti vecchie bestaande oude istniejące stare старые существующие старі existující befintliga whole entire current actual own other others else same rest file files folder folders directory directories
  dir module package library libraries class classes component components widget widgets artefact artefacts artifact artifacts code source sources stuff thing things one ones itself themselves yourself part parts side layer and or nor
  please but so then just only also aber dabei jedoch auch maar mais aussi pero también ma anche mas também ook ale też но а также either both each every is are was were be been it them they he she you we i me us which where what
  change changes edit edits modification modifications implementation production existing related parent root main such
  datei dateien ordner code die der das den dem des ein eine einen und oder im in an am von zu zum zur bitte alle mein meine
  le la les l un une des du de d à au aux autre autres et ou dans fichier fichiers dossier el los las una uno y o del al en archivo archivos carpeta
  il lo gli i nei nel nella nello della delle dei degli file cartella e o os as um uma no na nos nas do da dos das arquivo arquivos pasta
  het een de van het map bestand bestanden w na i lub plik pliki pliku plików katalog katalogu folder
  и в на из с к по или файл файлы файла файле файлов папка папку папки папке 文件 文件夹 目录 里 的 中 ファイル フォルダ の で が を に は も と へ 파일 폴더
  have has had having been being do does did done will would shall should can could may might must need needs get gets got than as if when while because since until till
  not no never nothing none nobody don dont doesn isn aren won ok okay fine see look stay stays remain remains leave left keep keeps untouched unchanged alone still yet already again ever now today
  tomorrow instant moment пока пожалуйста лучше сейчас потом позже наразі зараз ahora todavía aún encore maintenant ora adesso ainda agora nu nog teraz jeszcze vorerst momentan nochmal explique explain later first next last more most less much many some few very too really quite even there then thus therefore however anyway somebody someone anybody anyone everybody everyone who whom whose why how
  about after before during between through over up down out off away back around near once only single line lines word words bit
  ist sind war waren wird werden wurde hat haben hatte sein bin es er sie wir ich du ihr man nicht nichts kein keine noch schon nur bleibt bleiben gehört gehören macht machen mache gemacht darf dürfen soll sollen muss kann können da dort hier jetzt heute wie so als wenn weil dass mit für auf aus bei nach über unter vor bis
  est sont était être a ont avoir fait font il elle ils elles on je tu nous vous ce cet cette ces se ne pas plus rien y en qui que quoi par pour avec sans sur sous chez tout tous toute toutes reste restent appartient appartiennent doit doivent va vont
  es son está están era fue ser estar ha han hay se lo le les no nada ya más muy que quien por para con sin sobre todo toda todos todas queda quedan pertenece pertenecen debe deben va van hace hacen
  è sono era stato essere sta stanno ha hanno c si lo li le ne non niente nulla più che chi per con senza su sotto tutto tutta tutti tutte resta restano rimane appartiene appartengono deve devono va vanno fa fanno da
  é são está estão foi ser estar tem têm há se não nada já mais que quem por para com sem sobre tudo todo toda todos todas fica ficam pertence pertencem deve devem vai vão faz fazem
  zijn was waren wordt worden heeft hebben ben er niet niets geen nog al meer die dat deze dit wie wat voor met zonder op onder over bij naar alles blijft blijven hoort horen moet moeten mag mogen gaat doet doen aan af
  jest są był była było być ma mają nie nic już jeszcze więcej ten ta to te tych tego co kto dla z bez od do po pod nad przy przez wszystko zostaje należy należą musi może robi
  это этот эта эти тот та те есть был была было были быть не ничего уже ещё еще больше кто что для без от до над под при через всё все весь остаётся остается принадлежит принадлежат должен должна может делает ведёт туда там тут здесь их его её него
  це цей ця ці є був була було бути нічого вже ще більше хто що для без від над під при через усе все належить належать може робить туди там тут їх його її
  är var vara har inte inget redan än mer som för med utan på under över till allt blir hör ska kan gör den det de dem detta ligger sköts
  er var være har ikke intet allerede mere som for med uden på til alt bliver hører skal kan gør den det de dem
  je jsou byl být má není nic už ještě více kdo co pro bez od do na v všechno patří musí může to ten ta
  bir bu şu o ve ile için değil var yok oraya orada burada ekip ekibin başka her şey olan`.split(/\s+/),
)

/** Qualities of a program: to keep one of these is manner, not a place that is closed. */
export const QUALITIES = new Set(
  `behavior behaviour behaviors behaviours api apis interface interfaces signature signatures logic semantics functionality output outputs
  format formats name names naming default defaults value values order ordering look feel appearance meaning text wording content
  version versions type types size color colour colors design architecture structure strategy traceability contract contracts
  performance style visible public usage workflow flow process result results state data rules rule feature features theme themes
  mode horizontal vertical anything everything nothing way terminology position animation verhalten ausgabe schnittstelle logik comportement
  comportamiento comportamento gedrag zachowanie поведение логику логика 逻辑 行为 功能 動作 挙動 동작 기능`.split(
    /\s+/,
  ),
)
