import { versionPagesOptions } from '#src/api/context-records.ts'
import type { RecordTarget } from '#src/api/context-suggestions.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { describeCause, fieldLabels, writerOf } from './labels.ts'
import classes from './records.module.css'

const shown = 5

/** The latest changes of a record, which lead to its history. */
export function LatestVersions({ target }: { target: RecordTarget }) {
  const list = useInfiniteList(versionPagesOptions(target))
  const path = { kind: target.kind, id: target.targetId }
  return (
    <Section title="Latest changes" aside={<TextLink href={paths.contextHistory(path)}>Whole history</TextLink>}>
      {list.error && <ErrorNotice title="The history could not be loaded" error={list.error} onRetry={list.retry} />}
      <ol className={classes.changes}>
        {list.rows?.slice(0, shown).map((version) => (
          <li key={version.revision}>
            <span className={classes.how}>
              <TextLink href={paths.contextHistory(path, { revision: version.revision })}>
                Revision {version.revision}
              </TextLink>{' '}
              {[describeCause(version), version.changedFields.map(fieldLabels).join(', ')].filter(Boolean).join(' · ')}
            </span>
            <span className={classes.quiet}>
              {writerOf(version)}, <RelativeTime at={version.changedAt} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
