import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Question } from '#protocol/workflow/questions.ts'
import { CHOOSE_OPTION, isOnPage, useKeys } from '../shell/keys.ts'
import { plural } from '../ui/format.ts'
import { Button, Path } from '../ui/small.tsx'
import { useStored } from '../ui/stored.ts'
import { toast } from '../ui/toasts.ts'
import {
  type AnswerDraft,
  answersOf,
  categoryWords,
  contextWords,
  firstDraft,
  isAnswered,
  OTHER,
  sendLabel,
} from './derive-answers.ts'
import { linkToStep } from './linked-step.ts'
import type { FeatureAction } from './use-feature.ts'

/** So many forms are in the page at once. */
const PAGE = 50

type Drafts = Record<string, AnswerDraft>
const NONE: Drafts = {}

interface Props {
  questions: Question[]
  held: number
  sessionId: string
  run: FeatureAction
  /** Where their feature is shown, if that is not here. */
  featureAddress?: string
  /** Stands in the row of the button. */
  beside?: React.ReactNode
  children?: React.ReactNode
}

/** The questions that can be answered now, answered together. Keys: up and down choose a question, a number its option. */
export function Questions({ questions, held, sessionId, run, featureAddress, beside, children }: Props) {
  const [drafts, setDrafts] = useStored<Drafts>(`grove.draft.answers.${sessionId}`, NONE)
  const [at, setAt] = useState(0)
  const [isSending, setSending] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const [most, setMost] = useState(PAGE)
  const draftOf = (question: Question) => drafts[question.id] ?? firstDraft(question)
  const set = (question: Question, draft: Partial<AnswerDraft>) =>
    setDrafts({ ...ofThese(drafts, questions), [question.id]: { ...draftOf(question), ...draft } })
  const missing = questions.filter((question) => !isAnswered(question, draftOf(question)))
  const answers = answersOf(questions, drafts)
  const unread = useUnread(list, questions, most)
  const current = questions[Math.min(at, questions.length - 1)]

  /** Past the first and the last question the key is the page's: it leads to what else waits. */
  const move = (step: number) => {
    const next = at + step
    if (next < 0 || next >= questions.length) return false
    setAt(next)
    if (next >= most) setMost(most + PAGE)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const choose = (number: number) => {
    if (!current || current.questionType === 'text') return
    const option = optionsOf(current)[number - 1]
    if (!option) return
    if (current.questionType !== 'multiple_choice') return set(current, { value: option.value })
    const before = [draftOf(current).value].flat().filter((value) => value !== '')
    set(current, {
      value: before.includes(option.value)
        ? before.filter((value) => value !== option.value)
        : [...before, option.value],
    })
  }
  /** Where there is no field yet, the button that makes one is pressed; the field takes the focus when it is there. */
  const elaborate = () => {
    const form = list.current?.children[Math.min(at, questions.length - 1)]
    form?.querySelector<HTMLElement>('.own-words')?.click()
    form?.querySelector('textarea')?.focus()
  }
  const send = async () => {
    if (missing.length > 0 || answers.length === 0 || isSending) return
    setSending(true)
    const done = await run(
      'sessionQuestions',
      'answer',
      { answers },
      { label: sendLabel(answers.length, questions[0]?.stage) },
    )
    setSending(false)
    // What waits for the connection stays in sight as it was answered.
    if (done !== 'done') return
    setDrafts(undefined)
    toast({ tone: 'go', text: 'Sent. Claude goes on.' })
  }
  useKeys('Questions', {
    j: ['next question', () => move(1)],
    k: ['previous question', () => move(-1)],
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [
        String(index + 1),
        [index === 0 ? CHOOSE_OPTION : `option ${index + 1}`, () => choose(index + 1)],
      ]),
    ),
    e: ['answer in your own words', () => elaborate()],
    Enter: ['take the recommended answers', (event) => isOnPage(event) && void send()],
    'mod+Enter': ['send the answers', () => void send()],
  })
  return (
    <>
      <div className="band-body" tabIndex={0}>
        <div ref={list}>
          {questions.slice(0, most).map((question, index) => (
            <QuestionForm
              key={question.id}
              question={question}
              featureAddress={featureAddress}
              draft={draftOf(question)}
              isCurrent={index === at && questions.length > 1}
              isAlone={questions.length === 1}
              onFocus={() => setAt(index)}
              onChange={(draft) => set(question, draft)}
            />
          ))}
        </div>
        {questions.length > most && (
          <Button look="quiet" onClick={() => setMost(most + PAGE)}>
            Show {plural(Math.min(PAGE, questions.length - most), 'more question')}
          </Button>
        )}
        {held > 0 && (
          <p className="small faint">
            {held === 1 ? 'One more question comes' : `${held} more questions come`} after{' '}
            {questions.length === 1 ? 'this one' : 'these'}, by priority.
          </p>
        )}
        {children}
      </div>
      <div className="band-foot">
        <Button
          look="primary"
          className="grow"
          disabled={missing.length > 0 || isSending}
          onClick={() => void send()}
          keys="Ctrl Enter"
        >
          {sendLabel(answers.length, questions[0]?.stage)}
        </Button>
        {beside}
        <p className="small faint" style={{ flexBasis: '100%' }}>
          {missing.length > 0
            ? `Answer ${missing.length === 1 ? `“${missing[0]!.questionText.slice(0, 60)}”` : `${missing.length} more`} first.`
            : unread > 0
              ? `${plural(unread, 'more question')} below: what is chosen there is sent too.`
              : 'Claude continues with your answers. Sending them changes nothing in the repository.'}
        </p>
      </div>
    </>
  )
}

