import { Combobox, Modal, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { matchSorter } from 'match-sorter'
import { type KeyboardEvent, useCallback, useId, useState } from 'react'
import { useNavigate } from 'react-router'

import { useFocusReturn } from '#src/ui/focus-return.ts'
import classes from './Palette.module.css'
import { type PaletteEntry, placeAfter } from './palette-entry.ts'
import { usePaletteGroups } from './use-palette-groups.ts'

type Props = {
  /** What was typed before the palette was there. Its text gets the keys from then on. */
  takeTyped: () => string
  onClose: () => void
  onHelp: () => void
}

/**
 * The command palette: Ctrl/⌘ K. A combobox: the focus stays in its text, and the list has one active option. Mantine's own
 * keyboard handling announces no option before the first arrow key.
 */
export function Palette({ takeTyped, onClose, onHelp }: Props) {
  useFocusReturn(true)
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const [search] = useDebouncedValue(query.trim(), 150)
  const { groups, isSearching, text } = usePaletteGroups(search, { go: (href) => void navigate(href), onHelp })
  const listId = useId()
  // The dialog sets the focus a moment later, and letters typed meanwhile would be lost.
  const begin = useCallback(
    (input: HTMLInputElement | null) => {
      if (!input) return
      input.focus()
      setQuery(takeTyped())
    },
    [takeTyped],
  )
  const store = useCombobox()
  // Names come before text, which is ranked already.
  const entries = [
    ...found(
      groups.flatMap(({ heading, entries: all }) => all.map((entry) => ({ ...entry, heading }))),
      query,
    ),
    ...text.entries.map((entry) => ({ ...entry, heading: 'In text' })),
  ]
  const active = Math.min(chosen, entries.length - 1)
  const isWaiting = isSearching || search !== query.trim()
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const move = (by: number) => setChosen(placeAfter(active, by, entries.length))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const acts: Record<string, () => void> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => run(entries[active]),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <Modal.Root
      opened
      returnFocus={false}
      onClose={onClose}
      size={560}
      yOffset="12dvh"
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.35} blur={0} />
      <Modal.Content aria-label="Command palette" className={classes.content}>
        <div className={classes.search}>
          <IconSearch size={16} aria-hidden />
          <input
            role="combobox"
            aria-label="Search everything"
            aria-autocomplete="list"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={entries.length > 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            placeholder="Search experiments, runs, pages and actions…"
            data-autofocus
            ref={begin}
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value)
              setChosen(0)
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <Combobox store={store} onOptionSubmit={(id) => run(entries.find((entry) => entry.id === id))}>
          <Combobox.Options id={listId} aria-label="Results" className={classes.list}>
            {entries.map((entry, at) => (
              <Combobox.Option
                key={entry.id}
                value={entry.id}
                id={`${listId}-${at}`}
                ref={at === active ? showOption : undefined}
                aria-selected={at === active}
                className={classes.entry}
                onMouseMove={() => setChosen(at)}
              >
                <span className={classes.label}>
                  {entry.label}
                  {entry.description && <span className={classes.description}>{entry.description}</span>}
                </span>
                {entry.heading !== entries[at - 1]?.heading && <span className={classes.kind}>{entry.heading}</span>}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox>
        <output className={classes.empty}>
          {entries.length === 0 && isWaiting && 'Searching…'}
          {entries.length === 0 && !isWaiting && `Nothing matches “${query}”.${text.extent && ` ${text.extent}`}`}
        </output>
      </Modal.Content>
    </Modal.Root>
  )
}

const showOption = (option: HTMLElement | null) => option?.scrollIntoView({ block: 'nearest' })

type Found = PaletteEntry & { heading: string }

const wordsOf = ({ label, description = '', keywords = [] }: Found) => [
  label,
  description,
  ...keywords,
  `${label} ${description}`,
]

/** The entries that match, the best first; all of them, in their order, before anything is typed. */
function found(entries: readonly Found[], query: string): Found[] {
  if (query.trim() === '') return [...entries]
  const matching = (among: readonly Found[], text: string) =>
    matchSorter(among, text, {
      keys: [wordsOf],
      threshold: matchSorter.rankings.ACRONYM,
      baseSort: (a, b) => a.index - b.index,
    })
  const whole = matching(entries, query.trim())
  const known = new Set(whole.map(({ id }) => id))
  const others = entries.filter(({ id }) => !known.has(id))
  // The words may be in any order, such as the title of a chart and the name of its experiment.
  return [...whole, ...query.trim().split(/\s+/).reduceRight(matching, others)]
}
