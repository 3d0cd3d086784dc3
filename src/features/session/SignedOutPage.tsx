import type { ReactNode } from 'react'

import icon from '#src/ui/icon.svg?inline'
import classes from './SignedOutPage.module.css'

/** A page without navigation, for people who are not signed in. `title` is that of the window. */
export function SignedOutPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <title>{`${title} · Assay`}</title>
      <div className={classes.column}>
        <img src={icon} alt="" width={32} height={32} />
        {children}
      </div>
    </main>
  )
}
