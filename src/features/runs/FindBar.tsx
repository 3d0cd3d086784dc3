import { ActionIcon, TextInput } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'

import { count } from '#src/format/numbers.ts'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { maxMatches } from './transcript-find.ts'
import type { Find } from './use-find.ts'
import classes from './TranscriptPane.module.css'

/** Find in the transcript: Enter goes on, Shift+Enter back, Escape leaves. */
export function FindBar({ find }: { find: Find }) {
  const input = useRef<HTMLInputElement>(null)
  useShortcut('find', () => input.current?.select())
  const { matches, number, search } = find
  const total = `${count(matches.length)}${matches.length === maxMatches ? '+' : ''}`
  const state = number === null ? `${total} found` : `${count(number + 1)} of ${total}`
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
        onChange={(event) => find.setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find.go(event.shiftKey ? -1 : 1)
          if (event.key === 'Escape') input.current?.blur()
        }}
        leftSection={<IconSearch size={14} aria-hidden />}
      />
      {search.trim() !== '' && (
        <>
          <output className={classes.found}>{state}</output>
          <Step label="Previous match" Icon={IconChevronUp} onClick={() => find.go(-1)} />
          <Step label="Next match" Icon={IconChevronDown} onClick={() => find.go(1)} />
        </>
      )}
    </div>
  )
}

const Step = ({ label, Icon, onClick }: { label: string; Icon: typeof IconChevronUp; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
    <Icon size={14} aria-hidden />
  </ActionIcon>
)
