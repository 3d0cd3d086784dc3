import { useLocalStorage } from '@mantine/hooks'

import { whoamiOptions } from '#src/api/identity.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { queryClient } from '#src/api/query-client.ts'

/** Known before any page below the shell renders. */
const currentPersonId = () => queryClient.getQueryData(whoamiOptions().queryKey)?.actor.id

/** People who share a browser have separate drafts. */
const keyOf = (about: string) => `assay.draft.${currentOrganizationId() ?? ''}.${currentPersonId() ?? ''}.${about}`

/** The storage hook writes its default, so a missing draft is either no entry or `null`. */
const readDraft = (about: string) => JSON.parse(localStorage.getItem(keyOf(about)) ?? 'null') as string | null

/** Whether this browser has a draft based on this version. */
export const hasDraft = (about: string) => readDraft(about) !== null

/** Changes the draft before its page renders. Text equal to the saved text is not a draft. */
export function changeDraft(about: string, stored: string, change: (text: string) => string) {
  const before = readDraft(about) ?? stored
  const after = change(before)
  if (after !== before) localStorage.setItem(keyOf(about), JSON.stringify(after))
}

/** After a push, text that was typed since becomes the draft of the new version. */
export function moveDraft({ from, to, sent }: { from: string; to: string; sent: string }) {
  const typed = readDraft(from)
  if (typed === null) return
  // Without the storage hook, whose editor then shows the typed text until the page of the new version opens.
  localStorage.removeItem(keyOf(from))
  if (typed === sent) localStorage.removeItem(keyOf(to))
  else localStorage.setItem(keyOf(to), JSON.stringify(typed))
}

/** Unsaved text kept in this browser, so that a reload or a new sign-in loses nothing. */
export function useDraft(about: string, stored: string) {
  const [draft, write, clear] = useLocalStorage<string | null>({
    key: keyOf(about),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const keep = (text: string) => (text === stored ? clear() : write(text))
  return { text: draft ?? stored, isChanged: draft !== null && draft !== stored, write: keep, clear }
}
