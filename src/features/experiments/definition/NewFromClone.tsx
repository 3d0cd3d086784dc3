import { useSuspenseQuery } from '@tanstack/react-query'

import { experimentYamlOptions } from '#src/api/experiments.ts'
import { asCopy } from './as-copy.ts'
import { NewExperiment } from './NewExperiment.tsx'

/** Starts with a copy of another experiment's definition under a new id, without its package. */
export function NewFromClone({ id, version }: { id: string; version: string | undefined }) {
  const { data } = useSuspenseQuery(experimentYamlOptions(id, version))
  return <NewExperiment key={id} about={`clone.${id}`} start={asCopy(data, id)} title={`Clone of ${id}`} />
}
