import { Button } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

import classes from './Dependencies.module.css'

/** Terminal commands with a copy button. */
export function CommandBlock({ label, text }: { label: string; text: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <div className={classes.block}>
      <pre className={classes.text} aria-label={label}>
        {text}
      </pre>
      <Button variant="default" size="compact-xs" onClick={() => clipboard.copy(text)}>
        {clipboard.copied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
