import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

import { SearchField } from './SearchField.tsx'

type Props = { label: string; value: string; onChange: (value: string) => void; maxCharacters?: number }

/** The search of a list. The URL follows a moment after the typing; a change of the URL replaces the text. */
export function ListSearch({ label, value, onChange, maxCharacters = 200 }: Props) {
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
    send(text.trim().slice(0, maxCharacters))
  }
  return <SearchField label={label} value={typed} onChange={change} />
}
