import { Button, CloseButton } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'

import { exactValue, type GridColumn } from './result-columns.ts'
import classes from './ResultGrid.module.css'

type Props = { column: GridColumn; value: unknown; onClose: () => void }

/** The full content of the selected cell, because the grid shortens long texts and long fractions. */
export function CellBar({ column: { name, type }, value, onClose }: Props) {
  const clipboard = useClipboard({ timeout: 1500 })
  const text = exactValue(value)
  return (
    <section className={classes.cellBar} aria-label="Cell">
      <div className={classes.cellHead}>
        <span>
          {name} <span className={classes.type}>{type}</span>
        </span>
        <Button size="compact-xs" variant="subtle" onClick={() => clipboard.copy(text)}>
          {clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
        <CloseButton size="xs" aria-label="Close cell" onClick={onClose} />
      </div>
      <output className={classes.whole} data-unpublished="">
        {value === null || value === undefined ? 'null' : text}
      </output>
    </section>
  )
}
