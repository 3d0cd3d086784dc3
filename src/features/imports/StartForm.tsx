import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { formatTitles } from '#contract/import-formats.ts'
import { type ImportPreview, startImport } from '#contract/imports.ts'
import { allExperimentsOptions } from '#src/api/experiments.ts'
import { beginImport } from '#src/api/imports.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import { Section } from '#src/ui/Section.tsx'
import { broughtWords } from './import-words.ts'
import classes from './imports.module.css'

type Props = { importId: string; preview: ImportPreview; into: string }

/** Chooses the experiment, and starts the import. */
export function StartForm({ importId, preview, into }: Props) {
  const isExport = preview.formats.some(({ title }) => title === formatTitles.assay)
  const { data: all } = useQuery(allExperimentsOptions(isExport || preview.tasks ? {} : { imported: true }))
  const known = all?.experiments ?? []
  const [isNew, setIsNew] = useState(into === '')
  const form = useForm({
    initialValues: {
      experimentName: preview.experimentName,
      experimentId: preview.experimentId,
      existing: into,
      isNew: into === '',
    },
    schema: startImport.body,
    toBody: (values) =>
      values.isNew
        ? { experimentId: values.experimentId, experimentName: values.experimentName }
        : { experimentId: values.existing },
    send: (body) => beginImport({ importId, ...body }),
    fieldOf: (path, values) => (path === 'experimentId' && !values.isNew ? 'existing' : path),
    conflictField: 'experimentId',
  })
  const choose = (value: string) => {
    setIsNew(value === 'new')
    form.setFieldValue('isNew', value === 'new')
  }
  return (
    <Section title="Experiment">
      <form className={classes.form} onSubmit={form.submit} noValidate>
        {known.length > 0 && (
          <SegmentedControl
            aria-label="Which experiment"
            value={isNew ? 'new' : 'existing'}
            onChange={choose}
            data={[
              { value: 'new', label: 'New experiment' },
              { value: 'existing', label: 'Existing experiment' },
            ]}
          />
        )}
        {isNew ? (
          <div className={classes.pair}>
            <TextInput label="Name" {...form.getInputProps('experimentName')} />
            <TextInput
              label="Id"
              description="Lower-case letters, digits and hyphens. It cannot be changed later."
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              {...form.getInputProps('experimentId')}
            />
          </div>
        ) : (
          <Select
            label="Existing experiment"
            description={
              preview.tasks
                ? 'One that came from tasks. The tasks become its next version.'
                : `${isExport ? 'One that has a version of it.' : 'One with imported results.'} Runs that it already has are not doubled.`
            }
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            searchable
            data={known.map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }))}
            {...form.getInputProps('existing')}
          />
        )}
        <FormFoot
          form={form}
          failed="The import was not started"
          verb={`Import ${broughtWords(preview, preview.tasks?.count ?? preview.runs)}`}
          isOnPage
        />
      </form>
    </Section>
  )
}
