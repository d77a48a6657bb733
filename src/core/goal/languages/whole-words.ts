import { Lexicon } from './refusing.ts'

/**
 * The words of a sentence that forbids and names nothing: "do not edit any files yet", "не трогай больше ничего". A clause
 * that is made of these alone speaks of the whole project, or of all that was not asked for.
 */

/** What an agent does to a project. */
export const DOING = new Lexicon(
  `change changes changed changing modify modifying modified modifies modification modifications edit edits editing edited alter altering touch touching touched write writing implement implementing implementation
  code coding fix fixing fixes build building make making apply applying create creating generate generating start starting begin proceed proceeding
  refactor refactoring rewrite rewriting update updating save delete deleting remove removing develop developing development perform do doing action adjust improve
  ändern ändere ändert änder änderung änderungen verändern verändere anfassen anzufassen bearbeiten bearbeite umsetzen umsetzung implementieren programmieren schreiben schreib schreibe anpassen anpassungen machen mach mache fixen beheben löschen anlegen loslegen anfangen fang fass fasse rühr vornehmen coden angefasst geändert
  modifier modifie modifiez modifies modification modifications toucher touche touchez touches changer change changez changement changements éditer édite écrire écris écrivez coder implémenter implémente corriger corrige appliquer applique faire fais faites supprimer supprime commencer commence
  modificar modifiques modifique modificaciones modificación cambiar cambies cambie cambios cambio toques toque tocar editar edites edite escribir escribas escriba implementar implementes corregir corrijas aplicar apliques hagas haga hacer borrar borres empezar empieces
  modificare modifica modificato modificata modificati modificate modifiche va vanno cambiare cambiate toccare tocca toccate scrivere scrivi implementare correggere correggi applicare fare fate iniziare editare
  modifique modifiques alterar altere altera alteres alterações alteração mudar mude mudes mudanças mexer mexa mexas editar edite escrever escreva implementar implemente corrigir corrija aplicar aplique fazer faça faças começar comece
  wijzig wijzigen wijziging wijzigingen gewijzigd verander veranderen aanpassen aanpassing aanpassingen pas raak aanraken schrijf schrijven implementeren implementeer doen maak maken bouwen beginnen begin bewerken bewerk
  zmieniaj zmieniać zmień zmieniajcie zmian zmiany modyfikuj modyfikować edytuj edytować ruszaj ruszać dotykaj pisz pisać implementuj implementować poprawiaj poprawiać rób robić twórz tworzyć usuwaj zaczynaj
  меняй* менять меня́й изменяй* изменять измени* изменений изменения редактир* трога* правь* правок править исправл* пиши* писать делай* делать реализ* удал* создавай* создавать начина* фикс* кодить кодируй* внос* вноси* добавля* переписыва*
  змінюй* змінювати змін чіпай* чіпати редаг* пиши* писати роби* робити виправля* реаліз* видаля* створюй* починай* вноси*
  ändra ändringar rör röra skriv skriva redigera gör göra implementera ta ændr ændre ændringer rør røre skriv redigere gør endre endringer
  dokunma* değiştirme* düzenleme* yazma* yapma* elleme* silme* ekleme* oluşturma* dokunmayın değişiklik değişiklikler yapma
  neměň* neměn* neupravuj* neupravov* nesahej* nepiš* nedělej* neimplementuj* změny`,
)

/** What stands for the project as a whole. */
export const ANY_FILE = new Lexicon(
  `file files anything nothing everything something stuff thing things project repo repository codebase folder folders directory
  datei dateien nichts etwas irgendetwas irgendwas was alles projekt repo
  fichier fichiers rien quoi soit tout projet dépôt
  archivo archivos fichero ficheros nada algo todo proyecto repositorio
  niente nulla qualcosa tutto progetto
  arquivo arquivos ficheiro ficheiros nada tudo projeto repositório
  bestand bestanden niets iets alles project
  plik pliki plików niczego nic czegokolwiek projekt projekcie
  файл* ничего ничто ничём проект* репозитор* нічого
  fil filer filerna filerne inget någonting ingenting intet noget projektet
  dosya* şey* proje* soubor* nic`,
)

/** What stands for its code. */
export const ANY_CODE = new Lexicon(
  'code coding implementation source sources quellcode código codigo codice kod kodu kodem код кода коде коду koda kode kodu development developing',
)

/** "Else", "other", "more": of all that was not asked for. */
export const OTHER_THINGS = new Lexicon(
  `else elsewhere other others rest remaining remainder more further additional extra unrelated
  sonst andere* anderes weitere* weiter rest restliche* übrige* mehr
  autre autres reste ailleurs plus d'autre d’autre
  otro otra otros otras más mas resto demás
  altro altra altri altre resto altrove più altrui
  outro outra outros outras mais resto restante*
  andere ander anders overige rest verder elders meer
  inny* inne* innego innych reszt* pozostał* więcej indziej
  друг* больше остальн* проч* ещё еще кроме інш* більше решт*
  andra annat övriga mer resten andet andre mere øvrige başka diğer* gerisi* kalan* fazla jiné* ostatní* dalšího další`,
)

/** What says when, how much or please, and names nothing. */
export const NAMES_NOTHING = new Lexicon(
  `want quiero queremos veux voudrais voglio quero wil chcę хочу möchte will
  please pls plz kindly yet now still first at all any a an the of in on to my our your this that these those for moment time being here so just only also and or but then
  actual actually single existing real yourself automatically directly right away immediately whatsoever stage point step today must should you we i be is are will shall let's lets us with there absolutely strictly ever even
  current part parts place places component components page pages module modules section sections area areas class classes feature features well alone untouched unchanged intact as is it leave keep stays stay remains remain same way they are
  bitte noch jetzt erst mal vorerst zunächst der die das den dem des ein eine einen am an im in und oder aber auch so du mir überhaupt direkt sofort davon daran hier dabei lass lasse bleibt bleiben wie ist sind es unverändert teile teil stellen selbst
  encore maintenant instant moment pour le la les l un une des de du d à au aux en et ou mais aussi que ce soit s il te vous plaît svp pas ne n y directement ici tu dans laisse laissez garde reste restent exactement intact intacts inchangé inchangés tel tels quel quels
  todavía aún ahora por favor momento el la los las un una de del en y o pero también que se me lo te nos aquí por deja queda quedan como está están exactamente igual intacto parte partes
  ancora ora per favore adesso il lo la i gli le un una di del dei in e o ma anche che si mi ti qui lascia resta restano come è sono esattamente invariato invariati
  ainda agora por favor enquanto momento o a os as um uma de do da dos das no na nos nas em e ou mas também que se me aqui deixe deixa fica ficam como está estão exatamente igual
  nog nu alsjeblieft eerst voorlopig de het een van in op en of maar ook dat je er aan hier laat blijft zoals is met rust
  jeszcze teraz proszę na razie w we z i lub ale też się mi tu tego ten tym żaden żadnych żadnego zostaw bez
  пока сейчас пожалуйста ещё еще сначала в во на и или но также мне тут здесь этом этот этого никак* это вообще самостоятельно сам совсем оставь как есть
  поки зараз будь ласка ще спочатку в у на і або але також мені тут цьому жодн*
  än ännu nu inte tack bara i på den det de av och eller men också några endnu lige venligst ikke nogen
  şimdilik henüz şu an lütfen bu ve veya ama hiçbir bir da de şimdi olduğu gibi bırak kalsın
  jen zatím teď prosím ještě v na a nebo ale`,
)
