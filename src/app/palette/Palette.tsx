import '@mantine/spotlight/styles.layer.css'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import dialog from '#src/ui/dialog.module.css'
import classes from './Palette.module.css'
import { usePaletteGroups } from './use-palette-groups.ts'

const [store, palette] = createSpotlight()

export const openPalette = palette.open

type Props = { onHelp: () => void }

/** The command palette: Ctrl/⌘ K. */
export function Palette({ onHelp }: Props) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [search] = useDebouncedValue(query.trim(), 150)
  const actions = usePaletteGroups(search, { go: (href) => void navigate(href), onHelp })
  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      actions={actions}
      classNames={{ ...dialog, ...classes }}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      yOffset="12dvh"
      size={560}
      scrollable
      maxHeight={420}
      limit={60}
      nothingFound="No results"
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden />,
        placeholder: 'Search experiments, runs, pages and actions…',
      }}
    />
  )
}
