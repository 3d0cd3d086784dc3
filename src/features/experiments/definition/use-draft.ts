import { useLocalStorage } from '@mantine/hooks'

import { currentOrganizationId } from '#src/api/organization.ts'

const keyOf = (about: string) => `assay.draft.${currentOrganizationId() ?? ''}.${about}`

/** The storage hook writes its default, so no draft is either nothing or `null`. */
const readDraft = (about: string) => JSON.parse(localStorage.getItem(keyOf(about)) ?? 'null') as string | null

/** Whether text begun from this version waits in this browser. */
export const hasDraft = (about: string) => readDraft(about) !== null

/** Changes the unsaved text before its page stands; text equal to what is stored is no draft. */
export function changeDraft(about: string, stored: string, change: (text: string) => string) {
  const before = readDraft(about) ?? stored
  const after = change(before)
  if (after !== before) localStorage.setItem(keyOf(about), JSON.stringify(after))
}

/** Unsaved text, kept in this browser, so that a reload, or a sign-in between, loses nothing. */
export function useDraft(about: string, stored: string) {
  const [draft, write, clear] = useLocalStorage<string | null>({
    key: keyOf(about),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const keep = (text: string) => (text === stored ? clear() : write(text))
  return { text: draft ?? stored, isChanged: draft !== null && draft !== stored, write: keep, clear }
}
