import { Button } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LoaderFunctionArgs, replace } from 'react-router'

import { experimentYamlOptions, versionListOptions } from '#src/api/experiments.ts'
import { queryClient } from '#src/api/query-client.ts'
import { useExperimentId } from '#src/url/use-experiment-id.ts'
import { paths } from '#src/paths.ts'
import { downloadText } from '#src/ui/table/csv.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { DefinitionEditor } from './DefinitionEditor.tsx'
import { raiseTimeLimit } from './raise-time-limit.ts'
import { changeDraft } from './use-draft.ts'
import { VersionRail } from './VersionRail.tsx'

export async function loader({ params, request }: LoaderFunctionArgs) {
  const id = params['id'] ?? ''
  const { searchParams } = new URL(request.url)
  const { versions } = await queryClient.ensureQueryData(versionListOptions(id))
  const shown = searchParams.get('version') || versions[0]?.fingerprint
  const stored = await queryClient.ensureQueryData(experimentYamlOptions(id, shown))
  const seconds = Number(searchParams.get('maxTimeSeconds'))
  if (!Number.isInteger(seconds) || seconds < 1) return null
  // Guidance leads here with a limit to set: it becomes unsaved text, and the URL the plain one.
  changeDraft(`${id}.${shown}`, stored, (text) => raiseTimeLimit(text, seconds))
  throw replace(paths.experiment(id, 'definition', { version: searchParams.get('version') }))
}

/** The YAML of one version, ready to be changed into the next. */
export function DefinitionTab() {
  const id = useExperimentId()
  const query = useQueryState()
  const { data } = useSuspenseQuery(versionListOptions(id))
  const shown = query.one('version') || (data.versions[0]?.fingerprint ?? '')
  const { data: stored } = useSuspenseQuery(experimentYamlOptions(id, shown))
  const ordinal = data.versions.find(({ fingerprint }) => fingerprint === shown)?.ordinal
  const isLatest = shown === data.versions[0]?.fingerprint
  return (
    <DefinitionEditor
      about={`${id}.${shown}`}
      stored={stored}
      origin={isLatest ? `v${ordinal}, the latest` : `v${ordinal}; a push makes it the latest again`}
      pushLabel="Push"
      renderActions={(text) => (
        <>
          <Button variant="default" onClick={() => downloadText(`${id}.yaml`, text, 'text/yaml')}>
            Download
          </Button>
          {!isLatest && (
            <Button component={Link} to={paths.newExperiment({ id, version: shown })} variant="default">
              {`Clone v${ordinal}`}
            </Button>
          )}
        </>
      )}
      renderAside={() => <VersionRail versions={data.versions} shown={shown} />}
    />
  )
}
