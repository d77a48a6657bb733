import { Dialog } from '../ui/dialog.tsx'
import { groupBy } from '../ui/group.ts'
import { useStore } from '../ui/store.ts'
import { bindings } from './keys.ts'

/** Every key that does something here and now. */
export default function CheatSheet({ onClose }: { onClose(): void }) {
  const all = useStore(bindings)
  const latest = new Map(all.map((binding) => [binding.keys, binding]))
  const groups = groupBy([...latest.values()], ({ group }) => group)
  return (
    <Dialog title="Keys" onClose={onClose} wide>
      <div className="sheet-columns">
        {[...groups].map(([group, list]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className="pairs keys">
              {list.map(({ keys, label }) => (
                <div key={keys}>
                  <dt>
                    {keys.split(' ').map((key) => (
                      <kbd key={key}>{key.replace('mod+', 'Ctrl ')}</kbd>
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
