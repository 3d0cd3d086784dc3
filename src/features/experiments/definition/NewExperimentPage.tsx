import { type LoaderFunctionArgs } from 'react-router'
import { useSuspenseQuery } from '@tanstack/react-query'

import { experimentYamlOptions } from '#src/api/experiments.ts'
import { queryClient } from '#src/api/query-client.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { NewExperiment } from './NewExperiment.tsx'
import { TemplateGallery } from './TemplateGallery.tsx'
import { isExample, templates } from './templates.ts'

/** A copy must not become the next version of its source. */
const asCopy = (text: string, takenId: string) =>
  text
    .replace(/^(id:\s*)(\S+)/m, (_, label: string) => `${label}${takenId}-copy`)
    .replace(/^(name:\s*.+)$/m, '$1 (copy)')

/** `?clone=<id>&version=` starts with another experiment's text, `?template=<id>` with a template's. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const clone = searchParams.get('clone')
  if (clone) await queryClient.ensureQueryData(experimentYamlOptions(clone, searchParams.get('version') ?? undefined))
  return null
}

export function Component() {
  const query = useQueryState()
  const clone = query.one('clone')
  if (clone === '') return <NewFromTemplate requested={query.one('template')} />
  return <NewFromClone id={clone} version={query.one('version') || undefined} />
}

/** Starts with a copy of another experiment's definition under a new id, without its package. */
function NewFromClone({ id, version }: { id: string; version: string | undefined }) {
  const { data } = useSuspenseQuery(experimentYamlOptions(id, version))
  return <NewExperiment key={id} about={`clone.${id}`} start={asCopy(data, id)} title={`Clone of ${id}`} />
}

/** Starts from a template. */
function NewFromTemplate({ requested }: { requested: string }) {
  const template = templates.find(({ id }) => id === requested) ?? templates[0]
  if (!template) return <NewExperiment about="new." start="" title="New experiment" />
  const { id, text, needs } = template
  return (
    <NewExperiment
      key={id}
      about={`new.${id}`}
      start={isExample(template) ? asCopy(text, id) : text}
      title="New experiment"
      needs={needs}
      choice={<TemplateGallery templates={templates} shown={id} />}
    />
  )
}
