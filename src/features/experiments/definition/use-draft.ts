import { useLocalStorage } from '@mantine/hooks'

import { whoamiOptions } from '#src/api/identity.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { queryClient } from '#src/api/query-client.ts'

/** Known before any page below the shell is. */
const currentPersonId = () => queryClient.getQueryData(whoamiOptions().queryKey)?.actor.id

/** People who share a browser keep theirs apart. */
const keyOf = (about: string) => `assay.draft.${currentOrganizationId() ?? ''}.${currentPersonId() ?? ''}.${about}`

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
