import { ActionIcon, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'

import { count } from '#src/format/numbers.ts'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { maxMatches } from './transcript-find.ts'
import type { Find } from './use-find.ts'
import classes from './TranscriptPane.module.css'

type Props = {
  search: string
  onSearch: (search: string) => void
  /** One search per transcript on the page; every step applies to all of them. */
  finds: readonly Find[]
}

/** Searches the transcript: Enter goes to the next match, Shift+Enter to the previous one, Escape leaves. */
export function FindBar({ search, onSearch, finds }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useShortcut('search', () => input.current?.select())
  const go = (by: 1 | -1) => {
    for (const find of finds) find.go(by)
  }
  return (
    <div className={classes.find}>
      <TextInput
        ref={input}
        type="search"
        size="xs"
        className={classes.findInput}
        aria-label="Find in the transcript"
        placeholder="Find"
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') input.current?.blur()
        }}
        leftSection={<IconSearch size={14} aria-hidden />}
      />
      {search.trim() !== '' && (
        <>
          <output className={classes.found}>{finds.map(describe).join(' | ')}</output>
          <Step label="Previous match" Icon={IconChevronUp} onClick={() => go(-1)} />
          <Step label="Next match" Icon={IconChevronDown} onClick={() => go(1)} />
        </>
      )}
    </div>
  )
}

function describe({ matches, number }: Find) {
  const total = `${count(matches.length)}${matches.length === maxMatches ? '+' : ''}`
  return number === null ? `${total} found` : `${count(number + 1)} of ${total}`
}

const Step = ({ label, Icon, onClick }: { label: string; Icon: typeof IconChevronUp; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
    <Icon size={14} aria-hidden />
  </ActionIcon>
)
