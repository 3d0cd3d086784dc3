import { NativeSelect } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs } from 'react-router'

import { experimentYamlOptions } from '#src/api/experiments.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { DefinitionEditor } from './DefinitionEditor.tsx'
import { TakenIdNotice } from './TakenIdNotice.tsx'
import { asCopy, templates } from './templates.ts'

/** `?clone=<id>&version=` begins with another experiment's text, `?template=<id>` with an example's. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const clone = searchParams.get('clone')
  if (clone) await queryClient.ensureQueryData(experimentYamlOptions(clone, searchParams.get('version') ?? undefined))
  return null
}

export function NewExperimentPage() {
  const query = useQueryState()
  const clone = query.one('clone')
  return clone === '' ? <FromTemplate /> : <FromClone id={clone} version={query.one('version') || undefined} />
}

function FromClone({ id, version }: { id: string; version: string | undefined }) {
  const { data } = useSuspenseQuery(experimentYamlOptions(id, version))
  return <NewExperiment key={id} about={`clone.${id}`} start={asCopy(data, id)} title={`Clone of ${id}`} />
}

function FromTemplate() {
  const query = useQueryState()
  const chosen =
    templates.find(({ id }) => id === query.one('template')) ?? templates.find(({ id }) => id === 'parse-roman')
  const template = chosen ?? templates[0]
  const select = (
    <NativeSelect
      size="xs"
      aria-label="Template"
      value={template?.id}
      onChange={(event) => query.set({ template: event.currentTarget.value })}
      data={templates.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
  const start = template ? asCopy(template.text, template.id) : ''
  return (
    <NewExperiment
      key={template?.id}
      about={`new.${template?.id ?? ''}`}
      start={start}
      title="New experiment"
      actions={select}
    />
  )
}

type Props = { about: string; start: string; title: string; actions?: React.ReactNode }

const NewExperiment = ({ about, start, title, actions }: Props) => (
  <>
    <title>{`${title} · Assay`}</title>
    <PageHeader above={<TextLink href={paths.experiments()}>Experiments</TextLink>} title={title} />
    <DefinitionEditor
      about={about}
      stored={start}
      origin="Change what you like; it runs as it stands."
      pushLabel="Create"
      packaged={null}
      renderActions={() => actions}
      renderAside={(text) => <TakenIdNotice text={text} />}
    />
  </>
)
