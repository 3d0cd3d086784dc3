import type { ReactNode } from 'react'

import { Notice } from '#src/ui/Notice.tsx'
import classes from './publishing.module.css'

type Props = { title: string; warnings: readonly string[]; children?: ReactNode }

/** What to check before a page becomes public; nothing without warnings. */
export const Warnings = ({ title, warnings, children }: Props) =>
  warnings.length > 0 && (
    <Notice title={title}>
      <ul className={classes.warnings}>
        {warnings.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {children}
    </Notice>
  )
