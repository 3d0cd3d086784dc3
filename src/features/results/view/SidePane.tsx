import { CloseButton } from '@mantine/core'
import type { ReactNode } from 'react'

import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { closedPane } from './results-parameters.ts'
import classes from './SidePane.module.css'

type Props = { label: string; title: string; subtitle?: ReactNode; children: ReactNode }

/** The runs of a selection, beside the chart or, on narrow screens, over its lower part. */
export function SidePane({ label, title, subtitle, children }: Props) {
  const url = useQueryState()
  const close = () => url.push(closedPane)
  // A dialog over the page closes first.
  useShortcut('closePane', () => (document.querySelector('[role="dialog"]') ? false : close()))
  return (
    <div className={classes.room}>
      <aside className={classes.pane} aria-label={label}>
        <header className={classes.header}>
          <div className={classes.names}>
            <h2 className={classes.test}>{title}</h2>
            {subtitle && <p className={classes.group}>{subtitle}</p>}
          </div>
          <CloseButton aria-label="Close" onClick={close} />
        </header>
        {children}
      </aside>
    </div>
  )
}
