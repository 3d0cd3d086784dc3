import { Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { createReport } from '#contract/reports.ts'
import { reportCreator } from '#src/api/reports.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import formParts from '#src/ui/form-parts.module.css'

/** Open while the URL has `new`. */
export function NewReportDialog() {
  const url = useQueryState()
  return (
    <Dialog opened={url.one('new') !== ''} onClose={() => url.push({ new: null })} title="New report">
      <NewReportForm />
    </Dialog>
  )
}

function NewReportForm() {
  const navigate = useNavigate()
  const [create] = useState(reportCreator)
  const form = useForm({
    initialValues: { title: '', description: '' },
    schema: createReport.body,
    toBody: ({ title, description }) => ({ title, ...(description.trim() !== '' && { description }) }),
    send: create,
    onSent: ({ report }) => navigate(paths.editReport(report.id), { replace: true }),
    checkWhileTyping: true,
  })
  return (
    <form className={formParts.form} onSubmit={form.submit} noValidate>
      <TextInput label="Title" {...form.getInputProps('title')} data-autofocus />
      <Textarea
        label="Description"
        description="Optional. One paragraph, shown in the list."
        autosize
        {...form.getInputProps('description')}
      />
      <FormFoot form={form} failed="Couldn’t create the report" verb="Create report" />
    </form>
  )
}
