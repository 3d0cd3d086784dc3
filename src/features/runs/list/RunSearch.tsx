import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

import { maxSearchCharacters } from '#contract/run-list.ts'
import { SearchField } from '#src/ui/SearchField.tsx'

type Props = { value: string; onChange: (value: string) => void }

/** The search of the list. The URL follows a moment after the typing; a change of the URL replaces the text. */
export function RunSearch({ value, onChange }: Props) {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState({ value, sent: value })
  if (value !== known.value) {
    setKnown({ ...known, value })
    if (value !== known.sent) setTyped(value)
  }
  const send = useDebouncedCallback((text: string) => {
    setKnown((current) => ({ ...current, sent: text }))
    onChange(text)
  }, 200)
  const change = (text: string) => {
    setTyped(text)
    send(text.trim().slice(0, maxSearchCharacters))
  }
  return <SearchField label="Search runs" value={typed} onChange={change} />
}
