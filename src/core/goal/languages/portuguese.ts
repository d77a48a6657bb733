import { type Language, pattern, strong, words } from './grammar.ts'

export const portuguese: Language = {
  when: words(String.raw`\b(?:não|uma|que|para|com|dos|das|sem|só|apenas|como|por|você|na|em|da|nada)\b`),
  limits: [
    pattern(
      String.raw`\bnão (?:toque|toca|mexa|mexe|modifique|altere|mude|edite)\s+(?:em |no |na |nos |nas |o |a |os |as )?`,
      'after',
      'named',
      strong,
    ),
    pattern(
      String.raw`\bsem (?:tocar|mexer|modificar|alterar|mudar|editar)\s+(?:em |no |na |nos |nas |o |a |os |as )?`,
      'after',
      'named',
      strong,
    ),
    pattern(
      String.raw`\b(?:altere|mude|modifique|mexa|trabalhe) (?:só|somente|apenas) (?:em |no |na |o |a |os |as )?`,
      'after',
      'others',
    ),
    pattern(
      String.raw`\b(?:só|somente|apenas) (?:altere|mude|modifique|mexa em|mexa no|mexa na)\s+`,
      'after',
      'others',
    ),
    pattern(String.raw`\b(?:nada mais|nenhum outro arquivo|mais nada)\b`, 'context', 'others'),
  ],
  answerAlone: words(
    String.raw`\b(?:só|somente|apenas) (?:quero |queria |gostaria de )?(?:entender|saber|compreender|olhar)\b|\b(?:só|somente|apenas) (?:uma? )?(?:pergunta|explique|explica|resposta|responda|analise|opinião|me diga|plano)\b|\bnão (?:escreva|altere|mude|modifique|mexa|implemente|faça|crie) (?:nada|código|ainda|em nada)\b|\bsem (?:alterar|mudar|modificar|mexer em) nada\b`,
  ),
  asks: words(
    String.raw`^(?:e |mas |então |me |por favor,? |você )?(?:pode (?:me )?|poderia (?:me )?)?(?:o que|por que|porquê|como|onde|quando|quem|qual|quais|quanto|(?:existe|há|tem)\b[^?]{0,200}\?|explique|explica|descreva|mostre|diga|compare|analise|investigue|investiga|examine|liste)\b`,
  ),
  wishes: words(
    String.raw`\b(?:adicione|adiciona|corrija|corrige|modifique|crie|cria|escreva|remova|apague|renomeie|substitua|mova|melhore|implemente|arrume|atualize|mude|altere|faça|coloque|troque|troca|converta|extraia|quero que)\b`,
  ),
}
