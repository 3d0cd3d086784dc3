import { Button, Checkbox, Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'

import { InsightHeading, InsightSlug, type Presentation } from '#contract/insight-fields.ts'
import type { SqlInsight } from '#contract/insights.ts'
import { isApiError } from '#src/api/errors.ts'
import { insightOptions, saveInsight } from '#src/api/insights.ts'
import type { QueryTarget } from '#src/api/queries.ts'
import { exactTime } from '#src/format/dates.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { InsightFields } from './InsightFields.tsx'
import classes from './saved.module.css'
import { SlugField } from './SlugField.tsx'

type Props = {
  /** Null is the whole organization. */
  target: QueryTarget | null
  sql: string
  includeTestAware: boolean
  presentation: Presentation | undefined
  onSaved?: () => void
  onClose: () => void
}

const provenanceOf = (target: QueryTarget | null) => target ?? { kind: 'none' as const }

/** Saves a query as an insight with a live result. */
export function SaveDialog({ target, sql, includeTestAware, presentation, onSaved, onClose }: Props) {
  const navigate = useNavigate()
  const [fields, setFields] = useState({ heading: '', description: '', labels: [] as string[] })
  const [slug, setSlug] = useState('')
  const [force, setForce] = useState(false)
  const [wasSent, setWasSent] = useState(false)
  const existing = useExisting(slug)
  const saving = useMutation({
    mutationFn: saveInsight,
    onSuccess: ({ insight }) => {
      onSaved?.()
      return navigate(paths.insight(insight.reference))
    },
  })
  const headingFault = wasSent ? InsightHeading.safeParse(fields.heading).error?.issues[0]?.message : undefined
  const isValid =
    InsightHeading.safeParse(fields.heading).success && (slug === '' || InsightSlug.safeParse(slug).success)
  const send = (event: FormEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (!isValid) return
    const named = { ...fields, ...(slug !== '' && { slug, force: force && existing !== null }) }
    saving.mutate({
      ...named,
      sql,
      includeTestAware,
      provenance: provenanceOf(target),
      ...(presentation && { presentation }),
    })
  }
  const isTaken = isApiError(saving.error, 'already_exists')
  return (
    <Modal opened onClose={onClose} closeOnClickOutside={false} title="Save as insight">
      <form className={classes.form} onSubmit={send} noValidate>
        <InsightFields value={fields} onChange={setFields} headingFault={headingFault} isNew />
        <SlugField value={slug} onChange={setSlug} heading={fields.heading} />
        {existing && <Overwrite existing={existing} isChosen={force} onChoose={setForce} />}
        {saving.error && !(isTaken && existing) && (
          <ErrorNotice title="The insight was not saved" error={saving.error} />
        )}
        <Button
          type="submit"
          loading={saving.isPending}
          disabled={existing !== null && !force}
          title={existing && !force ? 'This slug is in use. Overwrite it or choose another.' : undefined}
          className={classes.verb}
        >
          {existing && force ? 'Overwrite' : 'Save'}
        </Button>
      </form>
    </Modal>
  )
}

/** The insight that has this slug, if it can be one and there is one. */
function useExisting(slug: string): SqlInsight | null {
  const [requested] = useDebouncedValue(slug, 200)
  const isSlug = InsightSlug.safeParse(requested).success
  const found = useQuery({ ...insightOptions(requested), enabled: isSlug, retry: false })
  const insight = found.data?.insight
  return isSlug && requested === slug && insight?.type === 'sql' ? insight : null
}

type OverwriteProps = { existing: SqlInsight; isChosen: boolean; onChoose: (on: boolean) => void }

function Overwrite({ existing, isChosen, onChoose }: OverwriteProps) {
  const { heading, owner, updatedAt, publishedAt, canChange } = existing
  const title = `“${heading}” has this slug.`
  if (!canChange)
    return (
      <Notice title={title}>
        It belongs to {owner.name}. Only they and admins can overwrite it. Choose another slug.
      </Notice>
    )
  return (
    <Notice title={title}>
      <p className={classes.lost}>
        {owner.name} created it and it was last updated {exactTime(updatedAt)}. Overwriting replaces its SQL, scope,
        title, description, labels and chart. Its slug, id and owner don’t change
        {publishedAt ? '. The public page won’t change.' : '.'}
      </p>
      <Checkbox
        size="xs"
        label="Overwrite"
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
    </Notice>
  )
}
