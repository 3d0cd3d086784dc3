import { type LoaderFunctionArgs } from 'react-router'

import { experimentYamlOptions } from '#src/api/experiments.ts'
import { queryClient } from '#src/api/query-client.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { NewFromClone } from './NewFromClone.tsx'
import { NewFromTemplate } from './NewFromTemplate.tsx'

/** `?clone=<id>&version=` begins with another experiment's text, `?template=<id>` with an example's. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const clone = searchParams.get('clone')
  if (clone) await queryClient.ensureQueryData(experimentYamlOptions(clone, searchParams.get('version') ?? undefined))
  return null
}

export function Component() {
  const query = useQueryState()
  const clone = query.one('clone')
  if (clone === '') return <NewFromTemplate asked={query.one('template')} />
  return <NewFromClone id={clone} version={query.one('version') || undefined} />
}
