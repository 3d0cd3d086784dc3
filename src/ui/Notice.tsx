import { CloseButton } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './Notice.module.css'

/** Useful information that is not an error. */
export function Notice({ title, children, onClose }: { title: string; children?: ReactNode; onClose?: () => void }) {
  return (
    <section aria-label={title} className={classes.notice}>
      <IconInfoCircle size={16} className={classes.icon} aria-hidden />
      <div className={classes.text}>
        <strong>{title}</strong> {children}
      </div>
      {onClose && <CloseButton size="sm" aria-label="Dismiss" onClick={onClose} />}
    </section>
  )
}
