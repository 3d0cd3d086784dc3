import { useDebouncedValue } from '@mantine/hooks'
import { useDeferredValue } from 'react'

/** Checking a longer text takes longer than the time between two frames. */
const quickCharacters = 50_000
const pauseMs = 300

/** The text to check: at once, or for a long one when nobody has typed for a moment, so that no key waits for a check. */
export function useSettledText(text: string): string {
  const deferred = useDeferredValue(text)
  const [paused] = useDebouncedValue(text, pauseMs)
  return text.length > quickCharacters ? paused : deferred
}
