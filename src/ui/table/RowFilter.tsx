import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'

import { counted } from '#src/format/numbers.ts'
import { PageOnly } from '#src/ui/PageOnly.tsx'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './RowFilter.module.css'

type Props = { label: string; value: string; onChange: (value: string) => void; matching: number; total: number }

/** A table of this many rows is read at a glance; a longer one can be filtered. */
const filteredFrom = 11

/** Searches the rows of a table that are already on the page. `/` focuses the first search of a page. */
export function RowFilter({ label, value, onChange, matching, total }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useShortcut('search', () => {
    if (!input.current || document.querySelector('main input[type="search"]') !== input.current) return false
    input.current.select()
  })
  if (total < filteredFrom) return null
  return (
    <PageOnly>
      <div className={classes.filter}>
        <TextInput
          ref={input}
          type="search"
          size="xs"
          w={240}
          aria-label={`Filter ${label}`}
          placeholder="Filter rows"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
          leftSection={<IconSearch size={14} aria-hidden />}
        />
        <span className={mutedText.small} aria-live="polite">
          {value.trim() !== '' && `${matching} of ${counted(total, 'row')}`}
        </span>
      </div>
    </PageOnly>
  )
}
