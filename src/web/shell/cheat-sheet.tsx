import { Dialog } from '../ui/dialog.tsx'
import { groupBy } from '../ui/group.ts'
import { MOD } from '../ui/mod-key.ts'
import { useStore } from '../ui/store.ts'
import { bindings, CHOOSE_OPTION } from './keys.ts'

const SIGNS: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→' }

function signOf(key: string, label: string): string {
  if (label === CHOOSE_OPTION) return '1–9'
  return (
    SIGNS[key] ?? key.replace(/^mod\+(.)/, (_, letter) => `${MOD} ${letter.toUpperCase()}`).replace('Shift+', 'Shift ')
  )
}

/** Every key that does something here and now. */
export function CheatSheet({ onClose }: { onClose(): void }) {
  const all = useStore(bindings)
  const latest = new Map(all.map((binding) => [binding.keys, binding]))
  // The keys for the options of a question are one line.
  const told = [...latest.values()].filter(({ label }) => !/^option \d$/.test(label))
  const groups = groupBy(told, ({ group }) => group)
  return (
    <Dialog title="Keys" onClose={onClose} wide>
      <div className="sheet-columns">
        {[...groups].map(([group, list]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className="pairs keys">
              {[...groupBy(list, ({ label }) => label)].map(([label, same]) => (
                <div key={label}>
                  <dt>
                    {same
                      .flatMap(({ keys }) => keys.split(' '))
                      .map((key) => (
                        <kbd key={key}>{signOf(key, label)}</kbd>
                      ))}
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
