import type { Publication, SqlInsight } from '#contract/insights.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { EditForm } from './EditForm.tsx'
import { PublishedLink } from './PublishedLink.tsx'
import { PublishForm } from './PublishForm.tsx'

type Props = { insight: SqlInsight; sql: string; publication: Publication | undefined }

/** Open while the URL has `edit` or `publish`. */
export function InsightDialogs({ insight, sql, publication }: Props) {
  const url = useQueryState()
  const close = () => url.push({ edit: null, publish: null })
  const isLegacy = insight.dataSchema === 'legacy'
  return (
    <>
      <Dialog
        opened={url.one('edit') !== '' && insight.canChange}
        onClose={close}
        closeOnClickOutside={false}
        title="Edit insight"
        size="lg"
      >
        <EditForm insight={insight} sql={sql} onDone={close} />
      </Dialog>
      <Dialog
        opened={url.one('publish') !== '' && !isLegacy && (insight.canChange || publication !== undefined)}
        onClose={close}
        title={publication ? 'Public link' : 'Publish'}
        size="lg"
      >
        {publication ? (
          <PublishedLink publication={publication} heading={insight.heading} />
        ) : (
          <PublishForm insight={insight} sql={sql} />
        )}
      </Dialog>
    </>
  )
}
