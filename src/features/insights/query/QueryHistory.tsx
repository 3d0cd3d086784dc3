import { Button, Popover } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'

import { currentOrganizationId } from '#src/api/organization.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { type HistoryEntry, readHistory } from './query-history.ts'
import classes from './QueryPage.module.css'

type Props = { userId: string; onChoose: (sql: string) => void }

/** Loads an earlier query into the editor without running it. */
export function QueryHistory({ userId, onChoose }: Props) {
  const [entries, setEntries] = useState<HistoryEntry[] | null>(null)
  return (
    <Popover
      opened={entries !== null}
      onChange={(isOpen) => !isOpen && setEntries(null)}
      position="bottom-end"
      width="min(420px, 100vw - 24px)"
      trapFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconHistory size={14} aria-hidden />}
          onClick={() => setEntries(entries ? null : readHistory(currentOrganizationId() ?? '', userId))}
        >
          History
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        {entries?.length === 0 && <p className={mutedText.note}>No query history in this browser.</p>}
        <ul className={classes.history} aria-label="Recent queries">
          {entries?.map((entry) => (
            <li key={entry.at}>
              <button
                type="button"
                className={classes.past}
                onClick={() => {
                  setEntries(null)
                  onChoose(entry.sql)
                }}
              >
                <code>{entry.sql}</code>
                <span className={mutedText.note}>
                  {entry.run ?? entry.experiment ?? 'the whole organization'} · <RelativeTime at={entry.at} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
