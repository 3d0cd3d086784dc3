import { Button } from '@mantine/core'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useParams } from 'react-router'

import type { ContextVersion } from '#contract/context-records.ts'
import { recordOptions, restoreRecord, versionPagesOptions } from '#src/api/context-records.ts'
import type { RecordTarget } from '#src/api/context-suggestions.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { paths } from '#src/paths.ts'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { confirm } from '#src/ui/confirm.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { type Comparison, VersionsLayout } from '#src/shared/versions/VersionsLayout.tsx'
import { describeCause, fieldLabels, writerOf } from './labels.ts'
import { requireTarget, targetOf } from './record-target.ts'
import { RecordUnavailable } from './RecordUnavailable.tsx'
import { VersionChanges } from './VersionChanges.tsx'

export function loader({ params }: LoaderFunctionArgs) {
  requireTarget(params)
  return null
}

export function Component() {
  const target = targetOf(useParams())
  return target && <History key={`${target.kind} ${target.targetId}`} target={target} />
}

const isComparison = (name: string): name is Comparison => name === 'now' || name === 'whole'

/** The versions of a record, what each of them changed, and for admins a way back to it. */
function History({ target }: { target: RecordTarget }) {
  const url = useQueryState()
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { data: record } = useQuery(recordOptions(target))
  const list = useInfiniteList(versionPagesOptions(target))
  const versions = list.rows ?? []
  const place = Math.max(
    0,
    versions.findIndex(({ revision }) => String(revision) === url.one('revision')),
  )
  const [chosen, newest] = [versions[place], versions[0]]
  const hasPrevious = chosen !== undefined && chosen.cause !== 'created' && chosen.cause !== 'kept'
  const isFound = url.one('revision') === '' || String(chosen?.revision) === url.one('revision')
  const asked = url.one('with')
  const comparison = isComparison(asked) && !(asked === 'now' && place === 0) ? asked : 'before'
  const shown = comparison === 'before' && !hasPrevious ? 'whole' : comparison
  const restoring = useMutation({
    mutationFn: restoreRecord,
    onSuccess: () => url.push({ revision: null, with: null }),
  })
  const ask = ({ revision }: ContextVersion) =>
    confirm({
      title: `Restore revision ${revision}?`,
      lost: 'Its fields replace the current ones, and everyone is notified. The current text stays in the history.',
      verb: 'Restore version',
      onConfirm: () =>
        restoring.mutate({ ...target, revision: String(revision), expectedRevision: newest?.revision ?? revision }),
    })
  const name = record?.name ?? target.targetId
  const canRestore = permissionsOf(caller).manageContext && place > 0 && chosen !== undefined
  return (
    <>
      <title>{`History of ${name} · Context · Assay`}</title>
      <PageHeader
        above={<TextLink href={paths.contextRecord({ kind: target.kind, id: target.targetId })}>{name}</TextLink>}
        title="History"
        facts="Each version shows who changed the record, and how."
      />
      {list.error && !list.rows && <RecordUnavailable error={list.error} onRetry={list.retry} />}
      {!list.error && !list.rows && <LoadingArea label="Loading the history" height={320} />}
      {chosen && newest && (
        <VersionsLayout
          versions={versions.map((version) => ({
            id: String(version.revision),
            at: version.changedAt,
            by: writerOf(version),
            detail: [
              `Revision ${version.revision}`,
              describeCause(version),
              version.changedFields.map(fieldLabels).join(', '),
            ]
              .filter(Boolean)
              .join(' · '),
          }))}
          place={place}
          onChoose={(revision) => url.set({ revision })}
          comparisons={[
            { value: 'before', label: 'Changes', disabled: !hasPrevious },
            { value: 'now', label: 'Changes since', disabled: place === 0 },
            { value: 'whole', label: 'Whole text' },
          ]}
          comparison={shown}
          onCompare={(value) => url.set({ with: value === 'before' ? null : value })}
          restore={canRestore ? { pending: restoring.isPending, onRestore: () => ask(chosen) } : null}
          more={
            list.more && (
              <Button variant="subtle" size="xs" loading={list.more.pending} onClick={list.more.onMore}>
                Load more
              </Button>
            )
          }
        >
          {restoring.error && <ErrorNotice title="The version was not restored" error={restoring.error} />}
          {!isFound && list.rows && (
            <Notice title={`Revision ${url.one('revision')} is not in the list.`}>
              {list.more ? 'Load more versions to see it.' : 'This revision does not exist, or was not recorded.'}
            </Notice>
          )}
          {shown === 'before' && <VersionChanges target={target} before={chosen.revision - 1} after={chosen} />}
          {shown === 'now' && <VersionChanges target={target} before={chosen.revision} after={newest} />}
          {shown === 'whole' && <VersionChanges target={target} after={chosen} />}
        </VersionsLayout>
      )}
    </>
  )
}
