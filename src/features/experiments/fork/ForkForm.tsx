import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { maxExperimentNameCharacters } from '#contract/experiment-id.ts'
import { type Experiment, forkExperiment } from '#contract/experiments.ts'
import { forkName } from '#contract/fork-names.ts'
import { experimentListOptions, fork } from '#src/api/experiments.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { type Form, useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import formParts from '#src/ui/form-parts.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './ForkForm.module.css'
import { forkSearch, freeForkId } from './free-fork-id.ts'

/** The id is null until the user types one. */
type Names = { newExperimentId: string | null; newName: string }

/** Names the copy. The suggested id avoids existing ids. */
export function ForkForm({ source }: { source: Experiment }) {
  const navigate = useNavigate()
  const similar = useQuery({
    ...experimentListOptions({ search: forkSearch(source.id), limit: 50 }),
    refetchInterval: false,
  })
  const freeId = freeForkId(source.id, similar.data?.experiments.map((experiment) => experiment.id) ?? [])
  const form: Form<Names> = useForm({
    initialValues: { newExperimentId: null, newName: forkName(source.name) },
    schema: forkExperiment.body,
    toBody: ({ newExperimentId, newName }: Names) => ({ newExperimentId: newExperimentId ?? freeId, newName }),
    send: (names) => fork({ id: source.id, ...names }),
    onSent: ({ experimentId }) => navigate(paths.experiment(experimentId)),
    conflictField: 'newExperimentId',
    checkWhileTyping: true,
  })
  return (
    <form className={formParts.form} onSubmit={form.submit} noValidate>
      <TextInput
        label="Experiment id"
        description="Used in URLs and queries; can’t be changed later"
        {...form.getInputProps('newExperimentId')}
        value={form.values.newExperimentId ?? freeId}
        classNames={{ input: classes.id }}
        spellCheck={false}
        data-autofocus
      />
      <TextInput label="Name" maxLength={maxExperimentNameCharacters} {...form.getInputProps('newName')} />
      <p className={mutedText.explanation}>
        Copies the latest version and its files. Runs, results and links aren’t copied. To edit the definition first,{' '}
        <TextLink href={paths.newExperiment({ id: source.id })}>clone it into the editor</TextLink>.
      </p>
      <FormFoot form={form} failed="Fork failed" verb="Fork experiment" />
    </form>
  )
}
