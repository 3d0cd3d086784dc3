import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLocation } from 'react-router'

import { can } from '#contract/permissions.ts'
import { type Paragraph, paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { addThread, commentListOptions, decideOnSuggestion } from '#src/api/report-comments.ts'
import { presenceOptions } from '#src/api/report-presence.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import type { Comments } from './CommentsContext.ts'
import { placeAt, placePeople } from './place-people.ts'
import { placeThreads } from './place-threads.ts'

type Options = {
  reportId: string
  /** The text as the platform has it, and as the page shows it. */
  stored: string
  shown: string
  /** The stamp of the stored text now. */
  updatedAt: () => string
  /** Saves the shown text, so that a comment can be on it. */
  save?: () => Promise<unknown>
  /** Where the cursor is in the text; omitted or null for someone who is reading. */
  cursor?: () => number | null
}

export function useReportComments({ reportId, stored, shown, updatedAt, save, cursor }: Options): Comments {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { data, error } = useQuery(commentListOptions(reportId))
  const here = useQuery({
    ...presenceOptions(reportId, () => placeAt(shown, cursor?.() ?? null)),
    enabled: caller.keyKind === 'personal',
  })
  const { hash } = useLocation()
  const url = useQueryState()
  const linked = /^#comment-(.+)$/.exec(hash)?.[1]
  const [chosen, setChosen] = useState<{ hash: string; threadId: string | null }>()
  const [commented, setCommented] = useState<Paragraph | null>(null)
  const threads = data?.threads
  const placed = useMemo(() => placeThreads(threads ?? [], { stored, shown }), [threads, stored, shown])
  const paragraphs = useMemo(() => paragraphsOf(shown), [shown])
  const people = useMemo(() => placePeople(here.data ?? [], paragraphs), [here.data, paragraphs])
  const ofLink = placed.find(({ thread }) => thread.comments.some(({ id }) => id === linked))?.thread.id
  const organization = caller.organizations.find(({ id }) => id === currentOrganizationId())
  const isOpen = url.one('comments') !== '' || linked !== undefined
  return {
    reportId,
    person: caller.keyKind === 'personal' ? caller.actor : null,
    isAdmin: organization !== undefined && can(organization).manageOrganization,
    placed,
    paragraphs,
    people,
    isOpen,
    open: () => url.set({ comments: '1' }),
    close: () => {
      setCommented(null)
      url.set({ comments: null })
    },
    // A link that is followed later selects its own thread again.
    selected: chosen?.hash === hash ? chosen.threadId : (ofLink ?? null),
    select: (threadId) => {
      setChosen({ hash, threadId })
      if (!isOpen) url.set({ comments: '1' })
    },
    commented,
    comment: (paragraph) => {
      setCommented(paragraph)
      if (paragraph && !isOpen) url.set({ comments: '1' })
    },
    start: async (thread) => {
      await save?.()
      const { id } = await addThread({ reportId, ...thread })
      setCommented(null)
      setChosen({ hash, threadId: id })
    },
    decide: async (decision) => {
      await save?.()
      await decideOnSuggestion({ reportId, expectedUpdatedAt: updatedAt(), ...decision })
    },
    error,
  }
}
