import type { ReactNode } from 'react'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'

import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { experimentListOptions } from '#src/api/experiments.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { DefinitionEditor } from './DefinitionEditor.tsx'

type Props = { about: string; start: string; title: string; needs?: string | undefined; choice?: ReactNode }

/** The editor for a new experiment, with its templates. */
export const NewExperiment = ({ about, start, title, needs, choice }: Props) => (
  <>
    <title>{`${title} · Assay`}</title>
    <PageHeader above={<TextLink href={paths.experiments()}>Experiments</TextLink>} title={title} />
    {choice}
    <DefinitionEditor
      about={about}
      stored={start}
      origin={needs ?? 'Ready to run as is. Edit anything you like.'}
      pushLabel={() => 'Create'}
      packaged={null}
      renderActions={() => null}
      renderAside={(text) => <TakenIdNotice text={text} />}
    />
  </>
)

/** Pushing an existing id creates a version, not an experiment. */
function TakenIdNotice({ text }: { text: string }) {
  const [id = ''] = useDebouncedValue(/^id:\s*([a-z0-9-]+)\s*$/m.exec(text)?.[1], 400)
  const found = useQuery({
    ...experimentListOptions({ search: id, limit: 50 }),
    enabled: id !== '',
    refetchInterval: false,
  })
  const taken = found.data?.experiments.find((experiment) => experiment.id === id)
  if (!taken) return null
  return (
    <Notice title="This id already exists.">
      This creates v{taken.ordinal + 1} of <TextLink href={paths.experiment(id)}>{taken.name}</TextLink>.
    </Notice>
  )
}
