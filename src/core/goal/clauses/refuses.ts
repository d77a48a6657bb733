import { CHANGING, CLOSED, OPEN_AGAIN, REFUSED_VERB, REFUSING, REMOVING, TOUCHING } from '../languages/refusing.ts'
import { type Word, wordsIn } from './clauses-of.ts'

export function isChanged({ text }: Word): boolean {
  return CHANGING.has(text)
}

/** Whether a clause closes something, whatever it is. */
export function isClosing(clause: string): boolean {
  if (CLOSED.test(clause) || REFUSED_VERB.test(clause)) return !OPEN_AGAIN.test(clause)
  const words = wordsIn(clause)
  const refuses = words.some(({ text }) => REFUSING.has(text))
  return refuses && words.some(({ text }) => CHANGING.has(text) || TOUCHING.has(text))
}

/** Whether a clause refuses to change or to remove something. */
export function refusesChange(clause: string): boolean {
  const words = wordsIn(clause)
  const isKept = words.some(({ text }) => REFUSING.has(text)) && words.some(({ text }) => REMOVING.has(text))
  return isKept || isClosing(clause)
}

export function isEmpty(word: string): boolean {
  return REFUSING.has(word) || TOUCHING.has(word) || CHANGING.has(word) || FILLING.has(word)
}

/** Words of a refusal that name nothing. */
export const FILLING = new Set(
  `please pls today now ever anything everything all of it so and also yet still either till then for the time being there in here on at to from by hand with be is are was i'd i’d i you we
  go going get let's any same near anywhere surtout va vas aller bitte heute auch erst noch mal dort hier hast du wird werden darf dürfen soll sollen muss müssen lässt lass lassen mit am an im vom von bleibt bleiben ist sind
  doit doivent être te toi con te metas per ora si va vanno sta stai da resta rimane por favor deixe deixa fica je me hem ze blijven moeten mogen laat aan af proszę na razie zostaw
  a want single byte line bit will möchte einzige einziges veux seule ligne quiero línea riga linha
  пока пожалуйста оставь оставьте в во лишь по на tockat lad`.split(/\s+/),
)
