import { useSuspenseQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { type LoaderFunctionArgs, replace } from 'react-router'

import { experimentOptions, experimentYamlOptions, versionListOptions } from '#src/api/experiments.ts'
import { queryClient } from '#src/api/query-client.ts'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { paths } from '#src/paths.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { raiseTimeLimit } from './raise-time-limit.ts'
import { changeDraft } from './use-draft.ts'
import { VersionEditor } from './VersionEditor.tsx'
import { VersionRail } from './VersionRail.tsx'

const VersionDiff = lazy(async () => ({ default: (await import('./VersionDiff.tsx')).VersionDiff }))

/** Fingerprints of the two versions of a diff. */
type ComparedVersions = { experimentId: string; before: string; after: string }

export async function loader({ params, request }: LoaderFunctionArgs) {
  const id = params['id'] ?? ''
  const { searchParams } = new URL(request.url)
  const { versions } = await queryClient.ensureQueryData(versionListOptions(id))
  const shown = searchParams.get('version') || versions[0]?.fingerprint
  const against = searchParams.get('against')
  const [stored] = await Promise.all([
    queryClient.ensureQueryData(experimentYamlOptions(id, shown)),
    queryClient.ensureQueryData(experimentOptions(id, shown)),
    against && queryClient.ensureQueryData(experimentYamlOptions(id, against)),
  ])
  const seconds = Number(searchParams.get('maxTimeSeconds'))
  if (!Number.isInteger(seconds) || seconds < 1) return null
  // Guidance links here with a limit to set and the prompts that need it. The limit becomes unsaved text and leaves the
  // URL.
  changeDraft(`${id}.${shown}`, stored, (text) => raiseTimeLimit(text, seconds, searchParams.getAll('prompt')))
  throw replace(paths.experiment(id, 'definition', { version: searchParams.get('version') }))
}

/** Edits the YAML of one version; with `against`, shows a diff with that version. */
export function DefinitionTab({ VersionEffect }: { VersionEffect: ComponentType<ComparedVersions> }) {
  const id = useExperimentId()
  const query = useQueryState()
  const { data } = useSuspenseQuery(versionListOptions(id))
  const shown = query.one('version') || (data.versions[0]?.fingerprint ?? '')
  const against = query.one('against')
  const rail = <VersionRail versions={data.versions} shown={shown} against={against} />
  if (against === '') return <VersionEditor experimentId={id} versions={data.versions} shown={shown} rail={rail} />
  return (
    <>
      <Suspense fallback={<LoadingArea label="Loading the comparison" height={480} />}>
        <VersionDiff experimentId={id} versions={data.versions} before={against} after={shown}>
          <VersionEffect experimentId={id} before={against} after={shown} />
        </VersionDiff>
      </Suspense>
      {rail}
    </>
  )
}
