import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { count } from '#src/format/numbers.ts'
import mutedText from '#src/ui/muted-text.module.css'

/** A checkbox costs about a millisecond, and a benchmark has thousands of them. */
const mostShown = 200

type ShortList<Choice> = { shown: readonly Choice[]; search: ReactNode; rest: ReactNode }

/** The choices to show, and a field that finds the others if there are more than a page can show. */
export function useShortList<Choice>(
  choices: readonly Choice[],
  nameOf: (choice: Choice) => string,
  noun: string,
): ShortList<Choice> {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = wanted === '' ? choices : choices.filter((choice) => nameOf(choice).toLowerCase().includes(wanted))
  const hidden = found.length - mostShown
  return {
    shown: found.slice(0, mostShown),
    search: choices.length > mostShown && (
      <TextInput
        size="xs"
        type="search"
        aria-label={`Search ${noun}`}
        placeholder={`Search ${count(choices.length)} ${noun}`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    ),
    rest: hidden > 0 && <p className={mutedText.intro}>and {count(hidden)} more. Search to find them.</p>,
  }
}
