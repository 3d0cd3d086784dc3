import { Button, Checkbox, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'

import { InsightSlug, type Presentation } from '#contract/insight-fields.ts'
import { createInsight, type SqlInsight } from '#contract/insights.ts'
import { insightOptions, saveInsight } from '#src/api/insights.ts'
import type { QueryTarget } from '#src/api/queries.ts'
import { exactTime } from '#src/format/dates.ts'
import { type Form, useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import formParts from '#src/ui/form-parts.module.css'
import { InsightFields } from './InsightFields.tsx'
import classes from './saved.module.css'

/** The name in the API, which never changes. If it is empty, the server makes one from the heading. */
const SlugField = ({ form }: { form: Form<{ slug: string; heading: string }> }) => (
  <TextInput
    label="Slug"
    description="Permanent API name. Leave empty to generate it from the title."
    placeholder={suggested(form.values.heading)}
    {...form.getInputProps('slug')}
    onChange={(event) => form.setFieldValue('slug', event.currentTarget.value.trim())}
    spellCheck={false}
  />
)

const suggested = (heading: string) =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

type Props = {
  target: QueryTarget
  sql: string
  includeTestAware: boolean
  presentation: Presentation | undefined
  onClose: () => void
}

const provenanceOf = (target: QueryTarget) => (target.kind === 'organization' ? { kind: 'none' as const } : target)

type Values = { heading: string; description: string; labels: string[]; slug: string; force: boolean }

/** Saves a query as an insight with a live result. */
export function SaveDialog({ target, sql, includeTestAware, presentation, onClose }: Props) {
  const navigate = useNavigate()
  const form: Form<Values> = useForm({
    initialValues: { heading: '', description: '', labels: [], slug: '', force: false },
    schema: createInsight.body,
    toBody: ({ slug, force, ...fields }: Values) => ({
      ...fields,
      ...(slug !== '' && { slug, force: force && existing !== null }),
      sql,
      includeTestAware,
      provenance: provenanceOf(target),
      ...(presentation && { presentation }),
    }),
    send: saveInsight,
    onSent: ({ insight }) => navigate(paths.insight(insight.reference)),
    conflictField: 'slug',
    checkWhileTyping: true,
  })
  const existing = useExisting(form.values.slug)
  const { force } = form.values
  return (
    <Dialog opened onClose={onClose} closeOnClickOutside={false} title="Save as insight">
      <form className={formParts.form} onSubmit={form.submit} noValidate>
        <InsightFields form={form} isNew />
        <SlugField form={form} />
        {existing && (
          <Overwrite existing={existing}>
            <Checkbox size="xs" label="Overwrite" {...form.getInputProps('force', { type: 'checkbox' })} />
          </Overwrite>
        )}
        {form.failure && <ErrorNotice title="The insight was not saved" error={form.failure} />}
        <Button
          type="submit"
          loading={form.isPending}
          disabled={existing !== null && !force}
          title={existing && !force ? 'This slug is in use. Overwrite it or choose another.' : undefined}
          className={formParts.verb}
        >
          {existing && force ? 'Overwrite' : 'Save'}
        </Button>
      </form>
    </Dialog>
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

/** What overwriting changes, with the checkbox for it if the caller may overwrite. */
function Overwrite({ existing, children }: { existing: SqlInsight; children: ReactNode }) {
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
      {children}
    </Notice>
  )
}