/** What lies under the button, where that stays at the bottom of the window, is not in sight. */
const UNDER_BUTTON = { rootMargin: '0px 0px -96px 0px' }

/** How many of several were not in sight yet: what is recommended is chosen there, and would be sent unread. */
function useUnread(list: React.RefObject<HTMLElement | null>, questions: Question[], most: number): number {
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const ids = questions.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other forms are in the page then
  useEffect(() => {
    const watched = new Map(
      [...(list.current?.children ?? [])].map((form, index) => [form.querySelector('.title'), index]),
    )
    const observer = new IntersectionObserver((entries) => {
      const seen = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => watched.get(target)!)
      if (seen.length > 0) setRead((before) => new Set([...before, ...seen.map((index) => questions[index]!.id)]))
    }, UNDER_BUTTON)
    for (const words of watched.keys()) if (words) observer.observe(words)
    return () => observer.disconnect()
  }, [ids, most])
  return questions.length > 1 ? questions.filter(({ id }) => !read.has(id)).length : 0
}

/** Without what was said about questions that are answered by now. */
function ofThese(drafts: Drafts, questions: Question[]): Drafts {
  return Object.fromEntries(Object.entries(drafts).filter(([id]) => questions.some((question) => question.id === id)))
}

interface FormProps {
  question: Question
  draft: AnswerDraft
  isCurrent: boolean
  /** Nothing else is asked: in the inbox its words stand above already. */
  isAlone?: boolean
  featureAddress?: string | undefined
  onFocus(): void
  onChange(draft: Partial<AnswerDraft>): void
}

export function QuestionForm({
  question,
  draft,
  isCurrent,
  isAlone = false,
  featureAddress,
  onFocus,
  onChange,
}: FormProps) {
  const { questionType, questionText, context, priority, category, file, line, isRequired, stepId, immediate } =
    question
  const [hasRemark, setRemark] = useState(draft.text !== '')
  const field = useRef<HTMLTextAreaElement>(null)
  const isOther = draft.value === OTHER
  const wasOpen = useRef(hasRemark)
  useEffect(() => {
    if (isOther || hasRemark !== wasOpen.current) field.current?.focus()
    wasOpen.current = hasRemark
  }, [isOther, hasRemark])
  return (
    <fieldset
      className={isCurrent ? 'question current' : 'question'}
      aria-labelledby={`q-${question.id}`}
      onFocus={onFocus}
    >
      <p className="facts">
        <span className={priority === 1 ? 'tag wait' : 'tag'}>P{priority}</span>
        {immediate && <span className={isAlone ? 'tag wait repeated' : 'tag wait'}>blocker</span>}
        {category !== 'blocker' && <span>{categoryWords(category)}</span>}
        {stepId && <Link href={linkToStep(stepId, featureAddress)}>step {stepId}</Link>}
        {file && <Path path={line ? `${file}:${line}` : file} />}
        {!isRequired && <span>optional</span>}
        {questionType !== 'text' && !hasRemark && !isOther && (
          <button type="button" className="link end own-words" onClick={() => setRemark(true)}>
            Add a comment
          </button>
        )}
      </p>
      <p className={isAlone ? 'title repeated' : 'title'} id={`q-${question.id}`}>
        {questionText}
      </p>
      {context && <p className="context text">{contextWords(question)}</p>}
      {questionType !== 'text' && <Options question={question} draft={draft} onChange={onChange} />}
      {(questionType === 'text' || hasRemark || isOther) && (
        <textarea
          ref={field}
          className="input"
          aria-label={questionType === 'text' ? questionText : `In your own words: ${questionText}`}
          placeholder={
            questionType === 'text' ? 'Your answer' : isOther ? 'What instead?' : 'A remark beside the choice'
          }
          rows={questionType === 'text' ? 3 : 2}
          value={draft.text}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      )}
    </fieldset>
  )
}

function Options({ question, draft, onChange }: Pick<FormProps, 'question' | 'draft' | 'onChange'>) {
  const isMany = question.questionType === 'multiple_choice'
  const chosen = [draft.value].flat()
  return (
    <div className="options">
      {optionsOf(question).map(({ value, label, description, recommended }, index) => {
        const isChosen = chosen.includes(value)
        const toggle = () =>
          onChange({
            value: isMany
              ? isChosen
                ? chosen.filter((one) => one !== value)
                : [...chosen.filter((one) => one !== ''), value]
              : value,
          })
        return (
          <label className="option" key={value}>
            <input type={isMany ? 'checkbox' : 'radio'} name={question.id} checked={isChosen} onChange={toggle} />
            <span className="text">
              {label} {recommended && <span className="recommended">recommended</span>}
            </span>
            {index < 9 && <kbd>{index + 1}</kbd>}
            {description && <span className="about text">{description}</span>}
          </label>
        )
      })}
    </div>
  )
}

/** The options of a question as they are shown: a confirmation has yes and no, a single choice also something else. */
export function optionsOf({ questionType, options }: Question): Question['options'] {
  if (questionType === 'confirmation' && options.length === 0) {
    return [
      { value: 'yes', label: 'Yes', description: '', recommended: false },
      { value: 'no', label: 'No', description: '', recommended: false },
    ]
  }
  if (questionType === 'single_choice')
    return [...options, { value: OTHER, label: 'Something else', description: '', recommended: false }]
  return options
}
