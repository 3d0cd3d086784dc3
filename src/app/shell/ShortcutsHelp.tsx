import { Kbd } from '@mantine/core'

import { type Shortcut, shortcuts } from '#src/ui/shortcuts/registry.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import classes from './ShortcutsHelp.module.css'

const groups = Object.entries(Object.groupBy(Object.values<Shortcut>(shortcuts), ({ group }) => group))

export function ShortcutsHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title="Keyboard shortcuts" size="md">
      {groups.map(([group, members]) => (
        <section key={group} className={classes.group}>
          <h2 className={classes.title}>{group}</h2>
          <dl className={classes.list}>
            {members?.map(({ keys, does }) => (
              <div key={keys} className={classes.row}>
                <dt>{does}</dt>
                <dd className={classes.keys}>
                  {keys.split(/[ +]/).map((key) => (
                    <Kbd key={key} size="xs">
                      {key === 'mod' ? 'Ctrl / ⌘' : key}
                    </Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
