import { Anchor } from '@mantine/core'
import { useState } from 'react'

import type { ExperimentResource } from '#contract/resources.ts'
import { addLink } from '#src/api/resources.ts'
import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { Section } from '#src/ui/Section.tsx'
import lists from '#src/ui/lists.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import { LinkItem } from './LinkItem.tsx'
import { PasteLinks } from './PasteLinks.tsx'
import classes from './links.module.css'
import { LinkForm } from './LinkForm.tsx'

type Props = { experimentId: string; links: readonly ExperimentResource[] }

/** Related external links, such as a paper, a thread or a dashboard. */
export function Links({ experimentId, links }: Props) {
  const [open, setOpen] = useState<'one' | 'many' | null>(null)
  const close = () => setOpen(null)
  return (
    <Section
      title={`Links (${links.length})`}
      aside={
        <ForWriters>
          <span className={classes.open}>
            <Anchor component="button" type="button" fz={13} onClick={() => setOpen('one')}>
              Add link
            </Anchor>
            <Anchor component="button" type="button" fz={13} onClick={() => setOpen('many')}>
              Paste links
            </Anchor>
          </span>
        </ForWriters>
      }
    >
      {links.length === 0 && open === null && (
        <p className={mutedText.note}>No links to a paper, thread or dashboard yet.</p>
      )}
      <ul className={lists.plain} aria-label="Links">
        {links.map((link) => (
          <li key={link.id}>
            <LinkItem experimentId={experimentId} link={link} />
          </li>
        ))}
      </ul>
      {open === 'one' && <AddLink experimentId={experimentId} onClose={close} />}
      {open === 'many' && <PasteLinks experimentId={experimentId} onClose={close} />}
    </Section>
  )
}

/** Adds one link, then is empty for the next one. */
function AddLink({ experimentId, onClose }: { experimentId: string; onClose: () => void }) {
  const [addedCount, setAddedCount] = useState(0)
  return (
    <LinkForm
      key={addedCount}
      label="Add link"
      verb="Add"
      start={{ title: '', url: '' }}
      send={(link) => addLink(experimentId, link)}
      onSent={() => setAddedCount((count) => count + 1)}
      onCancel={onClose}
    />
  )
}
