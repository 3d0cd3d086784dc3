import { Button, CloseButton } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'

import type { HomeView } from '#contract/home.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { markRead } from '#src/api/notifications.ts'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { browserDraft } from '#src/shared/drafts/browser-draft.ts'
import mutedText from '#src/ui/muted-text.module.css'
import { type AttentionItem, attentionItems } from './attention-items.ts'
import classes from './home.module.css'
import { useNotices } from './use-notices.ts'
import { useSpendItems } from './use-spend-items.ts'

const Dismissed = z.object({ ids: z.array(z.string()) })

/** The newest are kept; older news has left the inbox by itself. */
const most = 300

/** The ids of items that this person has dismissed in this browser. */
function useDismissed(actorId: string) {
  const [kept] = useState(() => browserDraft(Dismissed, { about: 'home-dismissed', actorId }))
  const [ids, setIds] = useState<readonly string[]>(() => kept.read()?.ids ?? [])
  const save = (next: readonly string[]) => {
    setIds(next)
    kept.write({ ids: [...next] })
  }
  return {
    isDismissed: (id: string) => ids.includes(id),
    dismiss: (id: string) => save([...ids, id].slice(-most)),
    restore: (restored: readonly string[]) => save(ids.filter((id) => !restored.includes(id))),
  }
}

/** More than this is behind a button. */
const shownItems = 6

/** What changed, failed or waits for somebody, one sentence each with its evidence; nothing if all is well. */
export function NeedsAttention({ home }: { home: HomeView }) {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { isDismissed, dismiss, restore } = useDismissed(caller.actor.id)
  const [showsAll, setShowsAll] = useState(false)
  const spend = useSpendItems(caller)
  const { items: notices, error: ofNotices } = useNotices(caller)
  const error = spend.error ?? ofNotices
  const reading = useMutation({ mutationFn: markRead })
  const own = [...attentionItems(home), ...spend.items]
  const dismissed = own.filter(({ id }) => isDismissed(id)).map(({ id }) => id)
  const open = [...own.filter(({ id }) => !isDismissed(id)), ...notices]
  const isNotice = ({ id }: AttentionItem) => notices.some((notice) => notice.id === id)
  if (open.length + dismissed.length === 0 && !error) return null
  return (
    <Section
      title="Needs attention"
      aside={
        dismissed.length > 0 && (
          <Button variant="subtle" color="gray" size="compact-xs" onClick={() => restore(dismissed)}>
            {`Restore ${counted(dismissed.length, 'dismissed item')}`}
          </Button>
        )
      }
    >
      {reading.error && <ErrorNotice title="Couldn’t mark as read" error={reading.error} />}
      {error && <ErrorNotice title="Some of what may need attention could not be loaded" error={error} />}
      {open.length === 0 && dismissed.length > 0 && <p className={mutedText.note}>You have dismissed everything.</p>}
      {open.length > 0 && (
        <ul className={classes.news} aria-label="Needs attention">
          {open.slice(0, showsAll ? undefined : shownItems).map((item) => (
            <Item
              key={item.id}
              item={item}
              onDismiss={() => (isNotice(item) ? reading.mutate([item.id]) : dismiss(item.id))}
            />
          ))}
        </ul>
      )}
      {!showsAll && open.length > shownItems && (
        <Button variant="subtle" mt={4} onClick={() => setShowsAll(true)}>
          {`Show ${open.length - shownItems} more`}
        </Button>
      )}
    </Section>
  )
}

const marks = { failed: '✕', passed: '✓', neutral: '•' }

const Item = ({ item, onDismiss }: { item: AttentionItem; onDismiss: () => void }) => {
  const { tone, sentence, evidence, at } = item
  return (
    <li className={classes.attentionItem}>
      <span className={classes.mark} data-tone={tone} aria-hidden>
        {marks[tone]}
      </span>
      <div>
        <p>{sentence}</p>
        <p className={classes.evidence}>
          {evidence.map(({ label, href }) => (
            <TextLink key={href} href={href}>
              {label}
            </TextLink>
          ))}
          {at !== undefined && <RelativeTime at={at} />}
        </p>
      </div>
      <CloseButton size="sm" title="Dismiss" aria-label={`Dismiss: ${sentence}`} onClick={onDismiss} />
    </li>
  )
}
