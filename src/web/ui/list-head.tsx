import { Icon } from './icon.tsx'

interface Props {
  title: string
  about: string
  /** Beside the title. */
  actions?: React.ReactNode
  search?:
    | {
        label: string
        placeholder: string
        value: string
        field: React.RefObject<HTMLInputElement | null>
        onChange(text: string): void
      }
    | undefined
  /** Beside the field: filters, order, counts. */
  children?: React.ReactNode
}

/** The head of a list that can be searched and filtered. */
export function ListHead({ title, about, actions, search, children }: Props) {
  return (
    <>
      <header className="page-head">
        <div className="grow">
          <h1>{title}</h1>
          <p className="about">{about || '\u00a0'}</p>
        </div>
        {actions}
      </header>
      {(search || children) && (
        <div className="tools">
          {search && <SearchField {...search} />}
          {children}
        </div>
      )}
    </>
  )
}

export function SearchField({ label, placeholder, value, field, onChange }: NonNullable<Props['search']>) {
  return (
    <div className="search">
      <Icon name="search" />
      <input
        ref={field}
        className="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        // It stands in the address, which has an end: of a log that is pasted here the beginning is searched for.
        maxLength={400}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        // The first Escape empties it, as browsers do; the next gives the keys back to the list.
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && value === '' && currentTarget.blur()}
      />
      <kbd>/</kbd>
    </div>
  )
}
