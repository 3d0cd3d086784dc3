import { Autocomplete, Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { z } from 'zod'

import { ContextId, ContextKind, contextKinds } from '#contract/context-kinds.ts'
import type { ContextSuggestion } from '#contract/context-suggestions.ts'
import { allExperimentsOptions } from '#src/api/experiments.ts'
import { knownRecords } from '#src/api/known-records.ts'
import { useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import classes from './RecordPicker.module.css'
import { kindLabels } from './labels.ts'

const schema = z.object({ id: z.string().min(1, 'Enter an id or choose one').pipe(ContextId) })

/** Kind and id of a record. For platforms without a list of records: ids are typed, or taken from where they are known from. */
export function RecordPicker({ suggestions }: { suggestions: readonly ContextSuggestion[] }) {
  const url = useQueryState()
  const navigate = useNavigate()
  const kind = ContextKind.catch('product').parse(url.one('kind'))
  const { data } = useQuery(allExperimentsOptions())
  const known = knownRecords(kind, { experiments: data?.experiments ?? [], suggestions })
  const form = useForm({
    initialValues: { id: '' },
    schema,
    toBody: ({ id }) => ({ id: id.trim() }),
    send: async ({ id }) => navigate(paths.contextRecord({ kind, id })),
    checkWhileTyping: true,
  })
  return (
    <form className={classes.choose} onSubmit={form.submit} noValidate>
      <SegmentedControl
        aria-label="Kind of record"
        size="xs"
        value={kind}
        onChange={(chosen) => url.set({ kind: chosen === 'product' ? null : chosen })}
        data={contextKinds.map((value) => ({ value, label: kindLabels[value] }))}
      />
      <Autocomplete
        aria-label="Id of the record"
        placeholder={`Id of the ${kindLabels[kind].toLowerCase()}`}
        size="xs"
        className={classes.id}
        data={known.map((record) => record.id)}
        {...form.getInputProps('id')}
        spellCheck={false}
      />
      <Button type="submit" loading={form.isPending}>
        Open
      </Button>
      <p className={classes.hint}>
        Enter the record’s id. The list offers ids from your own suggestions
        {kind === 'agent' || kind === 'product' ? ` and from experiments, so some may not have a record yet` : ''}.
      </p>
    </form>
  )
}
