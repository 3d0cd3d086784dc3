import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'

import { useShortcut } from './shortcuts/use-shortcut.ts'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  width?: number
  /** Nothing needs the space beside it on a phone. */
  hasOwnLine?: boolean
}

/** The search box of a page: `/` focuses it and Escape leaves it. */
export function SearchField({ label, value, onChange, width = 240, hasOwnLine = false }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useShortcut('search', () => {
    // Closed filters of a narrow window hide it.
    if (!input.current?.checkVisibility()) return false
    input.current.select()
  })
  return (
    <TextInput
      ref={input}
      type="search"
      size="xs"
      w={hasOwnLine ? '100%' : `min(${width}px, 42vw)`}
      maw={hasOwnLine ? width : '100%'}
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={value !== '' && <CloseButton size="xs" aria-label="Clear search" onClick={() => onChange('')} />}
    />
  )
}
