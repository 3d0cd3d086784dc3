import { Button, Popover } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import { useState } from 'react'

import { analyticsTables } from '#contract/sql-tables.ts'
import classes from './QueryPage.module.css'
import { shortType } from '#src/features/insights/result/result-columns.ts'
import mutedText from '#src/ui/muted-text.module.css'

/** The tables and their columns with descriptions; a click inserts a name into the query. */
export function SchemaHelp({ onInsert }: { onInsert: (name: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width="min(480px, 100vw - 24px)" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconTable size={14} aria-hidden />}
          onClick={() => setOpen((was) => !was)}
        >
          Tables
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <div className={classes.schema}>
          {analyticsTables.map(({ name, says, columns }, place) => (
            <details key={name} open={place === 0}>
              <summary>
                <code>{name}</code> <span className={mutedText.note}>{says}</span>
              </summary>
              <ul className={classes.columns} aria-label={`Columns of ${name}`}>
                {columns.map((column) => (
                  <li key={column.name}>
                    <button
                      type="button"
                      className={classes.past}
                      title={column.type}
                      onClick={() => {
                        setOpen(false)
                        onInsert(column.name)
                      }}
                    >
                      <code>{column.name}</code>{' '}
                      <span className={mutedText.note}>
                        {shortType(column.type)} · {column.says}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
