import { TO_EXPLAIN } from './question-words.ts'

export const WISHED =
  /\b(?:can|could|would|will)\s+(?:you|u|we)\b|\b(?:can|could)\s+the\b|\bany chance\b|\bwould you mind\b|\bthink we could\b|\bwhy don['’]?t (?:we|you)\b/i

/** "Is it possible to sort by date?", "can the header stay in view?", 「選択できますか」: a change may well be meant. */
const PERHAPS_WISHED =
  /\b(?:is|was|would|might|will) (?:it|there) (?:also |maybe |perhaps |be )*(?:possible|feasible|ok(?:ay)?|an? (?:easy |good |simple )?(?:way|option|chance)|any (?:way|chance|option)) (?:to|of|for|that|we|you|if)\b|(?<!\p{L})(?:(?:est-il|serait-il|c['’]est|ce serait) possible (?:de|d['’]|que)|(?:ist|wäre) es (?:nicht )?möglich|(?:es|sería|seria|è|sarebbe|é) (?:possível|possibile|posible) (?:que|che|de|d[io]|\p{L}+[aei]r)|(?:is|zou) het mogelijk|czy (?:można|da się|dałoby się)|(?:а )?можно (?:ли |бы )?чтобы|чи можна|går det att|mümkün mü)(?!\p{L})|(?:でき|出来)(?:ます|る|ません|ない)(?:でしょう)?か|(?:할|될) 수 (?:있|없)(?:나요|을까요|어요|니)/iu

/** A request in the form of a question, or one that may well be meant: no reader may close anything for it. */
export function isPoliteRequest(sentence: string): boolean {
  return (
    WISHED.test(sentence) || PERHAPS_WISHED.test(sentence) || (REQUESTED.test(sentence) && !TO_EXPLAIN.test(sentence))
  )
}

/** A plan is words, unless it is to be written into a file. */
export const WANTS_PLAN =
  /^(?:(?:please|pls|so|and|ok|now|just|also|then|hey|hi|first|can you|could you|bitte|por favor|per favore)[, ]+){0,3}(?:(?:create|make|write|draft|prepare|come up with|sketch|propose|work out|put together|generate|give|devise)(?: up| out)?(?: me| us)? (?:an? |the |your )?(?:[\w-]+ ){0,3}(?:plan|proposal|roadmap)|(?:mach|erstell|schreib|entwirf|erarbeite|gib|skizzier|entwickle)\p{L}{0,2} (?:mir |uns |bitte |mal )*eine?n? (?:\p{L}+ )?\p{L}*plan|(?:fais|faites|prépare[zr]?|propose[zr]?|établis|donne[zr]?|rédige[zr]?|génère[zr]?|crée[zr]?|élabore[zr]?)(?:[- ]moi|[- ]nous)? un (?:\p{L}+ )?plan|(?:haz|has|genera|crea|prepara|da|propón|elabora|escribe)(?:me|nos)? un (?:\p{L}+ )?plan|(?:fai|fa|prepara|crea|genera|proponi|scrivi|da)(?:m?mi)? un (?:\p{L}+ )?piano|(?:me )?(?:fa[çz]a?|crie|cria|prepare|prepara|gere|gera|monte|monta|elabore|dê|proponha)(?: me)? um (?:\p{L}+ )?plano|(?:maak|schrijf|geef|bedenk)(?: me| mij)? een (?:\p{L}+ )?\p{L}*plan|(?:zrób|przygotuj|napisz|stwórz|zaproponuj)(?: mi)? plan|(?:составь|напиши|сделай|подготовь|предложи|дай|придумай|распиши|склади|напиши|зроби)(?:те)? (?:мне |мені )?(?:\p{L}+ )?план)(?!\p{L})(?! (?:page|model|class|table|entity|field|type|tier|mode)\b)|^(?:请|先|帮我|给我){0,3}(?:给我|制定|写|出|做|列|拟|设计)(?:出|一)?(?:个|份|下)?[^，。,]{0,14}(?:计划|方案|规划)(?:$|[，。,！!])|(?:計画|プラン|方針)を(?:立て|考え|提案|出し)|계획(?:을|를)? (?:세워|짜|작성해)/iu

/** "Kannst du …?", "peux-tu …?": a request in the form of a question. */
export const REQUESTED =
  /(?<!\p{L})(?:könnten wir|können wir|pourrait-on|pourrions-nous|podríamos|podemos|possiamo|potremmo|poderíamos|kunnen we|możemy|можем|kannst du|könntest du|können sie|könnten sie|kun je|kunt u|kan je|zou je|peux-tu|tu peux|pouvez-vous|vous pouvez|pourrais-tu|pourriez-vous|puedes|podrías|podrias|puede|podés|puoi|potresti|può|pode|poderia|consegue|możesz|mógłbyś|можешь|можете|мог бы|могли бы|можеш|kan du|kunne du|můžeš|mohl bys)(?!\p{L})|(?:주|줄|주실) 수 (?:있|없)|주시겠|(?:もらえ|いただけ|くれ)(?:ます|ません|ない|る)|\b(?:misin|mısın|musun|müsün)\b|(?:可以|能不能|能否|可不可以|可否|能)(?!.{0,4}(?:解释|说明|介绍|告诉|看出|讲)).{1,60}吗?[？?]?$/iu
