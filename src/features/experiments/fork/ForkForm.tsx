import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'

import { ExperimentId, maxExperimentNameCharacters } from '#contract/definition.ts'
import type { Experiment } from '#contract/experiments.ts'
import { forkName } from '#contract/fork-names.ts'
import { fieldFault, isApiError } from '#src/api/errors.ts'
import { experimentListOptions, fork } from '#src/api/experiments.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './ForkForm.module.css'
import { forkSearch, freeForkId } from './free-fork-id.ts'

/** Names the copy. The id suggested follows what is taken until somebody types one. */
export function ForkForm({ source }: { source: Experiment }) {
  const navigate = useNavigate()
  const [typedId, setTypedId] = useState<string | null>(null)
  const [name, setName] = useState(forkName(source.name))
  const similar = useQuery({
    ...experimentListOptions({ search: forkSearch(source.id), limit: 50 }),
    refetchInterval: false,
  })
  const id = typedId ?? freeForkId(source.id, similar.data?.experiments.map((experiment) => experiment.id) ?? [])
  const forking = useMutation({
    mutationFn: fork,
    onSuccess: ({ experimentId }) => navigate(paths.experiment(experimentId)),
  })
  const { error } = forking
  const isTaken = isApiError(error, 'already_exists')
  const shape = ExperimentId.safeParse(id).error?.issues[0]?.message
  const idFault = shape ?? (isTaken ? error.message : fieldFault(error, 'newExperimentId'))
  const nameFault = name.trim() === '' ? 'must not be blank' : fieldFault(error, 'newName')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!shape && name.trim() !== '') forking.mutate({ id: source.id, newExperimentId: id, newName: name })
  }
  return (
    <form className={classes.form} onSubmit={send}>
      <TextInput
        label="Experiment id"
        description="Used in URLs and queries; can’t be changed later"
        value={id}
        onChange={(event) => {
          forking.reset()
          setTypedId(event.currentTarget.value)
        }}
        error={idFault}
        classNames={{ input: classes.id }}
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label="Name"
        value={name}
        maxLength={maxExperimentNameCharacters}
        onChange={(event) => {
          forking.reset()
          setName(event.currentTarget.value)
        }}
        error={nameFault}
      />
      <p className={classes.copied}>
        Copies the latest version and its files. Runs, results and links aren’t copied. To edit the definition first,{' '}
        <TextLink href={paths.newExperiment({ id: source.id })}>clone it into the editor</TextLink>.
      </p>
      {error && !idFault && !nameFault && <ErrorNotice title="Fork failed" error={error} />}
      <Button type="submit" loading={forking.isPending} className={classes.verb}>
        Fork experiment
      </Button>
    </form>
  )
}
