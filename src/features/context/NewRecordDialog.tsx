import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'

import { contextFields, type ContextKind, contextKinds } from '#contract/context-kinds.ts'
import { createContextRecord } from '#contract/context-records.ts'
import { createRecord } from '#src/api/context-records.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import formParts from '#src/ui/form-parts.module.css'
import { kindLabels } from './labels.ts'

/** Open while the URL has `new`. */
export function NewRecordDialog() {
  const url = useQueryState()
  return (
    <Dialog opened={url.one('new') !== ''} onClose={() => url.push({ new: null })} title="New record">
      <NewRecordForm />
    </Dialog>
  )
}

/** Every kind has these fields. */
const schema = createContextRecord.body.extend({ fields: contextFields.product.pick({ name: true, summary: true }) })

function NewRecordForm() {
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { kind: 'product' as ContextKind, targetId: '', name: '', summary: '' },
    schema,
    toBody: ({ kind, targetId, name, summary }) => ({ kind, targetId: targetId.trim(), fields: { name, summary } }),
    send: createRecord,
    onSent: ({ kind, targetId }) => navigate(paths.contextRecord({ kind, id: targetId }), { replace: true }),
    fieldOf: (path) => path.replace(/^fields\./, ''),
    conflictField: 'targetId',
    checkWhileTyping: true,
  })
  return (
    <form className={formParts.form} onSubmit={form.submit} noValidate>
      <SegmentedControl
        aria-label="Kind of record"
        size="xs"
        data={contextKinds.map((value) => ({ value, label: kindLabels[value] }))}
        {...form.getInputProps('kind')}
      />
      <TextInput label="Name" {...form.getInputProps('name')} data-autofocus />
      <TextInput
        label="Id"
        description="You can’t change the id later. For an agent or a product, use the id that your experiments use."
        spellCheck={false}
        {...form.getInputProps('targetId')}
      />
      <Textarea
        label="Summary"
        description="Optional. One line, shown in the list. Add the other fields later by suggesting changes to the record."
        autosize
        {...form.getInputProps('summary')}
      />
      <FormFoot form={form} failed="The record was not created" verb="Create record" />
    </form>
  )
}
